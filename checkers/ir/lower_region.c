// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards. The kernel's loop nest is lowered region by region: the blocks of one
// loop with inner loops as single items form a directed acyclic graph. A block
// that post-dominates its dominator in that graph has the dominator's guard (a
// loop in between is taken to end); otherwise its guard is the disjunction of
// its incoming edges. Traps are exits, so code after an assert is guarded by it.
//
// Every block has a second, "live" guard: reached, given that the thread does
// not return before. Barriers need it: threads that have returned count as
// arrived, by a named assumption.
#include "lower.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

typedef struct item {
  uint32_t block; ///< the block, or the header of an inner loop
  uint32_t loop;  ///< the inner loop, GS_NONE = a block
  uint32_t idom;
  uint32_t ipdom[2]; ///< all paths; paths of threads that do not return in between.
                     ///< May be the virtual end; GS_NONE = no such path
} item;

typedef struct region {
  gs_lowering *low;
  uint32_t loop;
  item *items;
  uint32_t count;
  uint32_t *item_of; ///< by block, GS_NONE = not in the region
} region;

static bool is_header_of(const gs_lowering *low, uint32_t loop, uint32_t block) {
  return loop != GS_NONE && low->cfg.loops[loop].header == block;
}

/// The loop directly in `loop` that contains `block`, GS_NONE when there is none.
static uint32_t child_containing(const gs_lowering *low, uint32_t loop, uint32_t block) {
  uint32_t l = low->cfg.loop[block];
  if (l == loop)
    return GS_NONE;
  while (low->cfg.loops[l].parent != loop)
    l = low->cfg.loops[l].parent;
  return l;
}

// --------------------------------------------------------------- edges ----

static gs_term switch_edge(gs_lowering *low, LLVMValueRef end, uint32_t from, uint32_t to) {
  gs_terms *terms = low->terms;
  gs_term value = gs_lower_use(low, LLVMGetOperand(end, 0), from);
  gs_term taken = gs_mk_bool(terms, false), none = gs_mk_bool(terms, true);
  unsigned n = LLVMGetNumSuccessors(end);
  for (unsigned i = 1; i < n; i++) {
    gs_term label = gs_lower_use(low, LLVMGetSwitchCaseValue(end, i), from);
    gs_term equal = gs_mk_bin(terms, GS_OP_EQ, value, label);
    none = gs_mk_and(terms, none, gs_mk_not(terms, equal));
    if (low->cfg.succ[from][i] == to)
      taken = gs_mk_or(terms, taken, equal);
  }
  return low->cfg.succ[from][0] == to ? gs_mk_or(terms, taken, none) : taken;
}

gs_term gs_lower_edge(gs_lowering *low, uint32_t from, uint32_t to) {
  gs_terms *terms = low->terms;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(low->cfg.bbs[from]);
  bool always = true;
  for (uint32_t s = 0; s < low->cfg.succ_count[from]; s++)
    always &= low->cfg.succ[from][s] == to;
  if (always)
    return gs_mk_bool(terms, true);
  int opcode = (int)LLVMGetInstructionOpcode(end);
  if (opcode == LLVMSwitch)
    return switch_edge(low, end, from, to);
  if (!low->conditions[from])
    return gs_lower_opaque(low, 1, GS_LEVEL_THREAD, low->cfg.loop[from], "an unusual branch");
  bool first = low->cfg.succ[from][0] == to;
  return first ? low->conditions[from] : gs_mk_not(terms, low->conditions[from]);
}

/// The one block that all edges out of `loop` lead to, else GS_NONE.
static uint32_t only_exit(const gs_lowering *low, uint32_t loop, bool live) {
  uint32_t target = GS_NONE;
  const gs_cfg *cfg = &low->cfg;
  for (uint32_t b = cfg->loops[loop].header; b < cfg->count; b++) {
    if (!gs_cfg_loop_contains(cfg, loop, cfg->loop[b]))
      continue;
    if (!cfg->succ_count[b] && !live)
      return GS_NONE; // returns or traps inside of the loop
    for (uint32_t s = 0; s < cfg->succ_count[b]; s++) {
      uint32_t to = cfg->succ[b][s];
      if (gs_cfg_loop_contains(cfg, loop, cfg->loop[to]))
        continue;
      if (target != GS_NONE && target != to)
        return GS_NONE;
      target = to;
    }
  }
  return target;
}

/// Do edges out of `loop` start in one block only?
static bool one_exiting_block(const gs_lowering *low, uint32_t loop) {
  const gs_cfg *cfg = &low->cfg;
  uint32_t exiting = GS_NONE;
  for (uint32_t b = cfg->loops[loop].header; b < cfg->count; b++)
    for (uint32_t s = 0; s < cfg->succ_count[b]; s++)
      if (gs_cfg_loop_contains(cfg, loop, cfg->loop[b]) &&
          !gs_cfg_loop_contains(cfg, loop, cfg->loop[cfg->succ[b][s]])) {
        if (exiting != GS_NONE && exiting != b)
          return false;
        exiting = b;
      }
  return true;
}

typedef enum edge_use {
  EDGE_GUARD, ///< a part of a disjunction over all edges into a block
  EDGE_LIVE,  ///< the same for live guards
  EDGE_CHOICE ///< tells this edge from the others
} edge_use;

static gs_term edge_guard(gs_lowering *low, uint32_t loop, uint32_t from, uint32_t to,
                          edge_use use) {
  uint32_t child = child_containing(low, loop, from);
  bool live = use == EDGE_LIVE;
  if (child == GS_NONE)
    return gs_mk_and(low->terms, live ? low->lives[from] : low->guards[from],
                     gs_lower_edge(low, from, to));
  gs_term entry = live ? low->loops[child].live_entry : low->loops[child].entry;
  // A loop ends: all its exits together are as good as its entry.
  if (only_exit(low, child, live) == to && (use != EDGE_CHOICE || one_exiting_block(low, child)))
    return entry;
  return gs_mk_and(low->terms, entry,
                   gs_lower_leave(low, child, edge_guard(low, child, from, to, use)));
}

gs_term gs_lower_edge_guard(gs_lowering *low, uint32_t loop, uint32_t from, uint32_t to) {
  return edge_guard(low, loop, from, to, EDGE_CHOICE);
}

// ------------------------------------------------------------- regions ----

static bool collect(region *r) {
  const gs_cfg *cfg = &r->low->cfg;
  r->items = calloc(cfg->count + 1u, sizeof *r->items);
  r->item_of = malloc((cfg->count + 1u) * sizeof *r->item_of);
  if (!r->items || !r->item_of)
    return false;
  for (uint32_t b = 0; b < cfg->count; b++) {
    r->item_of[b] = GS_NONE;
    if (!gs_cfg_loop_contains(cfg, r->loop, cfg->loop[b]))
      continue;
    uint32_t child = child_containing(r->low, r->loop, b);
    if (child == GS_NONE || cfg->loops[child].header == b)
      r->items[r->count++] = (item){.block = b, .loop = child};
    // A loop's header precedes its other blocks in reverse post-order.
    r->item_of[b] = child == GS_NONE ? r->count - 1 : r->item_of[cfg->loops[child].header];
    if (child != GS_NONE && cfg->loops[child].header == b)
      r->item_of[b] = r->count - 1;
  }
  return true;
}

/// Calls visit for the target of every edge that leaves the item; the target is
/// an item, or r->count for "leaves the region or starts its next iteration".
static void for_targets(const region *r, uint32_t i, bool live, void (*visit)(void *, uint32_t),
                        void *user) {
  const gs_cfg *cfg = &r->low->cfg;
  const item *it = &r->items[i];
  for (uint32_t b = it->block; b < cfg->count; b++) {
    if (r->item_of[b] != i)
      continue;
    if (!cfg->succ_count[b] && !live)
      visit(user, r->count);
    for (uint32_t s = 0; s < cfg->succ_count[b]; s++) {
      uint32_t to = cfg->succ[b][s];
      bool inner = it->loop != GS_NONE && gs_cfg_loop_contains(cfg, it->loop, cfg->loop[to]);
      if (inner)
        continue;
      bool ends = r->item_of[to] == GS_NONE || is_header_of(r->low, r->loop, to);
      visit(user, ends ? r->count : r->item_of[to]);
    }
    if (it->loop == GS_NONE)
      break;
  }
}

typedef struct join {
  const region *r;
  uint32_t at;
  bool live;
} join;

/// Nearest common post-dominator; items further from the end have lower numbers.
static void join_post(void *user, uint32_t target) {
  join *j = user;
  const item *items = j->r->items;
  if (target < j->r->count && items[target].ipdom[j->live] == GS_NONE)
    return; // no path that counts
  if (j->at == GS_NONE) {
    j->at = target;
    return;
  }
  uint32_t a = j->at, b = target;
  while (a != b) {
    if (a < b)
      a = items[a].ipdom[j->live];
    else
      b = items[b].ipdom[j->live];
  }
  j->at = a;
}

static bool holds_barrier(const region *r, uint32_t i) {
  for (uint32_t b = r->items[i].block; b < r->low->cfg.count; b++)
    if (r->item_of[b] == i && r->low->has_barrier[b])
      return true;
  return false;
}

static void find_post_dominators(region *r, bool live) {
  for (uint32_t i = r->count; i-- > 0;) {
    join j = {r, GS_NONE, live};
    for_targets(r, i, live, join_post, &j);
    r->items[i].ipdom[live] = j.at;
    // An endless loop: suppose it ends somewhere. A path may be left out because
    // its thread returns only if the thread meets no other barrier on it.
    if (j.at == GS_NONE && (!live || holds_barrier(r, i)))
      r->items[i].ipdom[live] = r->count;
  }
}

static bool post_dominates(const region *r, uint32_t a, uint32_t b, bool live) {
  while (b < a)
    b = r->items[b].ipdom[live];
  return a == b || b == GS_NONE;
}

/// Visits the edges into an item from inside the region, back edges left out.
static void for_sources(const region *r, uint32_t i, void (*visit)(void *, uint32_t, uint32_t),
                        void *user) {
  const gs_cfg *cfg = &r->low->cfg;
  const item *it = &r->items[i];
  uint32_t to = it->block, last = GS_NONE;
  for (uint32_t p = 0; p < cfg->pred_count[to]; p++) {
    uint32_t from = cfg->pred[to][p];
    bool inner = it->loop != GS_NONE && gs_cfg_loop_contains(cfg, it->loop, cfg->loop[from]);
    if (inner || r->item_of[from] == GS_NONE || from == last)
      continue; // several cases of one switch are one edge with one condition
    visit(user, from, to);
    last = from;
  }
}

typedef struct dom_join {
  const region *r;
  uint32_t at;
} dom_join;

static void join_dom(void *user, uint32_t from, uint32_t to) {
  (void)to;
  dom_join *j = user;
  uint32_t a = j->at, b = j->r->item_of[from];
  if (a == GS_NONE) {
    j->at = b;
    return;
  }
  while (a != b) {
    if (a > b)
      a = j->r->items[a].idom;
    else
      b = j->r->items[b].idom;
  }
  j->at = a;
}

typedef struct guard_join {
  region *r;
  gs_term sum;
  bool live;
} guard_join;

static void join_guard(void *user, uint32_t from, uint32_t to) {
  guard_join *j = user;
  gs_lowering *low = j->r->low;
  j->sum = gs_mk_or(low->terms, j->sum, edge_guard(low, j->r->loop, from, to, j->live ? EDGE_LIVE : EDGE_GUARD));
}

static gs_term guard_of_item(const region *r, uint32_t i, bool live) {
  const gs_lowering *low = r->low;
  const item *it = &r->items[i];
  if (it->loop == GS_NONE)
    return live ? low->lives[it->block] : low->guards[it->block];
  return live ? low->loops[it->loop].live_entry : low->loops[it->loop].entry;
}

static gs_term find_guard(region *r, uint32_t i, bool live) {
  gs_lowering *low = r->low;
  if (i == 0)
    return gs_mk_bool(low->terms, true);
  dom_join dom = {r, GS_NONE};
  for_sources(r, i, join_dom, &dom);
  r->items[i].idom = dom.at;
  if (dom.at != GS_NONE && post_dominates(r, i, dom.at, live))
    return guard_of_item(r, dom.at, live);
  guard_join guard = {r, gs_mk_bool(low->terms, false), live};
  for_sources(r, i, join_guard, &guard);
  return guard.sum;
}

// -------------------------------------------------------------- blocks ----

static void lower_effects(gs_lowering *low, LLVMValueRef inst, uint32_t block) {
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: gs_lower_memory_effects(low, inst, block); break;
  case LLVMFence: low->program->has_fences = true; break;
  case LLVMCall: gs_lower_call_effects(low, inst, block); break;
  case LLVMInvoke:
  case LLVMCallBr:
  case LLVMIndirectBr: gs_lower_gap(low, "an indirect jump or exception", inst); break;
  default: break;
  }
}

static bool is_failed_assert(LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsACallInst(call) ? gs_ir_callee(call) : NULL;
  const char *name = callee ? gs_ir_name(callee) : "";
  return strcmp(name, "__assertfail") == 0 || strcmp(name, "__assert_fail") == 0;
}

/// Is every value that a PHI of constants can have one of the cases of a switch?
static bool covers(LLVMValueRef choice, LLVMValueRef value, int depth) {
  if (LLVMIsAConstantInt(value)) {
    for (unsigned i = 1; i < LLVMGetNumSuccessors(choice); i++)
      if (LLVMGetSwitchCaseValue(choice, i) == value)
        return true;
    return false;
  }
  if (!LLVMIsAPHINode(value) || depth == 0)
    return false;
  for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
    if (!covers(choice, LLVMGetIncomingValue(value, i), depth - 1))
      return false;
  return true;
}

/// Clang leaves scopes through a switch over where to go, whose default is nowhere: that
/// one is not the source's, and cannot be reached.
static bool is_covered_default(LLVMBasicBlockRef block) {
  enum { DEPTH = 6 };
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
  LLVMValueRef choice = use ? LLVMGetUser(use) : NULL;
  return choice && !LLVMGetNextUse(use) && LLVMIsASwitchInst(choice) &&
         LLVMGetSwitchDefaultDest(choice) == block && covers(choice, LLVMGetOperand(choice, 0), DEPTH);
}

static void lower_block(gs_lowering *low, uint32_t block) {
  gs_block *out = &low->program->blocks[block];
  LLVMValueRef end = LLVMGetBasicBlockTerminator(low->cfg.bbs[block]);
  low->event_count = 0;
  low->current_loop = low->cfg.loop[block];
  LLVMValueRef stop = gs_cfg_stop(low->cfg.bbs[block]);
  for (LLVMValueRef inst = LLVMGetFirstInstruction(low->cfg.bbs[block]); inst && !low->failed && inst != stop;
       inst = LLVMGetNextInstruction(inst))
    lower_effects(low, inst, block);
  if (!stop && LLVMGetInstructionOpcode(end) == LLVMBr && LLVMIsConditional(end))
    low->conditions[block] = gs_lower_use(low, LLVMGetCondition(end), block);
  gs_event *events = calloc(low->event_count + 1u, sizeof *events);
  if (!events) {
    low->failed = true;
    return;
  }
  if (low->event_count)
    memcpy(events, low->events, low->event_count * sizeof *events);
  out->events = events;
  out->event_count = low->event_count;
  out->place = gs_lower_place(low, end);
  out->exits = low->cfg.succ_count[block] == 0;
  out->traps = stop || LLVMGetInstructionOpcode(end) == LLVMUnreachable;
  LLVMValueRef before = LLVMGetPreviousInstruction(end);
  LLVMValueRef failed = stop ? stop : before;
  out->asserts = out->traps && failed && is_failed_assert(failed);
  if (out->asserts)
    out->place = gs_lower_place(low, failed);
  if (out->traps && !stop && !is_covered_default(low->cfg.bbs[block]))
    gs_lower_origin(low, GS_ORIGIN_UNREACHED, end);
}

static bool lower_region(gs_lowering *low, uint32_t loop);

static void lower_items(region *r) {
  gs_lowering *low = r->low;
  for (uint32_t i = 0; i < r->count && !low->failed; i++) {
    gs_term guard = find_guard(r, i, false), live = find_guard(r, i, true);
    if (r->items[i].loop == GS_NONE) {
      low->guards[r->items[i].block] = guard;
      low->lives[r->items[i].block] = live;
      lower_block(low, r->items[i].block);
    } else {
      low->loops[r->items[i].loop].entry = guard;
      low->loops[r->items[i].loop].live_entry = live;
      lower_region(low, r->items[i].loop);
    }
  }
}

/// Condition of going round once more, relative to the header.
static gs_term again_condition(region *r, bool live) {
  gs_lowering *low = r->low;
  uint32_t header = low->cfg.loops[r->loop].header, last = GS_NONE;
  gs_term again = gs_mk_bool(low->terms, false);
  for (uint32_t p = 0; p < low->cfg.pred_count[header]; p++) {
    uint32_t from = low->cfg.pred[header][p];
    if (r->item_of[from] == GS_NONE || from == last)
      continue;
    again = gs_mk_or(low->terms, again, edge_guard(low, r->loop, from, header, live ? EDGE_LIVE : EDGE_GUARD));
    last = from;
  }
  return again;
}

static void close_loop(region *r) {
  gs_lowering *low = r->low;
  low->loops[r->loop].again = again_condition(r, false);
  low->loops[r->loop].live_again = again_condition(r, true);
  gs_lower_settle(low, r->loop);
  low->loops[r->loop].closed = true;
  gs_lower_count_trips(low, r->loop);
  gs_lower_trip_facts(low, r->loop);
}

static bool lower_region(gs_lowering *low, uint32_t loop) {
  region r = {.low = low, .loop = loop};
  if (!collect(&r)) {
    low->failed = true;
  } else {
    find_post_dominators(&r, false);
    find_post_dominators(&r, true);
    lower_items(&r);
    if (loop != GS_NONE && !low->failed)
      close_loop(&r);
  }
  free(r.items);
  free(r.item_of);
  return !low->failed;
}

bool gs_lower_regions(gs_lowering *low) { return lower_region(low, GS_NONE); }
