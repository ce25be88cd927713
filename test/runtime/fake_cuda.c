// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_cuda.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The declarations are those of the runtime's own table.
typedef struct gsrt_cu_attribute {
  uint32_t id, pad;
  union {
    char bytes[64];
    int32_t cooperative;
    uint32_t cluster[3];
    uint64_t align;
  } value;
} gsrt_cu_attribute;
typedef struct gsrt_cu_config {
  uint32_t grid[3], block[3];
  uint32_t dynamic_smem;
  void *stream;
  gsrt_cu_attribute *attributes;
  uint32_t attribute_count;
} gsrt_cu_config;

enum { OK = 0, INVALID = 1, NO_MEMORY = 2, NO_DEVICE = 100, NOT_FOUND = 500, NOT_READY = 600 };
enum { MAX_MEMORY = 64, MAX_DEVICES = 4, MAX_NAMES = 64 };

typedef struct memory {
  uint64_t base, reserved_base;
  size_t size, reserved;
  int device, kind;
  void *owned;
} memory;

typedef struct stream {
  int device, held, capturing;
  unsigned waits;
  struct stream *next;
} stream;

typedef struct event {
  struct event *next;
  stream *in;
  int ready;
} event;

typedef struct function {
  struct function *next;
  fake_kernel kernel;
} function;

typedef struct module {
  const fake_image *image;
  function *functions;
  fake_image made; ///< out of PTX text
  fake_kernel kernel[2];
  char name[64];
} module;

static struct {
  pthread_mutex_t lock;
  int device_count, peer;
  int attributes[MAX_DEVICES][FAKE_ATTRIBUTES];
  int contexts[MAX_DEVICES]; ///< the address of an element is the context
  memory memory[MAX_MEMORY];
  unsigned memory_count;
  event *events;
  fake_launch launch;
  struct {
    const char *name;
    unsigned calls;
    int error;
  } entries[MAX_NAMES];
  unsigned total;
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local int current_set, current = 0;

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
static int enter(const char *name) {
  pthread_mutex_lock(&fake.lock);
  unsigned i = slot(name);
  fake.entries[i].calls++;
  fake.total++;
  int error = fake.entries[i].error;
  pthread_mutex_unlock(&fake.lock);
  return error;
}

#ifdef FAKE_QUIET // for timing what calls it
#define ENTER() (void)0
#else
#define ENTER()                                                                                    \
  do {                                                                                             \
    int failed_ = enter(__func__);                                                                 \
    if (failed_)                                                                                   \
      return failed_;                                                                              \
  } while (0)
#endif

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

/// The default streams have no object: they are never held.
static stream *as_stream(void *handle) { return (uintptr_t)handle <= 2 ? NULL : handle; }

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

/// PTX text: its first entry becomes a kernel that does nothing but vector_add, which
/// adds.
static void add(void **params) {
  const float *a = *(const float **)params[0], *b = *(const float **)params[1];
  float *c = *(float **)params[2];
  for (int i = 0; i < *(const int *)params[3]; i++)
    c[i] = a[i] + b[i];
}

static int load_text(module *m, const char *text) {
  const char *entry = strstr(text, ".entry ");
  fake_kernel k = FAKE_KERNEL(m->name, NULL);
  if (!entry || strncmp(text, "//", 2) != 0)
    return INVALID;
  entry += 7;
  for (size_t i = 0; i < sizeof m->name - 1 && entry[i] && !strchr("( \n", entry[i]); i++)
    m->name[i] = entry[i];
  if (strcmp(m->name, "vector_add") == 0)
    k.body = add;
  m->kernel[0] = k;
  m->made.kernels = m->kernel;
  m->image = &m->made;
  return OK;
}

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
  *out = m;
  return OK;
}

int cuModuleUnload(void *handle);
int cuModuleUnload(void *handle) {
  ENTER();
  module *m = handle;
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

// -------------------------------------------------------------------- memory ----

static memory *find(uint64_t address) {
  for (unsigned i = 0; i < fake.memory_count; i++)
    if (address >= fake.memory[i].base && address - fake.memory[i].base < fake.memory[i].size)
      return &fake.memory[i];
  return NULL;
}

int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t address);
int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t address) {
  ENTER();
  const memory *m = find(address);
  if (!m || m->kind == FAKE_HOST) // registered host memory is no "allocation"
    return NOT_FOUND;
  *base = m->base;
  *size = m->size;
  return OK;
}

static void pointer_attribute(int attribute, const memory *m, void *data) {
  switch (attribute) {
  case 2:
    *(int *)data = !m ? 0 : m->kind == FAKE_HOST ? 1 : m->kind == FAKE_MANAGED ? 4 : 2;
    break;
  case 8:
    *(int *)data = m && m->kind == FAKE_MANAGED;
    break;
  case 9:
    *(int *)data = m ? m->device : -1;
    break;
  case 11:
    *(uint64_t *)data = m ? m->reserved_base : 0;
    break;
  case 12:
    *(size_t *)data = m ? m->reserved : 0;
    break;
  case 13:
    *(int *)data = m != NULL;
    break;
  case 16:
    *(int *)data = m && (m->device == current || fake.peer) ? 3 : 0;
    break;
  case 17:
    *(void **)data = m && m->kind == FAKE_POOL ? &fake : NULL;
    break;
  default:
    break;
  }
}

int cuPointerGetAttributes(unsigned count, int *attributes, void **data, uint64_t address);
int cuPointerGetAttributes(unsigned count, int *attributes, void **data, uint64_t address) {
  ENTER();
  for (unsigned i = 0; i < count; i++)
    pointer_attribute(attributes[i], find(address), data[i]);
  return OK;
}

int cuPointerGetAttribute(void *data, int attribute, uint64_t address);
int cuPointerGetAttribute(void *data, int attribute, uint64_t address) {
  ENTER();
  if (!find(address))
    return INVALID;
  pointer_attribute(attribute, find(address), data);
  return OK;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes);
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  ENTER();
  void *owned = bytes ? calloc(1, bytes) : NULL;
  if (!owned || fake.memory_count == MAX_MEMORY) {
    free(owned);
    return bytes ? NO_MEMORY : INVALID;
  }
  fake_add_memory((uint64_t)(uintptr_t)owned, bytes, current, FAKE_DEVICE, 0, 0);
  fake.memory[fake.memory_count - 1].owned = owned;
  *address = (uint64_t)(uintptr_t)owned;
  return OK;
}

int cuMemFree_v2(uint64_t address);
int cuMemFree_v2(uint64_t address) {
  ENTER();
  memory *m = find(address);
  if (!m || m->base != address)
    return INVALID;
  free(m->owned);
  *m = fake.memory[--fake.memory_count];
  return OK;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *s);
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *s) {
  ENTER();
  (void)s;
  memcpy((void *)(uintptr_t)to, from, bytes);
  return OK;
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *s);
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *s) {
  ENTER();
  (void)s;
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  return OK;
}

// ---------------------------------------------------------- streams and events ----

int cuStreamGetCtx(void *handle, void **context);
int cuStreamGetCtx(void *handle, void **context) {
  ENTER();
  const stream *s = as_stream(handle);
  *context = &fake.contexts[s ? s->device : current];
  return OK;
}

int cuStreamIsCapturing(void *handle, int *status);
int cuStreamIsCapturing(void *handle, int *status) {
  ENTER();
  const stream *s = as_stream(handle);
  *status = s && s->capturing;
  return OK;
}

static _Thread_local int capture_mode;

int cuThreadExchangeStreamCaptureMode(int *mode);
int cuThreadExchangeStreamCaptureMode(int *mode) {
  ENTER();
  int old = capture_mode;
  capture_mode = *mode;
  *mode = old;
  return OK;
}

int cuStreamSynchronize(void *handle);
int cuStreamSynchronize(void *handle) {
  ENTER();
  if (as_stream(handle))
    fake_stream_hold(handle, 0);
  return OK;
}

int cuStreamWaitEvent(void *handle, void *waited, unsigned flags);
int cuStreamWaitEvent(void *handle, void *waited, unsigned flags) {
  ENTER();
  stream *s = as_stream(handle);
  (void)flags;
  (void)waited;
  if (s)
    s->waits++;
  return OK;
}

int cuEventCreate(void **out, unsigned flags);
int cuEventCreate(void **out, unsigned flags) {
  ENTER();
  (void)flags;
  event *e = calloc(1, sizeof *e);
  if (!e)
    return NO_MEMORY;
  pthread_mutex_lock(&fake.lock);
  e->ready = 1;
  e->next = fake.events;
  fake.events = e;
  pthread_mutex_unlock(&fake.lock);
  *out = e;
  return OK;
}

int cuEventRecord(void *handle, void *s);
int cuEventRecord(void *handle, void *s) {
  ENTER();
  event *e = handle;
  e->in = as_stream(s);
  e->ready = !e->in || !e->in->held;
  return OK;
}

int cuEventQuery(void *handle);
int cuEventQuery(void *handle) {
  ENTER();
  if (capture_mode != 2)
    return 900; // would spoil another thread's capture
  return ((const event *)handle)->ready ? OK : NOT_READY;
}

int cuEventSynchronize(void *handle);
int cuEventSynchronize(void *handle) {
  ENTER();
  event *e = handle;
  if (e->in)
    fake_stream_hold(e->in, 0);
  return OK;
}

int cuEventDestroy_v2(void *handle);
int cuEventDestroy_v2(void *handle) {
  ENTER();
  pthread_mutex_lock(&fake.lock);
  for (event **e = &fake.events; *e; e = &(*e)->next)
    if (*e == handle) {
      *e = (*e)->next;
      break;
    }
  pthread_mutex_unlock(&fake.lock);
  free(handle);
  return OK;
}
