// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels by the address of their stub. Look-ups, one for each launch, take no
/// lock: entries are only added, and neither entries nor outgrown tables nor
/// forgotten kernels are freed while the process lives.
#include "kernel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// A known address. `kernel` is NULL after the code was unloaded.
typedef struct known {
  const void *address;
  const void *stub; ///< of the kernel; differs from the address for an alias
  uint32_t uses;    ///< registrations of the kernel's contract that are still there
  _Atomic(gsrt_kernel *) kernel;
  struct known *next_known; ///< keeps everything reachable
  gsrt_kernel *retired;
} known;

/// Open addressing; a power of two, at most half full.
typedef struct table {
  size_t mask;
  struct table *outgrown;
  _Atomic(known *) slots[];
} table;

static struct {
  pthread_mutex_t lock; ///< of writers
  _Atomic(table *) table;
  known *all;
  size_t count;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t hash(const void *address) {
  return (size_t)(((uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
}

static known *find(const void *address) {
  const table *t = atomic_load_explicit(&registry.table, memory_order_acquire);
  if (!t)
    return NULL;
  for (size_t i = hash(address);; i++) {
    known *entry = atomic_load_explicit(&t->slots[i & t->mask], memory_order_acquire);
    if (!entry || entry->address == address)
      return entry;
  }
}

static void put(table *t, known *entry) {
  size_t i = hash(entry->address);
  while (atomic_load_explicit(&t->slots[i & t->mask], memory_order_relaxed))
    i++;
  atomic_store_explicit(&t->slots[i & t->mask], entry, memory_order_release);
}

static bool grow(void) {
  table *old = atomic_load_explicit(&registry.table, memory_order_relaxed);
  size_t size = old ? 2 * (old->mask + 1) : 64;
  table *larger = calloc(1, sizeof *larger + size * sizeof larger->slots[0]);
  if (!larger)
    return false;
  larger->mask = size - 1;
  larger->outgrown = old;
  for (known *k = registry.all; k; k = k->next_known)
    put(larger, k);
  atomic_store_explicit(&registry.table, larger, memory_order_release);
  return true;
}

/// Finds or makes the entry of an address. Under the lock.
static known *need(const void *address) {
  known *entry = find(address);
  const table *t = atomic_load_explicit(&registry.table, memory_order_relaxed);
  if (entry)
    return entry;
  if ((!t || 2 * (registry.count + 1) > t->mask + 1) && !grow())
    return NULL;
  entry = calloc(1, sizeof *entry);
  if (!entry)
    return NULL;
  entry->address = entry->stub = address;
  put(atomic_load_explicit(&registry.table, memory_order_relaxed), entry);
  entry->next_known = registry.all;
  registry.all = entry;
  registry.count++;
  return entry;
}

// ---------------------------------------------------------------- registration ----

static bool same_contract(const gsrt_kernel *kernel, const gs_descriptor_entry *entry) {
  return kernel->block && kernel->contract.header->size == entry->size &&
         memcmp(kernel->block, entry->descriptor, entry->size) == 0;
}

static gsrt_status add(const gs_descriptor_entry *entry) {
  gsrt_kernel *kernel = NULL;
  if (!entry->stub)
    return GSRT_OK; // an instance that is not in this program
  known *slot = need(entry->stub);
  if (!slot)
    return gsrt_fail(GSRT_ERROR_MEMORY, "out of memory");
  gsrt_kernel *old = atomic_load_explicit(&slot->kernel, memory_order_relaxed);
  if (old && same_contract(old, entry)) {
    slot->uses++;
    return GSRT_OK;
  }
  if (old)
    return gsrt_fail(GSRT_ERROR_DESCRIPTOR, "kernel '%s' is registered with two contracts",
                     old->name);
  gsrt_status status = gsrt_kernel_new(NULL, "?", entry->descriptor, entry->size, &kernel);
  if (status == GSRT_ERROR_DESCRIPTOR && gsrt_kernel_new(NULL, "?", NULL, 0, &kernel) == GSRT_OK)
    kernel->broken = true;
  slot->uses = 1;
  atomic_store_explicit(&slot->kernel, kernel, memory_order_release);
  return status;
}

gsrt_status gsrt_register(const gs_descriptor_entry *begin, const gs_descriptor_entry *end) {
  gsrt_status first = GSRT_OK;
  pthread_mutex_lock(&registry.lock);
  for (; begin < end; begin++) {
    gsrt_status status = add(begin);
    if (first == GSRT_OK)
      first = status;
  }
  pthread_mutex_unlock(&registry.lock);
  return first;
}

static void forget(known *entry) {
  gsrt_kernel *kernel = atomic_exchange_explicit(&entry->kernel, NULL, memory_order_acq_rel);
  // An alias shares its kernel with the stub, which retires it.
  if (kernel && entry->address == entry->stub) {
    kernel->next_retired = entry->retired;
    entry->retired = kernel;
  }
}

/// Another image may list the same kernel still, or this one may have lost it to a contract
/// that was there before.
static bool is_last(const gs_descriptor_entry *entry) {
  known *slot = find(entry->stub);
  const gsrt_kernel *kernel =
      slot ? atomic_load_explicit(&slot->kernel, memory_order_relaxed) : NULL;
  return kernel && (kernel->broken || (same_contract(kernel, entry) && --slot->uses == 0));
}

void gsrt_unregister(const gs_descriptor_entry *begin, const gs_descriptor_entry *end) {
  pthread_mutex_lock(&registry.lock);
  for (; begin < end; begin++)
    if (is_last(begin))
      for (known *k = registry.all; k; k = k->next_known)
        if (k->stub == begin->stub)
          forget(k);
  pthread_mutex_unlock(&registry.lock);
}

void gsrt_register_alias(const void *handle, const void *stub) {
  pthread_mutex_lock(&registry.lock);
  const known *target = find(stub);
  gsrt_kernel *kernel = target ? atomic_load_explicit(&target->kernel, memory_order_relaxed) : NULL;
  known *alias = kernel && handle != stub ? need(handle) : NULL;
  if (alias) {
    alias->stub = stub;
    atomic_store_explicit(&alias->kernel, kernel, memory_order_release);
  }
  pthread_mutex_unlock(&registry.lock);
}

// --------------------------------------------------------------------- launches ----

typedef struct finder {
  int (*get_function)(void **function, const void *stub);
  const void *stub;
} finder;

static void *find_function(void *user) {
  const finder *f = user;
  void *function = NULL;
  return f->get_function && f->get_function(&function, f->stub) == 0 ? function : NULL;
}

static gsrt_status check_kernel(gsrt_kernel *kernel, const gsrt_config *config,
                                const void *const *params, finder *f) {
  const gsrt_driver *driver = gsrt_driver_get();
  void *context = NULL;
  if (!driver)
    return GSRT_ERROR_NO_DRIVER;
  // The first launch of a program may be what creates the context: asking the CUDA
  // runtime for the function does it as well.
  if (driver->ctx_get_current(&context) == CU_OK && !context)
    find_function(f);
  gsrt_request request = {
      .kernel = kernel, .config = config, .params = params, .find = find_function, .user = f};
  return gsrt_check_launch(driver, &request);
}

gsrt_status gsrt_check_stub(const void *stub, const gsrt_config *config, const void *const *params,
                            int (*get_function)(void **function, const void *stub)) {
  const known *entry = find(stub);
  gsrt_kernel *kernel = entry ? atomic_load_explicit(&entry->kernel, memory_order_acquire) : NULL;
  if (!kernel || !gsrt_is_checked(kernel))
    return GSRT_OK;
  if (!gsrt_config_ok(config))
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "a gsrt_config without its size");
  if (kernel->broken) // an error of the build, but no launch may slip through
    return gsrt_broken_contract(kernel, config);
  finder f = {get_function, entry->stub};
  gsrt_status status = check_kernel(kernel, config, params, &f);
  if (status == GSRT_OK || status >= GSRT_FIRST_VIOLATION)
    return status;
  gsrt_count(GSRT_COUNT_UNCHECKED, 1);
  return GSRT_OK;
}
