// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory, streams and events of the stand-in driver.
#include "fake_internal.h"

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
