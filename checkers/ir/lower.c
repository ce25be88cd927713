// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowering of one kernel: the driver.
#include "lower.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INSTRUCTIONS = 200000 };

static bool make_loops(gs_lowering *low) {
  gs_program *p = low->program;
  uint32_t n = low->cfg.loop_count;
  p->loops = calloc(n + 1u, sizeof *p->loops);
  low->loops = calloc(n + 1u, sizeof *low->loops);
  if (!p->loops || !low->loops)
    return false;
  p->loop_count = n;
  for (uint32_t l = 0; l < n; l++) {
    const gs_cfg_loop *loop = &low->cfg.loops[l];
    LLVMValueRef first = LLVMGetBasicBlockTerminator(low->cfg.bbs[loop->header]);
    gs_sym trip = {.kind = GS_SYM_LOOP,
                   .level = GS_LEVEL_GRID,
                   .index = l,
                   .loop = l + 1,
                   .width = 64,
                   .exact = true,
                   .hi = UINT64_C(1) << 48,
                   .name = "trip"};
    p->loops[l].parent = loop->parent;
    p->loops[l].depth = loop->depth;
    p->loops[l].header = loop->header;
    p->loops[l].place = gs_lower_place(low, first);
    p->loops[l].trip = gs_mk_sym(p->terms, &trip);
    p->loops[l].trip_sym = gs_sym_count(p->terms) - 1;
  }
  return true;
}

static void find_barriers(gs_lowering *low) {
  for (uint32_t b = 0; b < low->cfg.count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(low->cfg.bbs[b]); i; i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsACallInst(i))
        continue;
      gs_model_kind kind = gs_model_of(i);
      low->has_barrier[b] |= gs_model_synchronises(kind) || kind == GS_MODEL_UNKNOWN;
    }
}

static bool make_blocks(gs_lowering *low) {
  gs_program *p = low->program;
  uint32_t n = low->cfg.count;
  p->blocks = calloc(n + 1u, sizeof *p->blocks);
  low->guards = calloc(n + 1u, sizeof *low->guards);
  low->lives = calloc(n + 1u, sizeof *low->lives);
  low->conditions = calloc(n + 1u, sizeof *low->conditions);
  low->has_barrier = calloc(n + 1u, sizeof *low->has_barrier);
  if (!low->has_barrier)
    return false;
  find_barriers(low);
  if (!p->blocks || !low->guards || !low->lives || !low->conditions)
    return false;
  p->block_count = n;
  return true;
}

static bool start_tables(gs_lowering *low) {
  gs_program *p = low->program;
  if (!gs_lower_grow(low, (void **)&p->places, &low->place_capacity, 1, sizeof *p->places) ||
      !gs_lower_grow(low, (void **)&p->origins, &low->origin_capacity, 1, sizeof *p->origins))
    return false;
  if (!gs_lower_chains_start(low))
    return false;
  p->places[0] = (gs_place){.inlined_at = GS_NONE};
  p->place_count = p->origin_count = 1;
  return true;
}

/// Every place holder must be gone: a left-over would pass for a launch value.
static void settle_all(gs_lowering *low) {
  for (uint32_t l = low->cfg.loop_count; l-- > 0;)
    gs_lower_settle(low, l);
  for (uint32_t i = 0; i < low->pending_count; i++)
    if (!low->pending[i].done)
      gs_lower_gap(low, "a loop-carried value that could not be followed", low->pending[i].phi);
}

/// Moves what the lowering found into the program.
static bool finish(gs_lowering *low) {
  gs_program *p = low->program;
  settle_all(low);
  gs_terms_raise_levels(low->terms, low->depends, low->depend_count);
  gs_lower_resolve_targets(low);
  for (uint32_t b = 0; b < p->block_count; b++) {
    gs_block *block = &p->blocks[b];
    block->loop = low->cfg.loop[b];
    block->guard = low->guards[b];
    block->live = low->lives[b];
    block->branch = low->conditions[b];
    block->succ = low->cfg.succ[b];
    block->succ_count = low->cfg.succ_count[b];
    low->cfg.succ[b] = NULL; // now the program's
  }
  for (uint32_t l = 0; l < p->loop_count; l++) {
    p->loops[l].entry = low->loops[l].entry;
    p->loops[l].again = low->loops[l].again;
    p->loops[l].live_entry = low->loops[l].live_entry;
    p->loops[l].live_again = low->loops[l].live_again;
  }
  return !low->failed && !gs_terms_failed(low->terms);
}

static uint32_t count_instructions(const gs_cfg *cfg) {
  uint32_t n = 0;
  for (uint32_t b = 0; b < cfg->count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(cfg->bbs[b]); i; i = LLVMGetNextInstruction(i))
      n++;
  return n;
}

static void drop(gs_lowering *low) {
  low->program->texts = low->texts;
  low->program->text_count = low->text_count;
  for (uint32_t l = 0; low->loops && l < low->cfg.loop_count; l++)
    free(low->loops[l].exits);
  gs_cfg_free(&low->cfg);
  free(low->memo);
  free(low->memo_keys);
  free(low->guards);
  free(low->lives);
  free(low->has_barrier);
  free(low->conditions);
  free(low->loops);
  free(low->pending);
  free(low->settled);
  free(low->raw);
  free(low->common);
  free(low->depends);
  free(low->sym_object);
  free(low->place_heads);
  free(low->origin_heads);
  free(low->place_next);
  free(low->origin_next);
  free(low->written.roots);
  free(low->written.fields);
  free(low->events);
}

static void run(gs_lowering *low) {
  if (low->cfg.irreducible) {
    gs_lower_gap(low, "control flow that is not made of loops and branches (irreducible)", NULL);
    return;
  }
  if (count_instructions(&low->cfg) > MAX_INSTRUCTIONS) {
    gs_lower_gap(low, "the kernel has more than 200,000 instructions", NULL);
    return;
  }
  if (!make_loops(low) || !make_blocks(low)) {
    low->failed = true;
    return;
  }
  gs_lower_find_axes(low);
  gs_lower_find_written(low);
  if (gs_lower_regions(low))
    low->failed |= !finish(low);
}

/// Bits of axes_used for the special registers that `text` names: an intrinsic's name
/// or inline PTX.
static uint32_t axes_named(const char *text, size_t length) {
  static const char *const names[] = {"tid.x", "tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z"};
  uint32_t axes = 0;
  for (size_t i = 0; i < length; i++)
    for (uint32_t n = 0; n < 6; n++) {
      size_t size = strlen(names[n]);
      if (length - i >= size && memcmp(text + i, names[n], size) == 0)
        axes |= 1u << n;
    }
  return axes;
}

/// The axes that the kernel reads anywhere, also for values that never become terms.
static uint32_t axes_read(LLVMValueRef function) {
  uint32_t axes = 0;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(bb); inst; inst = LLVMGetNextInstruction(inst)) {
      if (!LLVMIsACallInst(inst))
        continue;
      LLVMValueRef called = LLVMGetCalledValue(inst), callee = gs_ir_callee(inst);
      size_t length = 0;
      if (callee)
        axes |= axes_named(gs_ir_name(callee), strlen(gs_ir_name(callee)));
      else if (LLVMIsAInlineAsm(called)) {
        const char *text = LLVMGetInlineAsmAsmString(called, &length);
        axes |= axes_named(text, length);
      }
    }
  return axes;
}

gs_status gs_ir_lower(gs_ir *ir, uint32_t kernel, const gs_kernel_desc *desc,
                      const gs_lower_options *options, gs_program **out) {
  *out = NULL;
  gs_program *program = calloc(1, sizeof *program);
  gs_lowering low = {.ir = ir, .function = ir->kernels[kernel], .options = options,
                     .program = program, .trip_work = GS_TRIP_WORK};
  if (!program || !(program->terms = gs_terms_new())) {
    free(program);
    return GS_ERROR_MEMORY;
  }
  program->desc = desc;
  low.terms = program->terms;
  low.failed = !gs_cfg_build(low.function, &low.cfg) || !start_tables(&low);
  program->mangled = gs_lower_text(&low, gs_ir_name(low.function));
  gs_program_launch_symbols(program);
  program->axes_used = axes_read(low.function);
  if (!low.failed)
    run(&low);
  drop(&low);
  if (low.failed) {
    gs_program_free(program);
    return GS_ERROR_MEMORY;
  }
  *out = program;
  return GS_OK;
}
