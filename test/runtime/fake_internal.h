// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The state of the stand-in driver, which its parts share.
#ifndef FAKE_INTERNAL_H
#define FAKE_INTERNAL_H

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
enum { MAX_ENTRIES = 8, MAX_MEMORY = 64, MAX_DEVICES = 4, MAX_NAMES = 64 };

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
  fake_kernel kernel[MAX_ENTRIES + 1];
  char names[MAX_ENTRIES][64];
  struct module *next; ///< of all that are loaded
} module;

typedef struct fake_state {
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
} fake_state;
extern fake_state fake;
extern _Thread_local int current; ///< device of the current context; -1: none

typedef void fake_body(void **params);
/// The function that stands for one of the runtime's own kernels; NULL when it is none.
fake_body *fake_data_body(const char *name);

/// Counts a call. \returns the failure asked for.
int fake_enter(const char *name);
/// The default streams have no object: they are never held.
static inline stream *as_stream(void *handle) { return (uintptr_t)handle <= 2 ? NULL : handle; }

#ifdef FAKE_QUIET // for timing what calls it
#define ENTER() (void)0
#else
#define ENTER()                                                                                    \
  do {                                                                                             \
    int failed_ = fake_enter(__func__);                                                            \
    if (failed_)                                                                                   \
      return failed_;                                                                              \
  } while (0)
#endif

#endif
