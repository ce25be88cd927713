// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches over buffers: each is borrowed as its parameter says, ordered after the
/// uses in other streams, and remembered as in use.
#include "buffer.h"
#include "data.h"

#include <string.h>

/// A launch over buffers under way.
typedef struct borrowing {
  const gsrt_driver *driver;
  gsrt_kernel *kernel;
  const gsrt_config *config;
  const gsrt_arg *args;
  size_t count;
  void *context;
  bool is_capturing;
  uint64_t addresses[GSRT_MAX_ARGS];
  void *params[GSRT_MAX_ARGS];
  gsrt_span spans[GSRT_MAX_ARGS];
  size_t span_count;
} borrowing;

static const gs_desc_param_row *param_of(const borrowing *b, size_t i) {
  return b->kernel->block ? &b->kernel->contract.params[i] : NULL;
}

/// Without a contract nothing is known to be only read.
static bool writes(const borrowing *b, size_t i) {
  const gs_desc_param_row *param = param_of(b, i);
  return !param || !(param->flags & GS_DESC_CONST);
}

/// The exclusive claim on a parameter, if there is one.
static const gs_desc_claim_row *exclusive_claim(const borrowing *b, size_t i) {
  for (uint32_t k = 0; b->kernel->block && k < b->kernel->contract.header->claim_count; k++) {
    const gs_desc_claim_row *claim = &b->kernel->contract.claims[k];
    if (claim->param == i && claim->kind == GS_DESC_EXCLUSIVE)
      return claim;
  }
  return NULL;
}

static bool has_count(const borrowing *b, size_t i) {
  for (uint32_t k = 0; b->kernel->block && k < b->kernel->contract.header->claim_count; k++)
    if (b->kernel->contract.claims[k].param == i && b->kernel->contract.claims[k].code_size)
      return true;
  return false;
}

// ------------------------------------------------------------------- arguments ----

static gsrt_status collect_one(borrowing *b, size_t i) {
  const gsrt_arg *arg = &b->args[i];
  const gs_desc_param_row *param = param_of(b, i);
  if (!arg->buffer) {
    if (!arg->value)
      return gsrt_fail(GSRT_ERROR_ARGUMENT, "argument %zu has neither a buffer nor a value", i);
    b->params[i] = (void *)(uintptr_t)arg->value;
    return GSRT_OK;
  }
  if (param && param->kind != GS_DESC_POINTER)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "argument %zu is a buffer, but '%s' is no pointer", i,
                     gs_desc_text(&b->kernel->contract, param->name));
  if (arg->offset > arg->buffer->bytes)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "argument %zu starts behind the end of its buffer", i);
  b->addresses[i] = arg->buffer->address + arg->offset;
  b->params[i] = &b->addresses[i];
  b->spans[b->span_count++] = (gsrt_span){arg->buffer->address, arg->buffer->bytes};
  return GSRT_OK;
}

static gsrt_status collect(borrowing *b) {
  if (b->count > GSRT_MAX_ARGS || (b->count > 0 && !b->args))
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "%zu arguments; at most %d", b->count, GSRT_MAX_ARGS);
  if (b->kernel->block && b->count != b->kernel->contract.header->param_count)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "%zu arguments for the %u parameters of '%s'", b->count,
                     b->kernel->contract.header->param_count, b->kernel->name);
  for (size_t i = 0; i < b->count; i++) {
    gsrt_status status = collect_one(b, i);
    if (status != GSRT_OK)
      return status;
  }
  return GSRT_OK;
}

// -------------------------------------------------------------------- borrowing ----

/// An exclusive parameter shares its buffer with no other; parts of one buffer may be
/// apart, which counts on both sides let the overlap check decide.
static void check_twice(gsrt_check *check, const borrowing *b, size_t i) {
  const gs_desc_claim_row *claim = exclusive_claim(b, i);
  for (size_t k = 0; claim && k < b->count; k++) {
    if (k == i || b->args[k].buffer != b->args[i].buffer || (has_count(b, i) && has_count(b, k)))
      continue;
    gsrt_place place = gsrt_claim_place(check, claim);
    gsrt_violate(check, GSRT_BUFFER_TWICE, &place,
                 "one buffer is given to %.60s, which is exclusive, and to %.60s",
                 gs_desc_text(check->contract, check->contract->params[i].name),
                 gs_desc_text(check->contract, check->contract->params[k].name));
    return;
  }
}

/// A capture cannot wait for work outside of it, not even in its own stream: who knows
/// where the graph will run. Elsewhere waiting is a choice.
static void check_busy(gsrt_check *check, borrowing *b, size_t i) {
  if (!b->is_capturing && gsrt_get_stream_policy() == GSRT_STREAMS_WAIT)
    return;
  if (gsrt_uses_pending(b->driver, b->args[i].buffer, b->config->stream, writes(b, i),
                        b->is_capturing))
    gsrt_violate(check, GSRT_BUFFER_BUSY, NULL,
                 "the buffer of argument %zu is in use by an unfinished launch", i);
}

static gsrt_status check_borrows(borrowing *b) {
  gsrt_check check = {.kernel = b->kernel->name, .config = b->config};
  bool is_off = gsrt_get_policy() == GSRT_POLICY_OFF, spoils_graph = false;
  if (b->kernel->block) {
    check.contract = &b->kernel->contract;
    check.kernel = gs_desc_text(check.contract, check.contract->header->name);
  }
  for (size_t i = 0; i < b->count; i++) {
    const gsrt_buffer *buffer = b->args[i].buffer;
    if (!buffer)
      continue;
    if (buffer->is_captured && writes(b, i) && !b->is_capturing) {
      spoils_graph = true;
      gsrt_violate(&check, GSRT_BUFFER_CAPTURED, NULL,
                   "argument %zu may be written, but a captured graph uses its buffer", i);
    }
    if (is_off)
      continue;
    if (buffer->context != b->context)
      gsrt_violate(&check, GSRT_BUFFER_DEVICE, NULL,
                   "the buffer of argument %zu belongs to another device or context", i);
    check_twice(&check, b, i);
    check_busy(&check, b, i);
  }
  gsrt_status status = gsrt_apply_policy(&check);
  // What a captured graph holds is never written, whatever the policy.
  return status == GSRT_OK && spoils_graph ? GSRT_BUFFER_CAPTURED : status;
}

// ---------------------------------------------------------------------- launch ----

static int order_all(borrowing *b) {
  int error = CU_OK;
  for (size_t i = 0; i < b->count && error == CU_OK; i++)
    if (b->args[i].buffer)
      error = gsrt_uses_order(b->driver, b->args[i].buffer, b->config->stream, writes(b, i));
  return error;
}

/// Writes last: noting a write forgets the reads of the same launch.
static bool note_all(borrowing *b, gsrt_event *event) {
  bool ok = true;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < b->count; i++)
      if (b->args[i].buffer && writes(b, i) == (pass == 1))
        ok = gsrt_uses_add(b->driver, b->args[i].buffer, b->config->stream, pass == 1, event) && ok;
  return ok;
}

static void note_capture(borrowing *b) {
  for (size_t i = 0; i < b->count; i++)
    if (b->args[i].buffer)
      b->args[i].buffer->is_captured = true;
}

/// Launches in order and records the use. What cannot be remembered is waited for.
static int launch_ordered(borrowing *b) {
  gsrt_event *event = NULL;
  int error = CU_OK;
  if (!b->is_capturing && b->span_count > 0) {
    error = order_all(b);
    event = error == CU_OK ? gsrt_event_get(b->driver, b->context) : NULL;
  }
  if (error == CU_OK)
    error = gsrt_make_launch(b->driver, b->kernel->function, b->config, b->params);
  if (error == CU_OK && b->is_capturing)
    note_capture(b);
  else if (error == CU_OK && b->span_count > 0) {
    int recorded = event ? b->driver->event_record(event->handle, b->config->stream) : -1;
    if (recorded != CU_OK || !note_all(b, event))
      error = b->driver->stream_synchronize(b->config->stream);
  }
  gsrt_event_put(event);
  return error;
}

/// Until no buffer is being copied: waiting for one lets others begin.
static void settle_all(const borrowing *b) {
  for (size_t i = 0; i < b->count; i++)
    if (b->args[i].buffer && gsrt_buffer_settle(b->args[i].buffer))
      i = (size_t)-1; // from the start
}

gsrt_status gsrt_launch_args(gsrt_kernel *kernel, const gsrt_config *config, const gsrt_arg *args,
                             size_t count) {
  borrowing b;
  int capturing = 0;
  memset(&b, 0, offsetof(borrowing, addresses));
  b.span_count = 0;
  b.kernel = kernel;
  b.config = config;
  b.args = args;
  b.count = count;
  gsrt_status status = gsrt_usable(kernel, config, (const void *const *)b.params, &b.driver);
  if (status == GSRT_OK)
    status = collect(&b);
  if (status != GSRT_OK)
    return status;
  int error = b.driver->ctx_get_current(&b.context);
  if (error == CU_OK)
    error = b.driver->stream_is_capturing(config->stream, &capturing);
  if (error != CU_OK)
    return gsrt_driver_failed(b.driver, "cuStreamIsCapturing", error);
  b.is_capturing = capturing != 0;
  gsrt_request request = {.kernel = kernel,
                          .config = config,
                          .spans = b.spans,
                          .params = (const void *const *)b.params,
                          .span_count = b.span_count};
  gsrt_buffers_lock();
  settle_all(&b);
  // What is to be tested must have been written.
  if (gsrt_data_checked() && !b.is_capturing)
    order_all(&b);
  status = check_borrows(&b);
  if (status == GSRT_OK && gsrt_is_checked(kernel))
    status = gsrt_check_launch(b.driver, &request);
  error = status == GSRT_OK ? launch_ordered(&b) : CU_OK;
  gsrt_buffers_unlock();
  return error == CU_OK ? status : gsrt_driver_failed(b.driver, "cuLaunchKernel", error);
}
