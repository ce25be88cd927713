// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Device memory with an owner: allocation, copies, release.
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

/// Reports what is wrong with a buffer outside of any launch.
static gsrt_status refuse(gsrt_status code, const char *what) {
  gsrt_config none = {.struct_size = sizeof none};
  gsrt_check check = {.kernel = "", .config = &none};
  if (gsrt_get_policy() == GSRT_POLICY_OFF)
    return GSRT_OK;
  gsrt_violate(&check, code, NULL, "%s", what);
  return gsrt_apply_policy(&check);
}

static gsrt_status make(const gsrt_driver *driver, uint64_t address, size_t bytes, bool is_owned,
                        gsrt_buffer **out) {
  gsrt_buffer *buffer = calloc(1, sizeof *buffer);
  if (!buffer)
    return gsrt_fail(GSRT_ERROR_MEMORY, "out of memory");
  buffer->address = address;
  buffer->bytes = bytes;
  buffer->is_owned = is_owned;
  int error = driver->ctx_get_current(&buffer->context);
  if (error == CU_OK)
    error = driver->ctx_get_device(&buffer->device);
  if (error != CU_OK) {
    free(buffer);
    return gsrt_driver_failed(driver, "a buffer without a context", error);
  }
  *out = buffer;
  return GSRT_OK;
}

gsrt_status gsrt_buffer_alloc(size_t bytes, gsrt_buffer **out) {
  uint64_t address = 0;
  if (!out || bytes == 0)
    return gsrt_fail(GSRT_ERROR_ARGUMENT,
                     "gsrt_buffer_alloc: no bytes, or no place for the result");
  *out = NULL;
  const gsrt_driver *driver = gsrt_driver_get();
  if (!driver)
    return GSRT_ERROR_NO_DRIVER;
  gsrt_status status = gsrt_need_context(driver);
  if (status != GSRT_OK)
    return status;
  int mode = CU_CAPTURE_RELAXED; // a capture in this thread is not disturbed
  driver->exchange_capture_mode(&mode);
  int error = driver->mem_alloc(&address, bytes);
  driver->exchange_capture_mode(&mode);
  if (error != CU_OK)
    return gsrt_driver_failed(driver, "cuMemAlloc", error);
  status = make(driver, address, bytes, true, out);
  if (status != GSRT_OK)
    driver->mem_free(address);
  return status;
}

gsrt_status gsrt_buffer_wrap(uint64_t address, size_t bytes, gsrt_buffer **out) {
  if (!out || bytes == 0 || address == 0)
    return gsrt_fail(GSRT_ERROR_ARGUMENT,
                     "gsrt_buffer_wrap: no memory, or no place for the result");
  *out = NULL;
  const gsrt_driver *driver = gsrt_driver_get();
  if (!driver)
    return GSRT_ERROR_NO_DRIVER;
  gsrt_status status = gsrt_need_context(driver);
  return status == GSRT_OK ? make(driver, address, bytes, false, out) : status;
}

gsrt_status gsrt_buffer_upload(const void *data, size_t bytes, gsrt_buffer **out) {
  gsrt_status status = gsrt_buffer_alloc(bytes, out);
  if (status != GSRT_OK)
    return status;
  status = gsrt_buffer_write(*out, 0, data, bytes);
  if (status != GSRT_OK) {
    gsrt_buffer_free(*out);
    *out = NULL;
  }
  return status;
}

uint64_t gsrt_buffer_address(const gsrt_buffer *buffer) { return buffer ? buffer->address : 0; }
size_t gsrt_buffer_size(const gsrt_buffer *buffer) { return buffer ? buffer->bytes : 0; }

// ---------------------------------------------------------------------- copies ----

static gsrt_status check_copy(const gsrt_buffer *buffer, size_t offset, const void *data,
                              size_t bytes, const gsrt_driver **driver) {
  if (!buffer || (!data && bytes > 0))
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "a copy without a buffer or without data");
  *driver = gsrt_driver_get();
  if (!*driver)
    return GSRT_ERROR_NO_DRIVER;
  // Never made, whatever the policy: the copy would leave the memory.
  if (offset > buffer->bytes || bytes > buffer->bytes - offset) {
    gsrt_status status = refuse(GSRT_BUFFER_SIZE, "a copy that leaves its buffer");
    return status == GSRT_OK ? gsrt_fail(GSRT_BUFFER_SIZE, "a copy that leaves its buffer")
                             : status;
  }
  return GSRT_OK;
}

/// Makes the buffer's context current. \param before what leave_context gives back
static int enter_context(const gsrt_driver *driver, const gsrt_buffer *buffer, void **before) {
  int error = driver->ctx_get_current(before);
  if (error == CU_OK && *before != buffer->context)
    error = driver->ctx_set_current(buffer->context);
  return error;
}

static void leave_context(const gsrt_driver *driver, const gsrt_buffer *buffer, void *before) {
  if (before != buffer->context)
    driver->ctx_set_current(before);
}

/// With the buffer's context current. \returns a driver's result.
static int copy(const gsrt_driver *driver, gsrt_buffer *buffer, size_t offset, const void *from,
                void *to, size_t bytes) {
  void *before = NULL;
  int error = enter_context(driver, buffer, &before);
  if (error != CU_OK)
    return error;
  error = gsrt_uses_finish(driver, buffer, from != NULL);
  if (error == CU_OK && from)
    error = driver->memcpy_htod(buffer->address + offset, from, bytes, NULL);
  else if (error == CU_OK)
    error = driver->memcpy_dtoh(to, buffer->address + offset, bytes, NULL);
  if (error == CU_OK)
    error = driver->stream_synchronize(NULL);
  leave_context(driver, buffer, before);
  return error;
}

/// One copy, in one direction.
static gsrt_status copy_marked(const gsrt_driver *driver, gsrt_buffer *buffer, size_t offset,
                               const void *from, void *to, size_t bytes) {
  gsrt_buffers_lock();
  gsrt_buffer_settle(buffer);
  bool is_captured = buffer->is_captured && from;
  gsrt_buffer_mark(buffer, true);
  gsrt_buffers_unlock();
  gsrt_status status = GSRT_OK;
  int error = CU_OK;
  if (is_captured) { // never made, whatever the policy
    status =
        refuse(GSRT_BUFFER_CAPTURED, "a write by the host to a buffer that a captured graph uses");
    status = status == GSRT_OK ? GSRT_BUFFER_CAPTURED : status;
  }
  if (status == GSRT_OK)
    error = copy(driver, buffer, offset, from, to, bytes);
  gsrt_buffers_lock();
  gsrt_buffer_mark(buffer, false);
  gsrt_buffers_unlock();
  return error == CU_OK ? status : gsrt_driver_failed(driver, "copying a buffer", error);
}

gsrt_status gsrt_buffer_write(gsrt_buffer *buffer, size_t offset, const void *data, size_t bytes) {
  const gsrt_driver *driver = NULL;
  gsrt_status status = check_copy(buffer, offset, data, bytes, &driver);
  if (status != GSRT_OK || bytes == 0)
    return status;
  return copy_marked(driver, buffer, offset, data, NULL, bytes);
}

gsrt_status gsrt_buffer_read(gsrt_buffer *buffer, size_t offset, void *data, size_t bytes) {
  const gsrt_driver *driver = NULL;
  gsrt_status status = check_copy(buffer, offset, data, bytes, &driver);
  if (status != GSRT_OK || bytes == 0)
    return status;
  return copy_marked(driver, buffer, offset, NULL, data, bytes);
}

gsrt_status gsrt_buffer_download(gsrt_buffer *buffer, void *data) {
  return gsrt_buffer_read(buffer, 0, data, gsrt_buffer_size(buffer));
}

// --------------------------------------------------------------------- release ----

void gsrt_buffer_release_graphs(gsrt_buffer *buffer) {
  if (!buffer)
    return;
  gsrt_buffers_lock();
  buffer->is_captured = false;
  gsrt_buffers_unlock();
}

/// Frees the memory, which may be another context's than the current one; and some thread
/// may be capturing (see buffer_uses.c).
static int release(const gsrt_driver *driver, const gsrt_buffer *buffer) {
  void *before = NULL;
  int mode = CU_CAPTURE_RELAXED;
  int error = enter_context(driver, buffer, &before);
  if (error != CU_OK)
    return error;
  driver->exchange_capture_mode(&mode);
  error = driver->mem_free(buffer->address);
  driver->exchange_capture_mode(&mode);
  leave_context(driver, buffer, before);
  return error;
}

gsrt_status gsrt_buffer_free(gsrt_buffer *buffer) {
  const gsrt_driver *driver = buffer ? gsrt_driver_get() : NULL;
  if (!buffer)
    return GSRT_OK;
  gsrt_buffers_lock();
  gsrt_buffer_settle(buffer);
  bool is_captured = buffer->is_captured;
  gsrt_buffers_unlock();
  if (is_captured) {
    gsrt_status status =
        refuse(GSRT_BUFFER_CAPTURED, "freeing a buffer that a captured graph uses");
    return status == GSRT_OK ? GSRT_BUFFER_CAPTURED : status;
  }
  int error = gsrt_uses_finish(driver, buffer, true);
  gsrt_buffers_lock();
  gsrt_uses_clear(buffer);
  gsrt_buffers_unlock();
  // Freed all the same when a launch has failed: the context is beyond use then.
  if (buffer->is_owned) {
    int failed = release(driver, buffer);
    error = error ? error : failed;
  }
  free(buffer->reads);
  free(buffer);
  return error == CU_OK ? GSRT_OK : gsrt_driver_failed(driver, "freeing a buffer", error);
}
