// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The host's side of data_kernels.c. For debugging: every test waits for the device, and
/// one is made at a time.
#include "data.h"
#include "data_kernels.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA_UNSET = -1, THREADS = 256, MOST_BLOCKS = 4096 };
static const uint64_t none = UINT64_MAX; ///< what the kernels leave where they found nothing

enum { FILL, ORDER, RANGE, PAIRS, FIND, KERNELS };

/// The kernels as one context has them.
typedef struct loaded {
  struct loaded *next;
  void *context, *module;
  void *functions[KERNELS];
  uint64_t result; ///< device memory for one index
} loaded;

static struct {
  atomic_int wanted;
  pthread_mutex_t lock; ///< of the list, and of what its entries hold
  loaded *contexts;
} state = {.wanted = DATA_UNSET, .lock = PTHREAD_MUTEX_INITIALIZER};

// ------------------------------------------------------------------- switched on ----

bool gsrt_data_checked(void) {
  int wanted = atomic_load_explicit(&state.wanted, memory_order_relaxed);
  if (wanted == DATA_UNSET) {
    int read = gsrt_environment_switch("GPUSAFE_CHECK_DATA"), unset = DATA_UNSET;
    // What the program has set meanwhile stays.
    if (atomic_compare_exchange_strong(&state.wanted, &unset, read))
      return read;
    wanted = unset;
  }
  return wanted;
}

void gsrt_set_data_checks(int on) { atomic_store(&state.wanted, on != 0); }

// ----------------------------------------------------------------------- kernels ----

static int load(const gsrt_driver *driver, loaded *l) {
  static const char *const names[KERNELS] = {"gsrt_data_fill", "gsrt_data_order",
                                             "gsrt_data_range", "gsrt_data_pairs",
                                             "gsrt_data_find"};
  int error = gsrt_data_ptx[0] ? driver->module_load_data(&l->module, gsrt_data_ptx)
                               : CU_NOT_SUPPORTED;
  for (int i = 0; i < KERNELS && error == CU_OK; i++)
    error = driver->module_get_function(&l->functions[i], l->module, names[i]);
  if (error == CU_OK)
    error = driver->mem_alloc(&l->result, sizeof(uint64_t));
  if (error != CU_OK && l->module)
    driver->module_unload(l->module);
  return error;
}

/// The kernels of the current context. Under the lock. \returns NULL when there are none.
static loaded *find(const gsrt_driver *driver) {
  void *context = NULL;
  if (driver->ctx_get_current(&context) != CU_OK || !context)
    return NULL;
  for (loaded *l = state.contexts; l; l = l->next)
    if (l->context == context)
      return l;
  loaded *l = calloc(1, sizeof *l);
  if (!l || load(driver, l) != CU_OK) {
    free(l);
    return NULL;
  }
  l->context = context;
  l->next = state.contexts;
  state.contexts = l;
  return l;
}

/// A context that was destroyed may have left its address to another one, in which the
/// kernels are not loaded: forget them.
static void forget(loaded *gone) {
  for (loaded **l = &state.contexts; *l; l = &(*l)->next)
    if (*l == gone) {
      *l = gone->next;
      free(gone);
      return;
    }
}

// ---------------------------------------------------------------------- one test ----

typedef struct test {
  const gsrt_driver *driver;
  void *stream;
  const gsrt_fact *fact;
  loaded *kernels;
} test;

static int launch(const test *t, int kernel, uint64_t work, void **params) {
  uint64_t blocks = (work + THREADS - 1) / THREADS;
  gsrt_config config = gsrt_config_1d((uint32_t)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS),
                                      THREADS);
  config.stream = t->stream;
  return gsrt_make_launch(t->driver, t->kernels->functions[kernel], &config, params);
}

/// Runs a kernel that looks for an index.
static int search(const test *t, int kernel, void **params, uint64_t *found) {
  const gsrt_driver *d = t->driver;
  int error = d->memcpy_htod(t->kernels->result, &none, sizeof none, t->stream);
  if (error == CU_OK)
    error = launch(t, kernel, t->fact->count, params);
  if (error == CU_OK)
    error = d->memcpy_dtoh(found, t->kernels->result, sizeof *found, t->stream);
  int waited = d->stream_synchronize(t->stream); // also before `found` and `none` go away
  return error == CU_OK ? waited : error;
}

static int search_order(const test *t, uint64_t *found) {
  gsrt_fact f = *t->fact;
  uint32_t strict = f.op == GS_EXPR_STRICTLY_MONOTONE;
  void *params[] = {&f.address, &f.count, &f.type, &strict, &t->kernels->result};
  return search(t, ORDER, params, found);
}

static int search_range(const test *t, uint64_t *found) {
  gsrt_fact f = *t->fact;
  void *params[] = {&f.address, &f.count, &f.type, &f.low, &f.high, &t->kernels->result};
  return search(t, RANGE, params, found);
}

static int search_pairs(const test *t, uint64_t *found) {
  gsrt_fact f = *t->fact;
  uint64_t slots = 0, size = 64;
  while (size < 2 * f.count && size < UINT64_C(1) << 40)
    size *= 2;
  int error = t->driver->mem_alloc(&slots, size * sizeof slots);
  if (error != CU_OK)
    return error;
  void *fill[] = {&slots, &size};
  error = launch(t, FILL, size, fill);
  uint64_t mask = size - 1;
  void *params[] = {&f.address, &f.count, &f.type, &slots, &mask, &t->kernels->result};
  if (error == CU_OK)
    error = search(t, PAIRS, params, found);
  t->driver->mem_free(slots);
  return error;
}

/// The element that equals element `like`, and comes first.
static int search_equal(const test *t, uint64_t like, uint64_t *found) {
  gsrt_fact f = *t->fact;
  void *params[] = {&f.address, &f.count, &f.type, &like, &t->kernels->result};
  return search(t, FIND, params, found);
}

static int read_element(const test *t, uint64_t index, char text[40]) {
  uint32_t size = t->fact->type & 0xFF;
  union {
    uint64_t u;
    int64_t s;
    double d;
    float f;
  } as = {0};
  int error = t->driver->memcpy_dtoh(&as, t->fact->address + index * size, size, t->stream);
  int waited = t->driver->stream_synchronize(t->stream);
  if (error != CU_OK || waited != CU_OK)
    return error ? error : waited;
  if (t->fact->type & GSRT_DATA_FLOAT) {
    snprintf(text, 40, "%.9g", size == 4 ? (double)as.f : as.d);
  } else if (t->fact->type & GSRT_DATA_SIGNED) {
    unsigned unused = 64 - 8 * size;
    snprintf(text, 40, "%lld", (long long)((int64_t)(as.u << unused) >> unused));
  } else {
    snprintf(text, 40, "%llu", (unsigned long long)as.u);
  }
  return CU_OK;
}

static int run(const test *t, gsrt_fact_break *out) {
  int error;
  out->index = out->other = none;
  if (t->fact->op == GS_EXPR_IN_RANGE)
    error = search_range(t, &out->index);
  else if (t->fact->op == GS_EXPR_INJECTIVE)
    error = search_pairs(t, &out->index);
  else
    error = search_order(t, &out->index);
  if (error != CU_OK || out->index == none)
    return error;
  if (t->fact->op == GS_EXPR_INJECTIVE)
    error = search_equal(t, out->index, &out->other);
  else if (t->fact->op != GS_EXPR_IN_RANGE)
    out->other = out->index + 1;
  if (error == CU_OK)
    error = read_element(t, out->index, out->value);
  if (error == CU_OK && out->other != none)
    error = read_element(t, out->other, out->other_value);
  return error;
}

gsrt_fact_answer gsrt_data_test(const gsrt_driver *driver, void *stream, const gsrt_fact *fact,
                                gsrt_fact_break *out) {
  int capturing = 0, mode = CU_CAPTURE_RELAXED, error = CU_NOT_SUPPORTED;
  // In a capture the data of the later runs are not there yet.
  if (driver->stream_is_capturing(stream, &capturing) != CU_OK || capturing)
    return GSRT_FACT_UNTESTED;
  pthread_mutex_lock(&state.lock);
  driver->exchange_capture_mode(&mode); // another thread's capture is not disturbed
  test t = {driver, stream, fact, find(driver)};
  if (t.kernels)
    error = run(&t, out);
  if (t.kernels && error != CU_OK && error != CU_OUT_OF_MEMORY)
    forget(t.kernels);
  driver->exchange_capture_mode(&mode);
  pthread_mutex_unlock(&state.lock);
  return error != CU_OK        ? GSRT_FACT_UNTESTED
         : out->index == none ? GSRT_FACT_HOLDS
                               : GSRT_FACT_BROKEN;
}
