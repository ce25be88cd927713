// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_internal.h"

fake_state fake = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local int current = 0;
static _Thread_local int current_set;

// ------------------------------------------------------------------- controls ----

static void set_defaults(int device) {
  static const int pairs[][2] = {{1, 1024},   {2, 1024},  {3, 1024},  {4, 64},      {5, 2147483647},
                                 {6, 65535},  {7, 65535}, {8, 49152}, {10, 32},     {12, 65536},
                                 {16, 132},   {39, 2048}, {75, 9},    {76, 0},      {81, 233472},
                                 {82, 65536}, {88, 0},    {95, 1},    {97, 232448}, {106, 32},
                                 {111, 1024}, {120, 1}};
  memset(fake.attributes[device], 0, sizeof fake.attributes[device]);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    fake.attributes[device][pairs[i][0]] = pairs[i][1];
}

void fake_reset(void) {
  for (unsigned i = 0; i < fake.memory_count; i++)
    free(fake.memory[i].owned);
  fake.memory_count = 0;
  fake.device_count = 2;
  fake.peer = 0;
  for (int i = 0; i < MAX_DEVICES; i++)
    set_defaults(i);
  memset(fake.entries, 0, sizeof fake.entries);
  memset(&fake.launch, 0, sizeof fake.launch);
  fake.total = 0;
  fake_set_current(0);
}

__attribute__((constructor)) static void start(void) { fake_reset(); }

void fake_set_device_count(int count) { fake.device_count = count; }
void fake_set_attribute(int device, int attribute, int value) {
  fake.attributes[device][attribute] = value;
}
void fake_set_current(int device) {
  current = device;
  current_set = 1;
}
const fake_launch *fake_last_launch(void) { return &fake.launch; }
void *fake_last_function(void) { return fake.launch.function; }
void fake_set_peer(int enabled) { fake.peer = enabled; }

static unsigned slot(const char *name) {
  unsigned i = 0;
  while (i < MAX_NAMES - 1 && fake.entries[i].name && strcmp(fake.entries[i].name, name) != 0)
    i++;
  fake.entries[i].name = name;
  return i;
}

unsigned fake_calls(const char *name) { return name ? fake.entries[slot(name)].calls : fake.total; }
void fake_fail(const char *name, int error) { fake.entries[slot(name)].error = error; }

/// Counts a call. \returns the failure asked for.
int fake_enter(const char *name) {
  pthread_mutex_lock(&fake.lock);
  unsigned i = slot(name);
  fake.entries[i].calls++;
  fake.total++;
  int error = fake.entries[i].error;
  pthread_mutex_unlock(&fake.lock);
  return error;
}

void fake_add_memory(uint64_t base, size_t size, int device, int kind, uint64_t reserved_base,
                     size_t reserved) {
  memory m = {base, reserved ? reserved_base : base, size, reserved ? reserved : size, device, kind,
              NULL};
  if (fake.memory_count < MAX_MEMORY)
    fake.memory[fake.memory_count++] = m;
}

unsigned fake_live_memory(void) {
  unsigned live = 0;
  for (unsigned i = 0; i < fake.memory_count; i++)
    live += fake.memory[i].owned != NULL;
  return live;
}

unsigned fake_live_events(void) {
  unsigned live = 0;
  for (event *e = fake.events; e; e = e->next)
    live++;
  return live;
}

void *fake_stream_new(int device) {
  stream *s = calloc(1, sizeof *s);
  if (s)
    s->device = device;
  return s;
}

void fake_stream_hold(void *handle, int held) {
  stream *s = handle;
  s->held = held;
  for (event *e = fake.events; e && !held; e = e->next)
    if (e->in == s)
      e->ready = 1;
}

void fake_stream_capture(void *handle, int capturing) { ((stream *)handle)->capturing = capturing; }
unsigned fake_stream_waits(void *handle) { return ((stream *)handle)->waits; }

// ------------------------------------------------------------------- devices ----

int cuInit(unsigned flags);
int cuInit(unsigned flags) {
  const char *error = getenv("FAKE_CUDA_INIT");
  (void)flags;
  ENTER();
  return error ? atoi(error) : OK;
}

int cuGetErrorName(int error, const char **name);
int cuGetErrorName(int error, const char **name) {
  *name = error == NO_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE"
          : error == NOT_FOUND ? "CUDA_ERROR_NOT_FOUND"
          : error == 201       ? "CUDA_ERROR_INVALID_CONTEXT"
          : error == INVALID   ? "CUDA_ERROR_INVALID_VALUE"
                               : NULL;
  return *name ? OK : INVALID;
}

int cuDeviceGetCount(int *count);
int cuDeviceGetCount(int *count) {
  ENTER();
  *count = fake.device_count;
  return OK;
}

int cuDeviceGetName(char *name, int length, int device);
int cuDeviceGetName(char *name, int length, int device) {
  ENTER();
  (void)device;
  strncpy(name, "Stand-in", (size_t)length);
  return OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER();
  *value = fake.attributes[device][attribute];
  return OK;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  ENTER();
  (void)device;
  *bytes = (size_t)1 << 37;
  return OK;
}

int cuDeviceCanAccessPeer(int *can, int device, int peer);
int cuDeviceCanAccessPeer(int *can, int device, int peer) {
  ENTER();
  (void)device;
  (void)peer;
  *can = fake.peer;
  return OK;
}

int cuCtxGetCurrent(void **context);
int cuCtxGetCurrent(void **context) {
  ENTER();
  *context = current_set && current >= 0 ? &fake.contexts[current] : NULL;
  return OK;
}

int cuCtxSetCurrent(void *context);
int cuCtxSetCurrent(void *context) {
  ENTER();
  fake_set_current((int)((int *)context - fake.contexts));
  return OK;
}

int cuCtxGetDevice(int *device);
int cuCtxGetDevice(int *device) {
  ENTER();
  *device = current;
  return OK;
}

int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRetain(void **context, int device) {
  ENTER();
  *context = &fake.contexts[device];
  return OK;
}

// ------------------------------------------------------------------- modules ----

/// PTX text: its entries become kernels that do nothing, but for vector_add, which adds, and
/// those of the runtime.
static void add(void **params) {
  const float *a = *(const float **)params[0], *b = *(const float **)params[1];
  float *c = *(float **)params[2];
  for (int i = 0; i < *(const int *)params[3]; i++)
    c[i] = a[i] + b[i];
}

static int load_text(module *m, const char *text) {
  const char *entry = strstr(text, ".entry ");
  if (!entry || strncmp(text, "//", 2) != 0)
    return INVALID;
  for (unsigned n = 0; entry && n < MAX_ENTRIES; n++, entry = strstr(entry, ".entry ")) {
    char *name = m->names[n];
    fake_kernel k = FAKE_KERNEL(name, NULL);
    entry += 7;
    for (size_t i = 0; i < sizeof m->names[n] - 1 && entry[i] && !strchr("( \n", entry[i]); i++)
      name[i] = entry[i];
    k.body = strcmp(name, "vector_add") == 0 ? add : fake_data_body(name);
    m->kernel[n] = k;
  }
  m->made.kernels = m->kernel;
  m->image = &m->made;
  return OK;
}

/// All that are loaded: the driver owns them, whether or not anyone still has a handle.
static module *modules;

int cuModuleLoadData(void **out, const void *image);
int cuModuleLoadData(void **out, const void *image) {
  ENTER();
  uint32_t magic;
  module *m = calloc(1, sizeof *m);
  memcpy(&magic, image, sizeof magic);
  if (!m)
    return NO_MEMORY;
  m->image = image;
  if (magic != FAKE_MODULE_MAGIC && load_text(m, image) != OK) {
    free(m);
    return INVALID;
  }
  m->next = modules;
  modules = m;
  *out = m;
  return OK;
}

int cuModuleUnload(void *handle);
int cuModuleUnload(void *handle) {
  ENTER();
  module *m = handle;
  for (module **at = &modules; *at; at = &(*at)->next)
    if (*at == m) {
      *at = m->next;
      break;
    }
  while (m->functions) {
    function *f = m->functions;
    m->functions = f->next;
    free(f);
  }
  free(m);
  return OK;
}

int cuModuleGetFunction(void **out, void *handle, const char *name);
int cuModuleGetFunction(void **out, void *handle, const char *name) {
  ENTER();
  module *m = handle;
  for (const fake_kernel *k = m->image->kernels; k && k->name; k++)
    if (strcmp(k->name, name) == 0) {
      function *f = calloc(1, sizeof *f);
      if (!f)
        return NO_MEMORY;
      f->kernel = *k;
      f->next = m->functions;
      m->functions = f;
      *out = f;
      return OK;
    }
  return NOT_FOUND;
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *handle, const char *name);
int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *handle, const char *name) {
  ENTER();
  const module *m = handle;
  for (const fake_global *g = m->image->globals; g && g->name; g++)
    if (strcmp(g->name, name) == 0) {
      *address = (uint64_t)(uintptr_t)g->bytes;
      *bytes = g->size;
      return OK;
    }
  return NOT_FOUND;
}

int cuFuncGetAttribute(int *value, int attribute, void *handle);
int cuFuncGetAttribute(int *value, int attribute, void *handle) {
  ENTER();
  *value = ((const function *)handle)->kernel.attributes[attribute];
  return OK;
}

int cuFuncSetAttribute(void *handle, int attribute, int value);
int cuFuncSetAttribute(void *handle, int attribute, int value) {
  ENTER();
  ((function *)handle)->kernel.attributes[attribute] = value;
  return OK;
}

// ------------------------------------------------------------------ launches ----

static int launch(function *f, const gsrt_cu_config *c, void **params) {
  fake_launch l = {.count = fake.launch.count + 1, .kernel = &f->kernel, .stream = c->stream};
  memcpy(l.grid, c->grid, sizeof l.grid);
  memcpy(l.block, c->block, sizeof l.block);
  l.function = f;
  l.smem = c->dynamic_smem;
  for (unsigned i = 0; i < c->attribute_count; i++) {
    if (c->attributes[i].id == 2)
      l.cooperative = (unsigned)c->attributes[i].value.cooperative;
    if (c->attributes[i].id == 4)
      memcpy(l.cluster, c->attributes[i].value.cluster, sizeof l.cluster);
  }
  pthread_mutex_lock(&fake.lock);
  l.count = fake.launch.count + 1;
  fake.launch = l;
  pthread_mutex_unlock(&fake.lock);
  if (f->kernel.body)
    f->kernel.body(params);
  return OK;
}

int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned smem, void *s, void **params, void **extra);
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned smem, void *s, void **params, void **extra) {
  ENTER();
  (void)extra;
  gsrt_cu_config c = {{gx, gy, gz}, {bx, by, bz}, smem, s, NULL, 0};
  return launch(f, &c, params);
}

int cuLaunchCooperativeKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                              unsigned by, unsigned bz, unsigned smem, void *s, void **params);
int cuLaunchCooperativeKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                              unsigned by, unsigned bz, unsigned smem, void *s, void **params) {
  ENTER();
  gsrt_cu_attribute cooperative = {.id = 2, .value.cooperative = 1};
  gsrt_cu_config c = {{gx, gy, gz}, {bx, by, bz}, smem, s, &cooperative, 1};
  return launch(f, &c, params);
}

int cuLaunchKernelEx(const gsrt_cu_config *c, void *f, void **params, void **extra);
int cuLaunchKernelEx(const gsrt_cu_config *c, void *f, void **params, void **extra) {
  ENTER();
  (void)extra;
  return launch(f, c, params);
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *f, int threads, size_t smem);
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *f, int threads, size_t smem) {
  ENTER();
  (void)f;
  (void)smem;
  *blocks = 2048 / threads;
  return OK;
}

int cuOccupancyMaxActiveClusters(int *clusters, void *f, const gsrt_cu_config *c);
int cuOccupancyMaxActiveClusters(int *clusters, void *f, const gsrt_cu_config *c) {
  ENTER();
  (void)f;
  *clusters = c->dynamic_smem > 200000 ? 0 : 16;
  return OK;
}
