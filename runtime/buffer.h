// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Buffers and who uses them; private to the runtime.
#ifndef GSRT_BUFFER_H
#define GSRT_BUFFER_H

#include "kernel.h"

/// An event that one launch recorded; its buffers share it.
typedef struct gsrt_event {
  void *handle;
  void *context;
  uint32_t references;
  struct gsrt_event *next; ///< in the pool
} gsrt_event;

/// The last use of a buffer in one stream. No use when `event` is NULL.
typedef struct gsrt_use {
  void *stream;
  gsrt_event *event;
} gsrt_use;

struct gsrt_buffer {
  uint64_t address;
  size_t bytes;
  void *context;
  int device;
  bool is_owned;
  bool is_captured; ///< a graph may use it
  bool is_copied;   ///< a copy by the host is under way, without the lock
  gsrt_use write;
  gsrt_use *reads; ///< since that write, one for each stream
  uint32_t read_count, read_capacity;
};

/// All functions below work under this lock: a launch and the record of its uses must
/// not be torn apart. Copies let go of it while they wait and mark the buffer instead.
void gsrt_buffers_lock(void);
void gsrt_buffers_unlock(void);
/// Waits, under the lock, until no copy of the buffer is under way. \returns true when
/// it had to wait: the lock was free meanwhile.
bool gsrt_buffer_settle(const gsrt_buffer *buffer);
/// Marks the start or the end of a copy, under the lock.
void gsrt_buffer_mark(gsrt_buffer *buffer, bool is_copied);
gsrt_stream_policy gsrt_get_stream_policy(void);

/// Makes `stream` wait for the uses in other streams that a use there must follow: the
/// last write, and for a write also the reads. \returns a driver's result.
int gsrt_uses_order(const gsrt_driver *driver, const gsrt_buffer *buffer, void *stream,
                    bool writes);
/// \returns true when such a use has not finished; with `anywhere`, in any stream.
bool gsrt_uses_pending(const gsrt_driver *driver, const gsrt_buffer *buffer, const void *stream,
                       bool writes, bool anywhere);
/// Blocks until the last write (and the reads) have finished. Needs no lock while the
/// buffer is marked.
int gsrt_uses_finish(const gsrt_driver *driver, gsrt_buffer *buffer, bool reads_too);
/// Notes a use that ends with `event`, and takes a reference on it.
/// \returns false when memory is short.
bool gsrt_uses_add(const gsrt_driver *driver, gsrt_buffer *buffer, void *stream, bool writes,
                   gsrt_event *event);
/// Drops all notes.
void gsrt_uses_clear(gsrt_buffer *buffer);

/// An event of the context, new or from the pool, with one reference; NULL on failure.
gsrt_event *gsrt_event_get(const gsrt_driver *driver, void *context);
void gsrt_event_put(gsrt_event *event);

#endif
