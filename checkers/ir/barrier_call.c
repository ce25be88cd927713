// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barrier_call.h"

#include "model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip(const char *p, const char *end) {
  while (p < end && (isspace((unsigned char)*p) || *p == '{' || *p == ';'))
    p++;
  return p;
}

/// Reads one of `words` at p, which must end there. \returns what follows, or NULL.
static const char *read_word(const char *p, const char *end, const char *const *words, size_t count,
                             size_t *which) {
  for (*which = 0; *which < count; ++*which) {
    size_t n = strlen(words[*which]);
    if ((size_t)(end - p) >= n && strncmp(p, words[*which], n) == 0 &&
        (p + n == end || !(isalnum((unsigned char)p[n]) || p[n] == '.' || p[n] == '_')))
      return p + n;
  }
  return NULL;
}

/// Numbers and `$n`, separated by commas, up to the end of the statement.
static bool read_operands(const char *p, const char *end, gs_ptx_barrier *out) {
  for (;;) {
    while (p < end && (isspace((unsigned char)*p) || *p == ','))
      p++;
    if (p == end || *p == ';' || *p == '}')
      return true;
    if (out->count == 2)
      return false;
    char digits[24] = "", *after = NULL;
    out->is_operand[out->count] = *p == '$';
    p += *p == '$';
    for (size_t n = 0; p < end && isalnum((unsigned char)*p) && n + 1 < sizeof digits; p++)
      digits[n++] = *p;
    out->value[out->count] = strtoull(digits, &after, 0);
    if (!digits[0] || (*after && strcmp(after, "U") != 0))
      return false;
    out->count++;
  }
}

bool gs_ptx_read_barrier(const char *text, const char *end, gs_ptx_barrier *out) {
  static const char *const words[] = {
      "bar.sync", "bar.cta.sync", "barrier.sync", "barrier.sync.aligned", "barrier.cta.sync",
      "barrier.cta.sync.aligned",
      "bar.arrive", "bar.cta.arrive", "barrier.arrive", "barrier.arrive.aligned",
      "barrier.cta.arrive", "barrier.cta.arrive.aligned",
      "bar.warp.sync",
      "barrier.cluster.wait", "barrier.cluster.wait.aligned", "barrier.cluster.wait.acquire",
      "barrier.cluster.wait.acquire.aligned",
      "barrier.cluster.arrive", "barrier.cluster.arrive.aligned", "barrier.cluster.arrive.release",
      "barrier.cluster.arrive.release.aligned",
      "barrier.cluster.arrive.relaxed", "barrier.cluster.arrive.relaxed.aligned"};
  enum { ARRIVE = 6, WARP = 12, CLUSTER = 13, CLUSTER_ARRIVE = 17, RELAXED = 21 };
  size_t at = 0;
  const char *p = read_word(skip(text, end), end, words, sizeof words / sizeof *words, &at);
  *out = (gs_ptx_barrier){.is_warp = at == WARP,
                          .is_cluster = at >= CLUSTER,
                          .arrives = (at >= ARRIVE && at < WARP) || at >= CLUSTER_ARRIVE,
                          .relaxed = at >= RELAXED};
  if (!p || !read_operands(p, end, out))
    return false;
  uint32_t least = at >= CLUSTER ? 0 : at >= ARRIVE && at < WARP ? 2 : 1;
  uint32_t most = at >= CLUSTER ? 0 : at == WARP ? 1 : 2;
  return out->count >= least && out->count <= most;
}

// ------------------------------------------------------------------ calls ----

static uint32_t id_of(LLVMValueRef value) {
  return value && LLVMIsAConstantInt(value) ? (uint32_t)LLVMConstIntGetZExtValue(value) : GS_NONE;
}

/// A barrier of the block with an id, and a number of threads or all.
static gs_sync_call numbered(uint32_t id, bool counted) {
  gs_barrier_kind kind = id == GS_NONE ? GS_BARRIER_OTHER : counted ? GS_BARRIER_NAMED : GS_BARRIER_BLOCK;
  return (gs_sync_call){.kind = kind, .id = id};
}

static gs_sync_call cluster(bool arrives, bool relaxed) {
  bool half = arrives && !relaxed; // a relaxed arrival and the wait are no barrier together
  return (gs_sync_call){.kind = GS_BARRIER_OTHER, .id = GS_CLUSTER_ID, .arrives = half};
}

LLVMValueRef gs_ptx_barrier_value(LLVMValueRef call, const gs_ptx_barrier *b, uint32_t i) {
  bool given = b->is_operand[i] && b->value[i] < LLVMGetNumArgOperands(call);
  return given ? LLVMGetOperand(call, (unsigned)b->value[i]) : NULL;
}

bool gs_ptx_find_barrier(LLVMValueRef call, gs_ptx_barrier *out) {
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length), *end = text + length;
  bool results = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
  bool comments = false;
  for (const char *p = text; p + 1 < end; p++)
    comments |= p[0] == '/' && (p[1] == '/' || p[1] == '*');
  bool found = !comments && gs_ptx_read_barrier(text, end, out);
  for (const char *p = text; p < end && !found && !comments; p++)
    found = *p == ';' && gs_ptx_read_barrier(p, end, out);
  for (uint32_t i = 0; found && i < out->count; i++)
    if (out->is_operand[i] && (results || !gs_ptx_barrier_value(call, out, i)))
      return false;
  return found;
}

static gs_sync_call ptx_call(LLVMValueRef call) {
  gs_ptx_barrier b = {0};
  if (!gs_ptx_find_barrier(call, &b))
    return (gs_sync_call){.kind = GS_BARRIER_OTHER, .id = GS_NONE};
  if (b.is_cluster)
    return cluster(b.arrives, b.relaxed);
  if (b.is_warp)
    return (gs_sync_call){.kind = GS_BARRIER_WARP, .mask = gs_ptx_barrier_value(call, &b, 0), .number = b.value[0]};
  uint32_t id = b.is_operand[0] ? id_of(gs_ptx_barrier_value(call, &b, 0)) : (uint32_t)b.value[0];
  gs_sync_call out = numbered(id, b.count == 2);
  out.mask = b.count == 2 ? gs_ptx_barrier_value(call, &b, 1) : NULL;
  out.number = b.value[1];
  if (b.arrives)
    out.kind = GS_BARRIER_OTHER;
  return out;
}

gs_sync_call gs_ir_sync_call(LLVMValueRef call) {
  LLVMValueRef callee = gs_ir_callee(call);
  if (!callee)
    return ptx_call(call);
  LLVMValueRef first = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
  gs_sync_call out;
  switch ((int)gs_model_of(call)) {
  case GS_MODEL_SYNC: return numbered(0, false);
  case GS_MODEL_SYNC_ID: return numbered(id_of(first), false);
  case GS_MODEL_SYNC_N:
    out = numbered(id_of(first), true);
    out.mask = LLVMGetNumArgOperands(call) > 1 ? LLVMGetOperand(call, 1) : NULL;
    out.kind = out.mask ? out.kind : GS_BARRIER_OTHER;
    return out;
  case GS_MODEL_SYNC_WARP: return (gs_sync_call){.kind = GS_BARRIER_WARP, .mask = first};
  case GS_MODEL_SYNC_GRID: return (gs_sync_call){.kind = GS_BARRIER_GRID};
  case GS_MODEL_CLUSTER_ARRIVE: return cluster(true, strstr(gs_ir_name(callee), "relaxed") != NULL);
  case GS_MODEL_CLUSTER_WAIT: return cluster(false, false);
  default: break; // SYNC_ARRIVE
  }
  return (gs_sync_call){.kind = GS_BARRIER_OTHER, .id = id_of(first)};
}
