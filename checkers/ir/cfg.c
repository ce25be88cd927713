// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dominators: K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance
// Algorithm", 2001. Loops: natural loops of back edges.
#include "cfg.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

static uint32_t slot_of(const gs_cfg *cfg, const void *key) {
  uint64_t h = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
  uint32_t slot = (uint32_t)(h >> 32) & (cfg->table_size - 1);
  while (cfg->keys[slot] && cfg->keys[slot] != key)
    slot = (slot + 1) & (cfg->table_size - 1);
  return slot;
}

uint32_t gs_cfg_block(const gs_cfg *cfg, LLVMBasicBlockRef bb) {
  uint32_t slot = slot_of(cfg, bb);
  return cfg->keys[slot] ? cfg->values[slot] : GS_NONE;
}

static bool make_table(LLVMValueRef function, gs_cfg *cfg) {
  uint32_t n = (uint32_t)LLVMCountBasicBlocks(function);
  cfg->table_size = 16;
  while (cfg->table_size < 2 * n)
    cfg->table_size *= 2;
  cfg->keys = calloc(cfg->table_size, sizeof *cfg->keys);
  cfg->values = calloc(cfg->table_size, sizeof *cfg->values);
  cfg->bbs = calloc(n + 1u, sizeof *cfg->bbs);
  cfg->succ = calloc(n + 1u, sizeof *cfg->succ);
  cfg->succ_count = calloc(n + 1u, sizeof *cfg->succ_count);
  cfg->pred = calloc(n + 1u, sizeof *cfg->pred);
  cfg->pred_count = calloc(n + 1u, sizeof *cfg->pred_count);
  cfg->idom = calloc(n + 1u, sizeof *cfg->idom);
  cfg->loop = calloc(n + 1u, sizeof *cfg->loop);
  cfg->loops = calloc(n + 1u, sizeof *cfg->loops);
  return cfg->keys && cfg->values && cfg->bbs && cfg->succ && cfg->succ_count && cfg->pred &&
         cfg->pred_count && cfg->idom && cfg->loop && cfg->loops;
}

LLVMValueRef gs_cfg_stop(LLVMBasicBlockRef bb) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
    if (LLVMIsACallInst(i) && gs_model_of(i) == GS_MODEL_STOPS)
      return i;
  return NULL;
}

bool gs_cfg_has_edge(const gs_cfg *cfg, uint32_t from, uint32_t to) {
  for (uint32_t s = 0; s < cfg->succ_count[from]; s++)
    if (cfg->succ[from][s] == to)
      return true;
  return false;
}

/// clang lets control go on behind a trap; a thread does not.
static unsigned successors(LLVMBasicBlockRef bb) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
  return end && !gs_cfg_stop(bb) ? LLVMGetNumSuccessors(end) : 0;
}

typedef struct frame {
  LLVMBasicBlockRef bb;
  uint32_t next, count;
} frame;

/// Depth-first search; fills bbs in reverse post-order.
static bool number_blocks(LLVMValueRef function, gs_cfg *cfg) {
  uint32_t n = (uint32_t)LLVMCountBasicBlocks(function), depth = 0, done = 0;
  frame *stack = calloc(n + 1u, sizeof *stack);
  if (!stack)
    return false;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  stack[depth++] = (frame){entry, 0, successors(entry)};
  cfg->keys[slot_of(cfg, entry)] = entry;
  while (depth) {
    frame *top = &stack[depth - 1];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(top->bb);
    if (top->next == top->count) {
      cfg->bbs[n - 1 - done++] = top->bb;
      depth--;
      continue;
    }
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, top->next++);
    uint32_t slot = slot_of(cfg, next);
    if (!cfg->keys[slot]) {
      cfg->keys[slot] = next;
      stack[depth++] = (frame){next, 0, successors(next)};
    }
  }
  free(stack);
  memmove(cfg->bbs, cfg->bbs + (n - done), done * sizeof *cfg->bbs);
  cfg->count = done;
  for (uint32_t i = 0; i < done; i++)
    cfg->values[slot_of(cfg, cfg->bbs[i])] = i;
  return true;
}

static bool link_blocks(gs_cfg *cfg) {
  for (uint32_t b = 0; b < cfg->count; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->bbs[b]);
    cfg->succ_count[b] = successors(cfg->bbs[b]);
    cfg->succ[b] = calloc(cfg->succ_count[b] + 1u, sizeof(uint32_t));
    if (!cfg->succ[b])
      return false;
    for (uint32_t s = 0; s < cfg->succ_count[b]; s++) {
      cfg->succ[b][s] = gs_cfg_block(cfg, LLVMGetSuccessor(end, s));
      cfg->pred_count[cfg->succ[b][s]]++;
    }
  }
  for (uint32_t b = 0; b < cfg->count; b++) {
    cfg->pred[b] = calloc(cfg->pred_count[b] + 1u, sizeof(uint32_t));
    if (!cfg->pred[b])
      return false;
    cfg->pred_count[b] = 0;
  }
  for (uint32_t b = 0; b < cfg->count; b++)
    for (uint32_t s = 0; s < cfg->succ_count[b]; s++) {
      uint32_t to = cfg->succ[b][s];
      cfg->pred[to][cfg->pred_count[to]++] = b;
    }
  return true;
}

static uint32_t intersect(const gs_cfg *cfg, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b)
      a = cfg->idom[a];
    while (b > a)
      b = cfg->idom[b];
  }
  return a;
}

static void find_dominators(gs_cfg *cfg) {
  for (uint32_t b = 1; b < cfg->count; b++)
    cfg->idom[b] = GS_NONE;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 1; b < cfg->count; b++) {
      uint32_t dom = GS_NONE;
      for (uint32_t p = 0; p < cfg->pred_count[b]; p++) {
        uint32_t from = cfg->pred[b][p];
        if (from != 0 && cfg->idom[from] == GS_NONE)
          continue;
        dom = dom == GS_NONE ? from : intersect(cfg, dom, from);
      }
      changed |= cfg->idom[b] != dom;
      cfg->idom[b] = dom;
    }
  }
}

bool gs_cfg_dominates(const gs_cfg *cfg, uint32_t a, uint32_t b) {
  while (b > a)
    b = cfg->idom[b];
  return a == b;
}

bool gs_cfg_loop_contains(const gs_cfg *cfg, uint32_t outer, uint32_t inner) {
  if (outer == GS_NONE)
    return true;
  while (inner != GS_NONE && inner != outer)
    inner = cfg->loops[inner].parent;
  return inner == outer;
}

/// Marks the body of the loop with header h: what reaches a back edge to it.
static bool mark_body(gs_cfg *cfg, uint32_t loop, uint32_t *stack, bool *in_body) {
  uint32_t header = cfg->loops[loop].header, depth = 0;
  memset(in_body, 0, cfg->count * sizeof *in_body);
  in_body[header] = true;
  for (uint32_t p = 0; p < cfg->pred_count[header]; p++) {
    uint32_t from = cfg->pred[header][p];
    if (from >= header && gs_cfg_dominates(cfg, header, from) && !in_body[from]) {
      in_body[from] = true;
      stack[depth++] = from;
    }
  }
  while (depth) {
    uint32_t b = stack[--depth];
    for (uint32_t p = 0; p < cfg->pred_count[b]; p++)
      if (!in_body[cfg->pred[b][p]]) {
        in_body[cfg->pred[b][p]] = true;
        stack[depth++] = cfg->pred[b][p];
      }
  }
  return true;
}

static bool find_loops(gs_cfg *cfg) {
  uint32_t *stack = calloc(cfg->count + 1u, sizeof *stack);
  bool *in_body = calloc(cfg->count + 1u, sizeof *in_body);
  if (!stack || !in_body) {
    free(stack);
    free(in_body);
    return false;
  }
  for (uint32_t b = 0; b < cfg->count; b++)
    cfg->loop[b] = GS_NONE;
  // Headers in reverse post-order: outer loops come before the loops in them,
  // so later (inner) loops overwrite the innermost loop of their blocks.
  for (uint32_t h = 0; h < cfg->count; h++) {
    bool header = false;
    for (uint32_t p = 0; p < cfg->pred_count[h]; p++) {
      uint32_t from = cfg->pred[h][p];
      bool retreats = from >= h;
      header |= retreats && gs_cfg_dominates(cfg, h, from);
      cfg->irreducible |= retreats && !gs_cfg_dominates(cfg, h, from);
    }
    if (!header)
      continue;
    uint32_t loop = cfg->loop_count++;
    cfg->loops[loop].header = h;
    cfg->loops[loop].parent = cfg->loop[h];
    cfg->loops[loop].depth = cfg->loop[h] == GS_NONE ? 1 : cfg->loops[cfg->loop[h]].depth + 1;
    mark_body(cfg, loop, stack, in_body);
    for (uint32_t b = 0; b < cfg->count; b++)
      if (in_body[b])
        cfg->loop[b] = loop;
  }
  free(stack);
  free(in_body);
  return true;
}

bool gs_cfg_build(LLVMValueRef function, gs_cfg *cfg) {
  memset(cfg, 0, sizeof *cfg);
  if (!make_table(function, cfg) || !number_blocks(function, cfg) || !link_blocks(cfg))
    return false;
  find_dominators(cfg);
  return find_loops(cfg);
}

void gs_cfg_free(gs_cfg *cfg) {
  for (uint32_t b = 0; b < cfg->count; b++) {
    free(cfg->succ ? cfg->succ[b] : NULL);
    free(cfg->pred ? cfg->pred[b] : NULL);
  }
  free(cfg->bbs);
  free(cfg->succ);
  free(cfg->succ_count);
  free(cfg->pred);
  free(cfg->pred_count);
  free(cfg->idom);
  free(cfg->loop);
  free(cfg->loops);
  free(cfg->keys);
  free(cfg->values);
  memset(cfg, 0, sizeof *cfg);
}
