// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 400, MAX_CELLS = 20000, REACH = 4096 /* bytes around the meeting */ };

typedef struct tracer {
  const gs_code *code;
  const gs_witness *witness;
  const gs_rerun *rerun;
  gs_trace *out;
  gs_rerun_hit hit;
  bool met, frozen[2];
  uint32_t line[2];
  uint64_t array; ///< address; 0: private
} tracer;

static void push(tracer *t, uint32_t who, gs_trace_step step) {
  gs_trace *out = t->out;
  if (t->frozen[who])
    return;
  if (out->count[who] == MAX_STEPS) {
    memmove(out->steps[who], out->steps[who] + MAX_STEPS / 2,
            (MAX_STEPS / 2) * sizeof *out->steps[who]);
    out->count[who] = MAX_STEPS / 2;
    out->cut[who] = true;
  }
  out->steps[who][out->count[who]++] = step;
}

static void stepped(void *user, uint32_t who, uint32_t insn, uint32_t phase) {
  tracer *t = gs_rerun_user(user);
  const gs_code_insn *n = &t->code->insns[insn];
  gs_trace_step step = {.kind = GS_TRACE_LINE, .insn = insn, .phase = phase};
  if (t->frozen[who] || n->op == GS_CODE_SREG) // threadIdx and so on, from a header
    return;
  if (n->op == GS_CODE_BARRIER || n->op == GS_CODE_WAIT || n->op == GS_CODE_SYNCGRID) {
    step.kind = GS_TRACE_BARRIER;
    t->out->count[who] = 0; // the story begins anew
    t->out->cut[who] = false;
  } else if (n->op == GS_CODE_SYNCWARP || n->op == GS_CODE_SHUFFLE || n->op == GS_CODE_VOTE ||
             n->op == GS_CODE_MATCH || n->op == GS_CODE_REDUX) {
    step.kind = GS_TRACE_WARP;
  } else if (!n->line || n->line == t->line[who]) {
    return;
  }
  t->line[who] = n->line;
  push(t, who, step);
}

static bool same_dim(gs_dim a, gs_dim b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void note_cell(tracer *t, const gs_replay_touch *touch) {
  gs_trace *out = t->out;
  const gs_witness *w = t->witness;
  uint32_t block = w->thread_count > 1 && !same_dim(touch->block, w->ctaid[0]) ? 1 : 0;
  int64_t offset = (int64_t)(touch->address - t->array), from = offset - w->byte_offset;
  if (!t->array || !t->met || touch->phase != t->hit.phase[block] || from > REACH || from < -REACH ||
      touch->size > REACH)
    return;
  out->cells_cut |= out->cell_count == MAX_CELLS;
  if (out->cell_count < MAX_CELLS)
    out->cells[out->cell_count++] =
        (gs_trace_cell){block, touch->thread, offset, (uint32_t)touch->size, touch->line,
                        touch->is_write, touch->is_atomic};
}

static void note_extent(tracer *t, const gs_replay_touch *touch) {
  const gs_witness *w = t->witness;
  for (uint32_t i = 0; i < w->argument_count; i++) {
    const gs_actual *a = &w->arguments[i];
    gs_array_ref array = {.kind = GS_ARRAY_PARAM, .param = a->param, .offset = a->offset};
    uint64_t begin = 0;
    if (!a->is_pointer || !gs_rerun_address(t->rerun, &array, &begin) || !begin ||
        gs_address_window(begin) != touch->window || touch->address < begin)
      continue;
    uint64_t end = touch->address - begin + touch->size;
    if (end > t->out->extents[i])
      t->out->extents[i] = end;
  }
}

/// A by-value parameter in memory: reads of it say nothing.
static bool is_parameter(const tracer *t, uint32_t window) {
  for (uint32_t i = 0; i < t->code->param_count; i++)
    if (t->code->params[i].window == window)
      return true;
  return false;
}

static bool on_touch(void *user, const gs_replay_touch *touch) {
  tracer *t = gs_rerun_user(user);
  note_cell(t, touch);
  note_extent(t, touch);
  if (touch->who == GS_NOBODY || is_parameter(t, touch->window))
    return false;
  push(t, touch->who,
       (gs_trace_step){.kind = touch->is_atomic  ? GS_TRACE_ATOMIC
                               : touch->is_write ? GS_TRACE_WRITE
                                                 : GS_TRACE_READ,
                       .insn = touch->insn, .phase = touch->phase, .window = touch->window,
                       .offset = touch->offset, .size = touch->size, .value = touch->value});
  if (t->met && touch->ordinal == t->hit.ordinal[touch->who])
    t->frozen[touch->who] = true;
  return false;
}

static bool make_room(const gs_witness *witness, gs_trace *out) {
  for (int who = 0; who < 2; who++)
    out->steps[who] = calloc(MAX_STEPS, sizeof *out->steps[who]);
  out->cells = calloc(MAX_CELLS, sizeof *out->cells);
  out->extents = calloc(witness->argument_count + 1u, sizeof *out->extents);
  return out->steps[0] && out->steps[1] && out->cells && out->extents;
}

gs_status gs_trace_make(const gs_code *code, const gs_witness *witness, const gs_rerun_claim *claim,
                        uint64_t budget, gs_trace *out) {
  memset(out, 0, sizeof *out);
  tracer t = {.code = code, .witness = witness, .out = out};
  gs_rerun *r = gs_rerun_new(code, witness);
  if (!r)
    return GS_ERROR_INPUT;
  t.rerun = r;
  if (!make_room(witness, out)) {
    gs_rerun_free(r);
    gs_trace_free(out);
    return GS_ERROR_MEMORY;
  }
  out->verdict = gs_rerun_confirm(code, witness, claim, budget, &out->run, &out->end, &t.hit);
  t.met = out->verdict == GS_RERUN_CONFIRMED;
  if (!gs_rerun_address(r, &witness->array, &t.array))
    t.array = 0;
  gs_replay_launch *launch = gs_rerun_launch(r);
  gs_replay_result result;
  launch->budget = budget;
  launch->everyone = true;
  launch->touched = on_touch;
  launch->stepped = stepped;
  gs_rerun_set_user(r, &t);
  gs_replay_run(code, launch, &result);
  gs_rerun_free(r);
  return GS_OK;
}

void gs_trace_free(gs_trace *trace) {
  free(trace->steps[0]);
  free(trace->steps[1]);
  free(trace->cells);
  free(trace->extents);
  memset(trace, 0, sizeof *trace);
}
