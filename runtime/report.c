// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Policy, reports, log and counters: the runtime's process-wide state.
#include "rt_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024, LOG_SIZE = 4096, POLICY_UNSET = -1 };

static struct {
  atomic_int policy;
  _Atomic uint64_t counters[GSRT_COUNTERS];
  pthread_once_t once;
  pthread_mutex_t lock; ///< of what follows
  gsrt_callback callback;
  void *user;
  FILE *log;
} state = {.policy = POLICY_UNSET, .once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local char last_message[MESSAGE_SIZE];

// ------------------------------------------------------------- environment ----

static int policy_from(const char *text) {
  static const char *const names[] = {"error", "warn", "abort", "off"};
  for (int i = 0; i < 4; i++)
    if (strcmp(text, names[i]) == 0)
      return i;
  fprintf(stderr, "gpusafe: GPUSAFE_POLICY='%s' is none of error, warn, abort, off; taking error\n",
          text);
  return GSRT_POLICY_ERROR;
}

static void read_environment(void) {
  const char *policy = getenv("GPUSAFE_POLICY"), *log = getenv("GPUSAFE_LOG");
  int unset = POLICY_UNSET;
  if (log && *log) {
    state.log = fopen(log, "a");
    if (!state.log)
      fprintf(stderr, "gpusafe: cannot open GPUSAFE_LOG='%s'\n", log);
  }
  // A policy that the program has set already stays.
  atomic_compare_exchange_strong(&state.policy, &unset,
                                 policy && *policy ? policy_from(policy) : GSRT_POLICY_ERROR);
}

static void initialise(void) { pthread_once(&state.once, read_environment); }

bool gsrt_environment_switch(const char *name) {
  const char *text = getenv(name);
  if (!text || !*text || strcmp(text, "0") == 0 || strcmp(text, "off") == 0)
    return false;
  if (strcmp(text, "1") != 0 && strcmp(text, "on") != 0)
    fprintf(stderr, "gpusafe: %s='%s' is neither 1 nor 0; taking 1\n", name, text);
  return true;
}

void gsrt_set_policy(gsrt_policy policy) {
  initialise();
  if (policy >= GSRT_POLICY_ERROR && policy <= GSRT_POLICY_OFF)
    atomic_store(&state.policy, (int)policy);
}

gsrt_policy gsrt_get_policy(void) {
  int policy = atomic_load_explicit(&state.policy, memory_order_relaxed);
  if (policy == POLICY_UNSET) {
    initialise();
    policy = atomic_load(&state.policy);
  }
  return (gsrt_policy)policy;
}

void gsrt_set_callback(gsrt_callback callback, void *user) {
  initialise();
  pthread_mutex_lock(&state.lock);
  state.callback = callback;
  state.user = user;
  pthread_mutex_unlock(&state.lock);
}

gsrt_status gsrt_set_log(const char *path) {
  FILE *log = path ? fopen(path, "a") : NULL;
  initialise();
  if (path && !log)
    return gsrt_fail(GSRT_ERROR_NOT_FOUND, "cannot open '%s' for the log", path);
  pthread_mutex_lock(&state.lock);
  FILE *old = state.log;
  state.log = log;
  pthread_mutex_unlock(&state.lock);
  if (old)
    fclose(old);
  return GSRT_OK;
}

// ------------------------------------------------------------------ counters ----

void gsrt_count(gsrt_counter counter, uint32_t more) {
  if (more)
    atomic_fetch_add_explicit(&state.counters[counter], more, memory_order_relaxed);
}

void gsrt_get_counters(gsrt_counters *counters) {
  gsrt_counters all = {.struct_size = sizeof all};
  if (!counters)
    return;
  all.cache_hits = atomic_load(&state.counters[GSRT_COUNT_HITS]);
  all.launches = all.cache_hits + atomic_load(&state.counters[GSRT_COUNT_NEW]);
  all.violations = atomic_load(&state.counters[GSRT_COUNT_VIOLATIONS]);
  all.refused = atomic_load(&state.counters[GSRT_COUNT_REFUSED]);
  all.pointers = atomic_load(&state.counters[GSRT_COUNT_POINTERS]);
  all.unchecked = atomic_load(&state.counters[GSRT_COUNT_UNCHECKED]);
  size_t size = counters->struct_size;
  if (size > sizeof all || size == 0) // 0: not filled in
    size = sizeof all;
  memcpy(counters, &all, size);
  counters->struct_size = size;
}

// ------------------------------------------------------------------- reports ----

const char *gsrt_last_message(void) { return last_message; }

gsrt_status gsrt_fail(gsrt_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_message, sizeof last_message, format, arguments);
  va_end(arguments);
  return status;
}

/// Appends to a text of LOG_SIZE, cutting what does not fit.
static void add(char *line, size_t *length, const char *format, ...) GSRT_PRINTF_LIKE(3, 4);
static void add(char *line, size_t *length, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(line + *length, LOG_SIZE - *length, format, arguments);
  va_end(arguments);
  if (n > 0)
    *length += (size_t)n < LOG_SIZE - *length ? (size_t)n : LOG_SIZE - *length - 1;
}

/// A JSON string (RFC 8259). A text has a fixed share of the line, so that the
/// line stays whole.
static void add_text(char *line, size_t *length, const char *key, const char *text) {
  add(line, length, ",\"%s\":\"", key);
  for (unsigned i = 0; text[i] && i < MESSAGE_SIZE; i++) {
    unsigned char c = (unsigned char)text[i];
    if (*length > LOG_SIZE - 512)
      break;
    if (c == '"' || c == '\\')
      add(line, length, "\\%c", c);
    else if (c < 0x20)
      add(line, length, "\\u%04x", c);
    else
      add(line, length, "%c", c);
  }
  add(line, length, "\"");
}

static void write_log(FILE *log, const gsrt_violation *v) {
  char line[LOG_SIZE];
  size_t n = 0;
  add(line, &n, "{\"version\":1,\"number\":%d", (int)v->code);
  add_text(line, &n, "code", gsrt_status_name(v->code));
  add(line, &n, ",\"line\":%u,\"column\":%u", v->line, v->column);
  add(line, &n, ",\"grid\":[%u,%u,%u]", v->grid[0], v->grid[1], v->grid[2]);
  add(line, &n, ",\"block\":[%u,%u,%u]", v->block[0], v->block[1], v->block[2]);
  add(line, &n, ",\"cluster\":[%u,%u,%u]", v->cluster[0], v->cluster[1], v->cluster[2]);
  add(line, &n, ",\"dynamic_smem\":%u", v->dynamic_smem);
  add_text(line, &n, "kernel", v->kernel);
  add_text(line, &n, "file", v->file);
  add_text(line, &n, "clause", v->clause);
  add_text(line, &n, "message", v->message);
  add(line, &n, "}\n");
  fwrite(line, 1, n, log);
  fflush(log);
}

/// The callback runs without the lock, so that it may call the runtime.
static void deliver(const gsrt_violation *violation, bool silent) {
  initialise();
  pthread_mutex_lock(&state.lock);
  gsrt_callback callback = state.callback;
  void *user = state.user;
  if (state.log && !silent)
    write_log(state.log, violation);
  pthread_mutex_unlock(&state.lock);
  if (callback)
    callback(user, violation);
  else if (!silent)
    fprintf(stderr, "%s\n", violation->message);
}

void gsrt_violate(gsrt_check *check, gsrt_status code, const gsrt_place *place, const char *format,
                  ...) {
  char text[MESSAGE_SIZE - 360], where[192] = "", kernel[80] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  check->violations++;
  if (check->violations == 1)
    check->first = code;
  if (place && place->file[0] && place->line)
    snprintf(where, sizeof where, "%s:%u:%u: ", place->file, place->line, place->column);
  char message[MESSAGE_SIZE];
  if (check->kernel[0])
    snprintf(kernel, sizeof kernel, "kernel '%.60s': ", check->kernel);
  snprintf(message, sizeof message, "%sgpusafe: %s%s [%s]", where, kernel, text,
           gsrt_status_name(code));
  if (check->violations == 1)
    memcpy(last_message, message, sizeof message);
  const gsrt_config *c = check->config;
  gsrt_violation v = {.struct_size = sizeof v, .code = code, .kernel = check->kernel};
  v.file = place ? place->file : "";
  v.line = place ? place->line : 0;
  v.column = place ? place->column : 0;
  v.clause = place ? place->clause : "";
  v.message = message;
  memcpy(v.grid, c->grid, sizeof v.grid);
  memcpy(v.block, c->block, sizeof v.block);
  memcpy(v.cluster, c->cluster, sizeof v.cluster);
  v.dynamic_smem = c->dynamic_smem;
  deliver(&v, check->silent);
}

gsrt_status gsrt_apply_policy(const gsrt_check *check) {
  gsrt_count(GSRT_COUNT_UNCHECKED, check->unchecked);
  gsrt_count(GSRT_COUNT_POINTERS, check->pointers);
  if (check->violations == 0)
    return GSRT_OK;
  gsrt_count(GSRT_COUNT_VIOLATIONS, check->violations);
  gsrt_policy policy = gsrt_get_policy();
  if (policy == GSRT_POLICY_ABORT)
    abort();
  bool enforced = check->contract && (check->contract->header->assumptions & GS_DESC_CODEGEN);
  if (policy == GSRT_POLICY_WARN && !enforced)
    return GSRT_OK;
  gsrt_count(GSRT_COUNT_REFUSED, 1);
  return check->first;
}
