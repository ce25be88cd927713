// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which launches use a buffer, and waiting for them.
#include "buffer.h"

#include <pthread.h>
#include <stdlib.h>

static struct {
  pthread_mutex_t lock;
  pthread_cond_t settled; ///< some copy has ended
  gsrt_event *pool;       ///< events that nobody refers to; reused, never destroyed
  atomic_int policy;
} buffers = {.lock = PTHREAD_MUTEX_INITIALIZER, .settled = PTHREAD_COND_INITIALIZER};

void gsrt_buffers_lock(void) { pthread_mutex_lock(&buffers.lock); }
void gsrt_buffers_unlock(void) { pthread_mutex_unlock(&buffers.lock); }

bool gsrt_buffer_settle(const gsrt_buffer *buffer) {
  bool waited = buffer->is_copied;
  while (buffer->is_copied)
    pthread_cond_wait(&buffers.settled, &buffers.lock);
  return waited;
}

void gsrt_buffer_mark(gsrt_buffer *buffer, bool is_copied) {
  buffer->is_copied = is_copied;
  if (!is_copied)
    pthread_cond_broadcast(&buffers.settled);
}

void gsrt_set_stream_policy(gsrt_stream_policy policy) {
  if (policy == GSRT_STREAMS_WAIT || policy == GSRT_STREAMS_REFUSE)
    atomic_store(&buffers.policy, (int)policy);
}

gsrt_stream_policy gsrt_get_stream_policy(void) {
  return (gsrt_stream_policy)atomic_load(&buffers.policy);
}

// ---------------------------------------------------------------------- events ----

/// Some thread may be capturing in the global mode, in which even harmless calls spoil
/// the capture unless this thread says that it knows (CUDA driver API,
/// cuThreadExchangeStreamCaptureMode).
static bool is_ready(const gsrt_driver *driver, const gsrt_event *event) {
  int mode = CU_CAPTURE_RELAXED;
  driver->exchange_capture_mode(&mode);
  int error = driver->event_query(event->handle);
  driver->exchange_capture_mode(&mode);
  return error != CU_NOT_READY;
}

static int create(const gsrt_driver *driver, gsrt_event *event) {
  int mode = CU_CAPTURE_RELAXED;
  driver->exchange_capture_mode(&mode);
  int error = driver->event_create(&event->handle, CU_EVENT_NO_TIMING);
  driver->exchange_capture_mode(&mode);
  return error;
}

gsrt_event *gsrt_event_get(const gsrt_driver *driver, void *context) {
  for (gsrt_event **slot = &buffers.pool; *slot; slot = &(*slot)->next)
    if ((*slot)->context == context) {
      gsrt_event *event = *slot;
      *slot = event->next;
      event->references = 1;
      return event;
    }
  gsrt_event *event = calloc(1, sizeof *event);
  if (event && create(driver, event) != CU_OK) {
    free(event);
    return NULL;
  }
  if (event) {
    event->context = context;
    event->references = 1;
  }
  return event;
}

void gsrt_event_put(gsrt_event *event) {
  if (!event || --event->references > 0)
    return;
  event->next = buffers.pool;
  buffers.pool = event;
}

// ------------------------------------------------------------------------ uses ----

static void drop(gsrt_use *use) {
  gsrt_event_put(use->event);
  use->event = NULL;
}

/// Work in one stream is ordered already. The per-thread stream's handle means another
/// stream in each thread.
static bool is_same_stream(const gsrt_use *use, const void *stream) {
  return use->stream == stream && (uintptr_t)stream != CU_STREAM_PER_THREAD_HANDLE;
}

static int order(const gsrt_driver *driver, const gsrt_use *use, void *stream) {
  if (!use->event || is_same_stream(use, stream))
    return CU_OK;
  return driver->stream_wait_event(stream, use->event->handle, 0);
}

int gsrt_uses_order(const gsrt_driver *driver, const gsrt_buffer *buffer, void *stream,
                    bool writes) {
  int error = order(driver, &buffer->write, stream);
  for (uint32_t i = 0; writes && error == CU_OK && i < buffer->read_count; i++)
    error = order(driver, &buffer->reads[i], stream);
  return error;
}

static bool is_pending(const gsrt_driver *driver, const gsrt_use *use, const void *stream,
                       bool anywhere) {
  if (!use->event || (!anywhere && is_same_stream(use, stream)))
    return false;
  return !is_ready(driver, use->event);
}

bool gsrt_uses_pending(const gsrt_driver *driver, const gsrt_buffer *buffer, const void *stream,
                       bool writes, bool anywhere) {
  bool pending = is_pending(driver, &buffer->write, stream, anywhere);
  for (uint32_t i = 0; writes && !pending && i < buffer->read_count; i++)
    pending = is_pending(driver, &buffer->reads[i], stream, anywhere);
  return pending;
}

int gsrt_uses_finish(const gsrt_driver *driver, gsrt_buffer *buffer, bool reads_too) {
  int error = CU_OK;
  if (buffer->write.event)
    error = driver->event_synchronize(buffer->write.event->handle);
  for (uint32_t i = 0; reads_too && error == CU_OK && i < buffer->read_count; i++)
    error = driver->event_synchronize(buffer->reads[i].event->handle);
  return error;
}

void gsrt_uses_clear(gsrt_buffer *buffer) {
  drop(&buffer->write);
  while (buffer->read_count > 0)
    drop(&buffer->reads[--buffer->read_count]);
}

/// Forgets reads that have finished, so that streams which are gone do not pile up.
static void prune(const gsrt_driver *driver, gsrt_buffer *buffer) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < buffer->read_count; i++) {
    if (!is_ready(driver, buffer->reads[i].event))
      buffer->reads[kept++] = buffer->reads[i];
    else
      drop(&buffer->reads[i]);
  }
  buffer->read_count = kept;
}

static gsrt_use *read_slot(const gsrt_driver *driver, gsrt_buffer *buffer, const void *stream) {
  for (uint32_t i = 0; i < buffer->read_count; i++)
    if (is_same_stream(&buffer->reads[i], stream))
      return &buffer->reads[i];
  if (buffer->read_count == buffer->read_capacity)
    prune(driver, buffer);
  if (buffer->read_count == buffer->read_capacity) {
    uint32_t capacity = buffer->read_capacity ? buffer->read_capacity * 2 : 4;
    gsrt_use *reads = realloc(buffer->reads, capacity * sizeof *reads);
    if (!reads)
      return NULL;
    buffer->reads = reads;
    buffer->read_capacity = capacity;
  }
  buffer->reads[buffer->read_count] = (gsrt_use){NULL, NULL};
  return &buffer->reads[buffer->read_count++];
}

bool gsrt_uses_add(const gsrt_driver *driver, gsrt_buffer *buffer, void *stream, bool writes,
                   gsrt_event *event) {
  gsrt_use *use = &buffer->write;
  // A write follows everything before it, so it alone need be remembered.
  if (writes)
    gsrt_uses_clear(buffer);
  else
    use = read_slot(driver, buffer, stream);
  if (!use)
    return false;
  drop(use);
  event->references++;
  *use = (gsrt_use){stream, event};
  return true;
}
