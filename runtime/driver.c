// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Looking the driver up, and what it says about devices and functions.
#include "driver.h"
#include "data.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEVICES = 64 };

static struct {
  pthread_once_t once;
  gsrt_driver driver;
  atomic_bool usable;
  char problem[200];
  pthread_mutex_t lock; ///< of filling the table below
  gsrt_device devices[MAX_DEVICES];
  atomic_bool known[MAX_DEVICES];
} found = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

// -------------------------------------------------------------------- lookup ----

/// A function pointer out of dlsym's object pointer: POSIX allows what C does not.
static void resolve(void *library, const char *name, void *slot) {
  void *symbol = dlsym(library, name);
  memcpy(slot, &symbol, sizeof symbol);
}

/// \returns the first required entry that is missing, or NULL.
static const char *fill(void *library, gsrt_driver *driver) {
  const char *missing = NULL;
#define GSRT_SYMBOL(field, name, version, required, parameters)                                    \
  resolve(library, name, &driver->field);                                                          \
  if (required && !driver->field && !missing)                                                      \
    missing = name " (driver " #version ")";
#include "driver_symbols.def"
#undef GSRT_SYMBOL
  return missing;
}

static void look_up(void) {
  // Kept open for the life of the process, as a linked driver would be.
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(found.problem, sizeof found.problem, "no CUDA driver: libcuda.so.1 cannot be loaded");
    return;
  }
  const char *missing = fill(library, &found.driver);
  if (missing) {
    snprintf(found.problem, sizeof found.problem, "the CUDA driver is too old: no %s", missing);
    return;
  }
  int error = found.driver.init(0);
  if (error == CU_OK)
    error = found.driver.device_get_count(&found.driver.device_count);
  if (error == CU_OK && found.driver.device_count == 0)
    error = CU_NO_DEVICE;
  if (error != CU_OK) {
    const char *name = NULL;
    found.driver.get_error_name(error, &name);
    snprintf(found.problem, sizeof found.problem, "the CUDA driver has no device: %s (%d)",
             name ? name : "?", error);
    return;
  }
  atomic_store_explicit(&found.usable, true, memory_order_release);
}

const gsrt_driver *gsrt_driver_get(void) {
  if (atomic_load_explicit(&found.usable, memory_order_acquire))
    return &found.driver;
  pthread_once(&found.once, look_up);
  if (atomic_load_explicit(&found.usable, memory_order_acquire))
    return &found.driver;
  gsrt_fail(GSRT_ERROR_NO_DRIVER, "%s", found.problem);
  return NULL;
}

gsrt_status gsrt_driver_failed(const gsrt_driver *driver, const char *what, int error) {
  const char *name = NULL;
  driver->get_error_name(error, &name);
  return gsrt_fail(GSRT_ERROR_DRIVER, "%s: %s (%d)", what, name ? name : "?", error);
}

// ------------------------------------------------------------------- devices ----

static uint32_t ask(const gsrt_driver *driver, int attribute, int device) {
  int value = 0;
  if (driver->device_get_attribute(&value, attribute, device) != CU_OK || value < 0)
    return 0;
  return (uint32_t)value;
}

static void query_device(const gsrt_driver *driver, int ordinal, gsrt_device *d) {
  char name[40] = "";
  size_t bytes = 0;
  memset(d, 0, sizeof *d);
  d->struct_size = sizeof *d;
  if (driver->device_get_name(name, (int)sizeof name, ordinal) == CU_OK)
    name[sizeof name - 1] = '\0';
  snprintf(d->name, sizeof d->name, "device %d (%s)", ordinal, name);
  d->cc =
      (int32_t)(ask(driver, CU_DEV_CC_MAJOR, ordinal) * 10 + ask(driver, CU_DEV_CC_MINOR, ordinal));
  d->warp_size = ask(driver, CU_DEV_WARP_SIZE, ordinal);
  if (d->warp_size == 0)
    d->warp_size = 32;
  d->max_threads_per_block = ask(driver, CU_DEV_MAX_THREADS_PER_BLOCK, ordinal);
  for (int i = 0; i < 3; i++) {
    d->max_block[i] = ask(driver, CU_DEV_MAX_BLOCK_X + i, ordinal);
    d->max_grid[i] = ask(driver, CU_DEV_MAX_GRID_X + i, ordinal);
  }
  d->smem_per_block = ask(driver, CU_DEV_SMEM_PER_BLOCK, ordinal);
  d->smem_per_block_optin = ask(driver, CU_DEV_SMEM_OPTIN, ordinal);
  d->smem_per_sm = ask(driver, CU_DEV_SMEM_PER_SM, ordinal);
  d->smem_reserved = ask(driver, CU_DEV_SMEM_RESERVED, ordinal);
  d->regs_per_block = ask(driver, CU_DEV_REGS_PER_BLOCK, ordinal);
  d->regs_per_sm = ask(driver, CU_DEV_REGS_PER_SM, ordinal);
  d->threads_per_sm = ask(driver, CU_DEV_THREADS_PER_SM, ordinal);
  d->blocks_per_sm = ask(driver, CU_DEV_BLOCKS_PER_SM, ordinal);
  d->sm_count = ask(driver, CU_DEV_SM_COUNT, ordinal);
  d->max_cluster = ask(driver, CU_DEV_CLUSTER, ordinal) ? 8 : 0; // portable
  d->cooperative = ask(driver, CU_DEV_COOPERATIVE, ordinal);
  if (driver->device_total_mem(&bytes, ordinal) == CU_OK)
    d->memory = bytes;
}

const gsrt_device *gsrt_device_of(const gsrt_driver *driver, int ordinal) {
  if (ordinal < 0 || ordinal >= MAX_DEVICES) {
    gsrt_fail(GSRT_ERROR_UNSUPPORTED, "device %d: the runtime knows %d devices", ordinal,
              MAX_DEVICES);
    return NULL;
  }
  if (!atomic_load_explicit(&found.known[ordinal], memory_order_acquire)) {
    pthread_mutex_lock(&found.lock);
    if (!atomic_load_explicit(&found.known[ordinal], memory_order_relaxed)) {
      query_device(driver, ordinal, &found.devices[ordinal]);
      atomic_store_explicit(&found.known[ordinal], true, memory_order_release);
    }
    pthread_mutex_unlock(&found.lock);
  }
  return &found.devices[ordinal];
}

// ----------------------------------------------------------------- functions ----

static uint32_t ask_function(const gsrt_driver *driver, int attribute, void *function) {
  int value = 0;
  if (driver->func_get_attribute(&value, attribute, function) != CU_OK || value < 0)
    return GSRT_UNKNOWN;
  return (uint32_t)value;
}

void gsrt_cu_config_from(const gsrt_config *config, gsrt_cu_attribute attributes[2],
                         gsrt_cu_config *out) {
  memset(attributes, 0, 2 * sizeof *attributes);
  memset(out, 0, sizeof *out);
  memcpy(out->grid, config->grid, sizeof out->grid);
  memcpy(out->block, config->block, sizeof out->block);
  out->dynamic_smem = config->dynamic_smem;
  out->stream = config->stream;
  out->attributes = attributes;
  if (config->cooperative) {
    attributes[out->attribute_count].id = CU_ATTR_COOPERATIVE;
    attributes[out->attribute_count++].value.cooperative = 1;
  }
  if (config->cluster[0] | config->cluster[1] | config->cluster[2]) {
    attributes[out->attribute_count].id = CU_ATTR_CLUSTER;
    memcpy(attributes[out->attribute_count++].value.cluster, config->cluster,
           sizeof config->cluster);
  }
}

/// Resident blocks and clusters, where the configuration makes them matter and is
/// sane enough to ask.
static void query_residency(const gsrt_driver *driver, const gsrt_device *device, void *function,
                            const gsrt_config *config, gsrt_function *out) {
  uint64_t threads = (uint64_t)config->block[0] * config->block[1] * config->block[2];
  uint32_t cluster[3];
  int count = 0;
  gsrt_cluster_of(config, out, cluster);
  if (threads == 0 || threads > device->max_threads_per_block)
    return;
  if (config->cooperative &&
      driver->occupancy_blocks(&count, function, (int)threads, config->dynamic_smem) == CU_OK)
    out->blocks_per_sm = (uint32_t)count;
  if (cluster[0] && cluster[1] && cluster[2] && driver->occupancy_clusters) {
    gsrt_cu_attribute attributes[2];
    gsrt_cu_config launch;
    gsrt_cu_config_from(config, attributes, &launch);
    if (driver->occupancy_clusters(&count, function, &launch) == CU_OK)
      out->resident_clusters = (uint32_t)count;
  }
}

void gsrt_function_query(const gsrt_driver *driver, const gsrt_device *device, void *function,
                         const gsrt_config *config, gsrt_function *out) {
  gsrt_function_from(NULL, out);
  out->max_threads = ask_function(driver, CU_FN_MAX_THREADS, function);
  out->static_smem = ask_function(driver, CU_FN_STATIC_SMEM, function);
  out->max_dynamic_smem = ask_function(driver, CU_FN_MAX_DYNAMIC_SMEM, function);
  out->registers = ask_function(driver, CU_FN_REGISTERS, function);
  out->local = ask_function(driver, CU_FN_LOCAL, function);
  for (int i = 0; i < 3 && device->max_cluster; i++) {
    uint32_t blocks = ask_function(driver, CU_FN_CLUSTER_X + i, function);
    out->required_cluster[i] = blocks == GSRT_UNKNOWN ? 0 : blocks;
  }
  uint32_t wide =
      device->max_cluster ? ask_function(driver, CU_FN_NON_PORTABLE_CLUSTER, function) : 0;
  out->non_portable_cluster = wide == GSRT_UNKNOWN ? 0 : wide;
  query_residency(driver, device, function, config, out);
}

// -------------------------------------------------------------------- memory ----

/// What cuMemGetAddressRange does not know: registered host memory, pointers
/// that are none.
static void look_by_attributes(const gsrt_driver *driver, int device, uint64_t address,
                               gsrt_allocation *out) {
  int attributes[] = {CU_PTR_MEMORY_TYPE, CU_PTR_RANGE_START, CU_PTR_RANGE_SIZE, CU_PTR_MAPPED};
  int type = 0, mapped = 0;
  uint64_t base = 0;
  size_t size = 0;
  void *data[] = {&type, &base, &size, &mapped};
  if (driver->pointer_get_attributes(4, attributes, data, address) != CU_OK)
    type = 0;
  if (type == CU_MEMORY_HOST || (type == CU_MEMORY_UNIFIED && mapped)) {
    out->kind = GSRT_MEMORY_SHARED;
    out->base = base;
    out->size = size;
  } else if (type == 0 && ask(driver, CU_DEV_PAGEABLE_ACCESS, device))
    out->kind = GSRT_MEMORY_PAGEABLE;
}

/// With several devices: whose memory it is, and whether this one may use it.
static void look_device(const gsrt_driver *driver, int device, uint64_t address,
                        gsrt_allocation *out) {
  int attributes[] = {CU_PTR_MEMORY_TYPE, CU_PTR_IS_MANAGED, CU_PTR_DEVICE_ORDINAL};
  int type = 0, managed = 0, flags = 0, can = 1;
  void *data[] = {&type, &managed, &out->device};
  if (driver->pointer_get_attributes(3, attributes, data, address) != CU_OK)
    return;
  if (type == CU_MEMORY_HOST || managed)
    out->kind = GSRT_MEMORY_SHARED;
  else if (out->device != device) {
    if (driver->pointer_get_attribute(&flags, CU_PTR_ACCESS_FLAGS, address) == CU_OK)
      out->reachable = flags != 0;
    else if (driver->device_can_access_peer(&can, device, out->device) == CU_OK)
      out->reachable = can != 0; // whether access is enabled, older drivers do not tell
  }
}

/// Memory that was mapped piece by piece (cuMemMap) is one range to a kernel, as
/// far as it lies in one reservation. Allocations that only happen to be neighbours
/// are not: neither cuMemAlloc's, whose "range" is the allocation itself, nor those
/// of one pool.
static void extend(const gsrt_driver *driver, uint64_t address, uint64_t end,
                   gsrt_allocation *out) {
  enum { MAX_PIECES = 65536 };
  int attributes[] = {CU_PTR_RANGE_START, CU_PTR_RANGE_SIZE, CU_PTR_MEMPOOL};
  uint64_t start = 0;
  size_t reserved = 0;
  void *pool = NULL, *data[] = {&start, &reserved, &pool};
  if (driver->pointer_get_attributes(3, attributes, data, address) != CU_OK || pool)
    return;
  if (end > start + reserved)
    end = start + reserved;
  for (int i = 0; i < MAX_PIECES && out->base + out->size < end; i++) {
    uint64_t base = 0, next = out->base + out->size;
    size_t size = 0;
    if (driver->mem_get_address_range(&base, &size, next) != CU_OK || base != next || size == 0)
      return;
    out->size += size;
  }
}

static void look(const gsrt_memory *memory, uint64_t address, uint64_t end, gsrt_allocation *out) {
  const gsrt_driver_memory *m = (const gsrt_driver_memory *)memory;
  const gsrt_driver *driver = m->driver;
  size_t size = 0;
  *out = (gsrt_allocation){.reachable = true, .device = memory->device};
  for (size_t i = 0; i < m->span_count; i++)
    if (address - m->spans[i].base < m->spans[i].size) {
      out->kind = GSRT_MEMORY_DEVICE;
      out->base = m->spans[i].base;
      out->size = m->spans[i].size;
      return;
    }
  if (driver->mem_get_address_range(&out->base, &size, address) != CU_OK) {
    look_by_attributes(driver, memory->device, address, out);
    return;
  }
  out->kind = GSRT_MEMORY_DEVICE;
  out->size = size;
  if (driver->device_count > 1)
    look_device(driver, memory->device, address, out);
  if (out->base + out->size < end)
    extend(driver, address, end, out);
}

static gsrt_fact_answer test(const gsrt_memory *memory, const gsrt_fact *fact,
                             gsrt_fact_break *out) {
  const gsrt_driver_memory *m = (const gsrt_driver_memory *)memory;
  return gsrt_data_test(m->driver, m->stream, fact, out);
}

void gsrt_driver_memory_init(gsrt_driver_memory *memory, const gsrt_driver *driver, int device,
                             void *stream) {
  memory->memory.look = look;
  memory->memory.test = gsrt_data_checked() ? test : NULL;
  memory->stream = stream;
  memory->memory.device = device;
  memory->driver = driver;
  memory->spans = NULL;
  memory->span_count = 0;
}
