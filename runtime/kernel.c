// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The checked launch. What depends on the configuration alone is checked once for
/// each (kernel, context, configuration); clauses and claims about arguments always.
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------- kernels ----

/// Decodes the bytes of one program behind what `*used` instructions are already there.
/// Without memory for them it only counts.
static void decode(gsrt_kernel *kernel, uint32_t code, uint32_t size, uint32_t index,
                   gsrt_program *program, size_t *used, size_t room) {
  gs_insn *insns = kernel->insns ? kernel->insns + *used : NULL;
  size_t count = 0;
  if (size > 0)
    count = gs_bytecode_decode(kernel->contract.block + code, size, insns, room - *used);
  *program = (gsrt_program){insns, (uint32_t)count, index};
  *used += count;
}

static size_t decode_all(gsrt_kernel *kernel, size_t room) {
  static const unsigned kinds[3] = {GSRT_NEEDS_ARGUMENTS,
                                    GSRT_NEEDS_ARGUMENTS | GSRT_NEEDS_POINTERS, 0};
  const gs_descriptor *d = &kernel->contract;
  gsrt_program *next = kernel->programs;
  size_t used = 0;
  uint32_t ends[3];
  for (unsigned pass = 0; pass < 3; pass++) {
    for (uint32_t i = 0; i < d->header->clause_count; i++) {
      const gs_desc_clause_row *row = &d->clauses[i];
      if (gsrt_needs(d->block + row->code, row->code_size) == kinds[pass])
        decode(kernel, row->code, row->code_size, i, next++, &used, room);
    }
    ends[pass] = (uint32_t)(next - kernel->programs);
  }
  kernel->integer_count = ends[0];
  kernel->argument_count = ends[1];
  kernel->clause_count = ends[2];
  for (uint32_t i = 0; i < d->header->claim_count; i++)
    decode(kernel, d->claims[i].code, d->claims[i].code_size, i, next++, &used, room);
  return used;
}

/// \returns false when there are too many.
static bool add_scalar(gsrt_kernel *kernel, const gs_name *name) {
  gsrt_scalar scalar = {name->param, name->offset, (name->bits + 7) / 8};
  for (uint32_t i = 0; i < kernel->scalar_count; i++)
    if (memcmp(&kernel->scalars[i], &scalar, sizeof scalar) == 0)
      return true;
  if (kernel->scalar_count == GSRT_MAX_SCALARS)
    return false;
  kernel->scalars[kernel->scalar_count++] = scalar;
  return true;
}

/// Lists what the clauses over integer arguments read.
static void find_scalars(gsrt_kernel *kernel) {
  const gs_descriptor *d = &kernel->contract;
  kernel->has_scalars = true;
  for (uint32_t i = 0; i < kernel->integer_count; i++) {
    const gs_desc_clause_row *row = &d->clauses[kernel->programs[i].index];
    gs_name name;
    size_t at = 0;
    while (gs_bytecode_next_name(d->block + row->code, row->code_size, &at, &name))
      if (name.kind == GS_NAME_PARAM && !add_scalar(kernel, &name))
        kernel->has_scalars = false;
  }
}

static bool prepare(gsrt_kernel *kernel) {
  const gs_desc_header *h = kernel->contract.header;
  kernel->programs = calloc(h->clause_count + h->claim_count + 1, sizeof *kernel->programs);
  if (!kernel->programs)
    return false;
  size_t total = decode_all(kernel, 0);
  kernel->insns = malloc((total + 1) * sizeof *kernel->insns);
  if (kernel->insns) {
    decode_all(kernel, total);
    find_scalars(kernel);
  }
  return kernel->insns != NULL;
}

static void drop_contract(gsrt_kernel *kernel) {
  free(kernel->block);
  free(kernel->programs);
  free(kernel->insns);
  kernel->block = NULL;
  kernel->programs = NULL;
  kernel->integer_count = kernel->argument_count = kernel->clause_count = 0;
  kernel->scalar_count = 0;
  kernel->has_scalars = false;
  kernel->insns = NULL;
}

static bool copy_contract(gsrt_kernel *kernel, const void *descriptor, size_t size,
                          const char **problem) {
  kernel->block = malloc(size ? size : 1);
  if (!kernel->block)
    return false;
  memcpy(kernel->block, descriptor, size);
  if (gs_descriptor_open(kernel->block, size, &kernel->contract, problem) == GS_OK &&
      prepare(kernel)) {
    kernel->enforced = kernel->contract.header->assumptions & GS_DESC_CODEGEN;
    return true;
  }
  drop_contract(kernel);
  return false;
}

gsrt_status gsrt_kernel_new(void *function, const char *name, const void *descriptor, size_t size,
                            gsrt_kernel **out) {
  gsrt_kernel *kernel = calloc(1, sizeof *kernel);
  const char *problem = NULL;
  size_t length = strlen(name) + 1;
  *out = NULL;
  if (!kernel)
    return gsrt_fail(GSRT_ERROR_MEMORY, "out of memory");
  kernel->function = function;
  kernel->name = malloc(length);
  if (kernel->name)
    memcpy(kernel->name, name, length);
  if (!kernel->name || (descriptor && !copy_contract(kernel, descriptor, size, &problem))) {
    gsrt_kernel_free(kernel);
    return problem ? gsrt_fail(GSRT_ERROR_DESCRIPTOR, "the contract of '%s': %s", name, problem)
                   : gsrt_fail(GSRT_ERROR_MEMORY, "out of memory");
  }
  *out = kernel;
  return GSRT_OK;
}

void gsrt_kernel_free(gsrt_kernel *kernel) {
  if (!kernel)
    return;
  drop_contract(kernel);
  free(kernel->name);
  free(kernel);
}

gsrt_status gsrt_kernel_wrap(void *function, const void *descriptor, size_t size,
                             gsrt_kernel **out) {
  if (!out || !function)
    return gsrt_fail(GSRT_ERROR_ARGUMENT,
                     "gsrt_kernel_wrap: no function, or no place for the result");
  return gsrt_kernel_new(function, "?", descriptor, size, out);
}

gsrt_status gsrt_kernel_attach(gsrt_kernel *kernel, const void *descriptor, size_t size) {
  const char *problem = NULL;
  if (!kernel || !descriptor)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "gsrt_kernel_attach: no kernel or no contract");
  if (kernel->block)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "'%s' has a contract already", kernel->name);
  if (copy_contract(kernel, descriptor, size, &problem)) {
    memset(kernel->cache, 0, sizeof kernel->cache);
    return GSRT_OK;
  }
  return problem
             ? gsrt_fail(GSRT_ERROR_DESCRIPTOR, "the contract of '%s': %s", kernel->name, problem)
             : gsrt_fail(GSRT_ERROR_MEMORY, "out of memory");
}

int gsrt_kernel_has_contract(const gsrt_kernel *kernel) { return kernel && kernel->block; }

gsrt_status gsrt_kernel_allow_smem(gsrt_kernel *kernel, uint32_t bytes) {
  const gsrt_driver *driver = gsrt_driver_get();
  if (!kernel || bytes > INT32_MAX)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "gsrt_kernel_allow_smem: no kernel, or too many bytes");
  if (!driver)
    return GSRT_ERROR_NO_DRIVER;
  int error = driver->func_set_attribute(kernel->function, CU_FN_MAX_DYNAMIC_SMEM, (int)bytes);
  return error == CU_OK ? GSRT_OK : gsrt_driver_failed(driver, "cuFuncSetAttribute", error);
}

// --------------------------------------------------------------------- cache ----

static void make_key(const void *context, const gsrt_config *c, uint64_t key[GSRT_CACHE_KEY]) {
  key[0] = (uint64_t)(uintptr_t)context;
  key[1] = c->grid[0] | (uint64_t)c->grid[1] << 32;
  key[2] = c->grid[2] | (uint64_t)c->block[0] << 32;
  key[3] = c->block[1] | (uint64_t)c->block[2] << 32;
  key[4] = c->cluster[0] | (uint64_t)c->cluster[1] << 32;
  key[5] = c->cluster[2] | (uint64_t)c->dynamic_smem << 32;
  // The last word is never 0, so an empty slot matches nothing.
  key[6] = c->cooperative + UINT64_C(1);
}

static gsrt_cache_slot *slot_of(gsrt_kernel *kernel, const uint64_t key[GSRT_CACHE_KEY]) {
  // Products that do not wait for one another; grids and blocks differ most.
  uint64_t hash = (key[0] >> 4) * UINT64_C(0x9E3779B97F4A7C15) +
                  key[1] * UINT64_C(0xC2B2AE3D27D4EB4F) + key[2] * UINT64_C(0x165667B19E3779F9) +
                  key[3] * UINT64_C(0xD6E8FEB86659FD93) + key[5] * UINT64_C(0xA0761D6478BD642F) +
                  key[4] + key[6];
  return &kernel->cache[hash >> 61];
}

/// What the cache keeps beside the key.
typedef struct cached {
  const gsrt_device *device; ///< in the driver's table, which stays
  int ordinal;
  uint32_t cluster[3]; ///< effective
  bool has_scalars;
  uint64_t scalars[GSRT_MAX_SCALARS]; ///< of the last launch that kept the contract
} cached;

static bool look_up(gsrt_cache_slot *slot, const uint64_t key[GSRT_CACHE_KEY], cached *out) {
  unsigned turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
  uint64_t words[GSRT_CACHE_WORDS], difference = turn & 1;
  for (unsigned i = 0; i < GSRT_CACHE_WORDS; i++)
    words[i] = atomic_load_explicit(&slot->words[i], memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  if (atomic_load_explicit(&slot->turn, memory_order_relaxed) != turn)
    return false;
  for (unsigned i = 0; i < GSRT_CACHE_KEY; i++)
    difference |= words[i] ^ key[i];
  out->device = (const gsrt_device *)(uintptr_t)words[7];
  out->cluster[0] = (uint32_t)words[8];
  out->cluster[1] = (uint32_t)(words[8] >> 32);
  out->cluster[2] = (uint32_t)words[9];
  out->ordinal = (int)(words[9] >> 32);
  out->has_scalars = words[10];
  memcpy(out->scalars, words + 11, sizeof out->scalars);
  return difference == 0;
}

static void store(gsrt_cache_slot *slot, const uint64_t key[GSRT_CACHE_KEY], const cached *entry) {
  unsigned turn = atomic_load_explicit(&slot->turn, memory_order_relaxed);
  uint64_t words[GSRT_CACHE_WORDS];
  // Another writer is at work: let it, the next launch will try again.
  if ((turn & 1) || !atomic_compare_exchange_strong_explicit(
                        &slot->turn, &turn, turn + 1, memory_order_acquire, memory_order_relaxed))
    return;
  atomic_thread_fence(memory_order_release);
  memcpy(words, key, GSRT_CACHE_KEY * sizeof *key);
  words[7] = (uint64_t)(uintptr_t)entry->device;
  words[8] = entry->cluster[0] | (uint64_t)entry->cluster[1] << 32;
  words[9] = entry->cluster[2] | (uint64_t)(uint32_t)entry->ordinal << 32;
  words[10] = entry->has_scalars;
  memcpy(words + 11, entry->scalars, sizeof entry->scalars);
  for (unsigned i = 0; i < GSRT_CACHE_WORDS; i++)
    atomic_store_explicit(&slot->words[i], words[i], memory_order_relaxed);
  atomic_store_explicit(&slot->turn, turn + 2, memory_order_release);
}

// -------------------------------------------------------------------- launch ----

/// One launch under way.
typedef struct launch {
  const gsrt_driver *driver;
  const gsrt_request *request;
  gsrt_kernel *kernel; ///< of the request
  void *context;
  cached known;
  gsrt_function function;
  gsrt_driver_memory memory;
  gsrt_check check;
} launch;

static void begin(launch *l) {
  const gs_descriptor *contract = l->kernel->block ? &l->kernel->contract : NULL;
  gsrt_check_init(&l->check, contract, l->known.device, &l->function, l->request->config,
                  l->request->params);
  gsrt_driver_memory_init(&l->memory, l->driver, l->known.ordinal, l->request->config->stream);
  l->memory.spans = l->request->spans;
  l->memory.span_count = l->request->span_count;
  l->check.memory = &l->memory.memory;
  l->check.counts = l->kernel->programs ? l->kernel->programs + l->kernel->clause_count : NULL;
  if (!contract || !l->check.kernel[0])
    l->check.kernel = l->kernel->name;
}

static void check_programs(launch *l, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++)
    gsrt_check_program(&l->check, &l->kernel->programs[i]);
}

static void check_stream(launch *l) {
  void *stream = l->request->config->stream, *context = NULL;
  // The default streams belong to whatever context is current.
  if ((uintptr_t)stream <= CU_STREAM_PER_THREAD_HANDLE)
    return;
  if (l->driver->stream_get_ctx(stream, &context) == CU_OK && context != l->context)
    gsrt_violate(&l->check, GSRT_STREAM_CONTEXT, NULL,
                 "the stream belongs to another context than the one that is current");
}

/// A configuration that is new for this kernel and context.
static gsrt_status check_new(launch *l) {
  const gsrt_request *r = l->request;
  int error = l->driver->ctx_get_device(&l->known.ordinal);
  if (error != CU_OK)
    return gsrt_driver_failed(l->driver, "cuCtxGetDevice", error);
  l->known.device = gsrt_device_of(l->driver, l->known.ordinal);
  if (!l->known.device)
    return GSRT_ERROR_UNSUPPORTED;
  void *function = r->find ? r->find(r->user) : l->kernel->function;
  gsrt_function_from(l->kernel->block ? &l->kernel->contract : NULL, &l->function);
  if (function)
    gsrt_function_query(l->driver, l->known.device, function, r->config, &l->function);
  gsrt_cluster_of(r->config, &l->function, l->known.cluster);
  begin(l);
  gsrt_check_limits(&l->check);
  check_programs(l, l->kernel->argument_count, l->kernel->clause_count);
  return GSRT_OK;
}

/// A configuration seen before.
static void check_known(launch *l) {
  memcpy(l->function.required_cluster, l->known.cluster, sizeof l->known.cluster);
  begin(l);
}

/// Reads what the clauses over integer arguments hang on. \returns false when that is too
/// much, or not there.
static bool read_scalars(const gsrt_kernel *kernel, const void *const *params,
                         uint64_t out[GSRT_MAX_SCALARS]) {
  memset(out, 0, GSRT_MAX_SCALARS * sizeof *out);
  if (!kernel->has_scalars || !params)
    return false;
  for (uint32_t i = 0; i < kernel->scalar_count; i++) {
    const gsrt_scalar *scalar = &kernel->scalars[i];
    if (!params[scalar->param])
      return false;
    const char *at = (const char *)params[scalar->param] + scalar->offset;
    if (scalar->size == 4) { // nearly always
      uint32_t word;
      memcpy(&word, at, sizeof word);
      out[i] = word;
    } else {
      memcpy(&out[i], at, scalar->size);
    }
  }
  return true;
}

/// Evaluates the clauses over integer arguments, and remembers what was found valid.
static void check_integers(launch *l, gsrt_cache_slot *slot, const uint64_t key[GSRT_CACHE_KEY],
                           bool hit, const uint64_t *scalars) {
  bool is_valid = l->check.violations == 0; // so far: the configuration
  check_programs(l, 0, l->kernel->integer_count);
  bool keeps = scalars && l->check.violations == 0;
  if (!hit)
    memset(l->known.scalars, 0, sizeof l->known.scalars);
  if (keeps)
    memcpy(l->known.scalars, scalars, sizeof l->known.scalars);
  l->known.has_scalars = keeps || (hit && l->known.has_scalars);
  if (is_valid && (!hit || keeps))
    store(slot, key, &l->known);
}

gsrt_status gsrt_check_launch(const gsrt_driver *driver, const gsrt_request *request) {
  uint64_t scalars[GSRT_MAX_SCALARS];
  launch l;
  uint64_t key[GSRT_CACHE_KEY];
  l.driver = driver;
  l.request = request;
  l.kernel = request->kernel;
  l.context = NULL;
  int error = driver->ctx_get_current(&l.context);
  if (error != CU_OK || !l.context)
    return gsrt_driver_failed(driver, "a launch without a current context",
                              error ? error : CU_INVALID_CONTEXT);
  make_key(l.context, request->config, key);
  gsrt_cache_slot *slot = slot_of(l.kernel, key);
  bool hit = look_up(slot, key, &l.known);
  gsrt_status status = GSRT_OK;
  if (hit)
    check_known(&l);
  else
    status = check_new(&l);
  if (status != GSRT_OK)
    return status;
  gsrt_count(hit ? GSRT_COUNT_HITS : GSRT_COUNT_NEW, 1);
  bool read = read_scalars(l.kernel, request->params, scalars);
  bool same = hit && read && l.known.has_scalars &&
              memcmp(scalars, l.known.scalars, sizeof scalars) == 0;
  if (!same)
    check_integers(&l, slot, key, hit, read ? scalars : NULL);
  check_programs(&l, l.kernel->integer_count, l.kernel->argument_count);
  if (l.kernel->block)
    gsrt_check_claims(&l.check);
  check_stream(&l);
  return gsrt_apply_policy(&l.check);
}

gsrt_status gsrt_broken_contract(gsrt_kernel *kernel, const gsrt_config *config) {
  gsrt_check check = {.kernel = kernel->name, .config = config};
  gsrt_violate(&check, GSRT_ERROR_DESCRIPTOR, NULL, "its contract descriptor is malformed");
  return gsrt_apply_policy(&check);
}

gsrt_status gsrt_usable(const gsrt_kernel *kernel, const gsrt_config *config,
                        const void *const *params, const gsrt_driver **driver) {
  if (!kernel || !gsrt_config_ok(config))
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "a launch without a kernel, or a gsrt_config without "
                                          "its size");
  if (!params && kernel->block && kernel->contract.header->param_count > 0)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "a launch of '%s' without its arguments", kernel->name);
  *driver = gsrt_driver_get();
  return *driver ? GSRT_OK : GSRT_ERROR_NO_DRIVER;
}

gsrt_status gsrt_launch_check(gsrt_kernel *kernel, const gsrt_config *config,
                              const void *const *params) {
  const gsrt_driver *driver = NULL;
  gsrt_status status = gsrt_usable(kernel, config, params, &driver);
  if (status != GSRT_OK || !gsrt_is_checked(kernel))
    return status;
  gsrt_request request = {.kernel = kernel, .config = config, .params = params};
  return gsrt_check_launch(driver, &request);
}

int gsrt_make_launch(const gsrt_driver *driver, void *function, const gsrt_config *c,
                     void **params) {
  if (!(c->cluster[0] | c->cluster[1] | c->cluster[2])) {
    if (c->cooperative)
      return driver->launch_cooperative(function, c->grid[0], c->grid[1], c->grid[2], c->block[0],
                                        c->block[1], c->block[2], c->dynamic_smem, c->stream,
                                        params);
    return driver->launch_kernel(function, c->grid[0], c->grid[1], c->grid[2], c->block[0],
                                 c->block[1], c->block[2], c->dynamic_smem, c->stream, params,
                                 NULL);
  }
  gsrt_cu_attribute attributes[2];
  gsrt_cu_config launch;
  if (!driver->launch_kernel_ex)
    return CU_NOT_SUPPORTED; // clusters came with 11.8
  gsrt_cu_config_from(c, attributes, &launch);
  return driver->launch_kernel_ex(&launch, function, params, NULL);
}

gsrt_status gsrt_launch(gsrt_kernel *kernel, const gsrt_config *config, void **params) {
  const gsrt_driver *driver = NULL;
  gsrt_status status = gsrt_launch_check(kernel, config, (const void *const *)params);
  if (status != GSRT_OK)
    return status;
  driver = gsrt_driver_get();
  int error = gsrt_make_launch(driver, kernel->function, config, params);
  return error == CU_OK ? GSRT_OK : gsrt_driver_failed(driver, "cuLaunchKernel", error);
}
