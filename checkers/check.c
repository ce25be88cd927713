// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline: prepare and lower here; phases, launch facts, rules and result, which
// need no LLVM, in check_program.c.
#include "gs.h"
#include "annotate.h"
#include "check_program.h"
#include "decode.h"
#include "ir.h"
#include "merge.h"
#include "propose.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const gs_kernel_desc *find_desc(const gs_input *input, const char *mangled) {
  for (uint32_t i = 0; i < input->kernel_count; i++)
    if (strcmp(input->kernels[i].mangled, mangled) == 0)
      return &input->kernels[i];
  return NULL;
}

/// Reads of shared memory are taken for one value of the block until that cannot be shown:
/// then they are each thread's own.
/// \param desc may say more than the input does of this kernel; NULL for nothing.
/// \param wraps index arithmetic is taken to wrap
static gs_status lower(gs_ir *ir, uint32_t index, const gs_input *input,
                       const gs_kernel_desc *desc, bool wraps, gs_program **out) {
  enum { ROUNDS = 4, MOST = 64 };
  uint64_t doubted[MOST];
  gs_lower_options options = {.strict = input->options.strict, .wraps = wraps, .doubted = doubted};
  gs_status status = GS_OK;
  for (int round = 0;; round++) {
    status = gs_ir_lower(ir, index, desc, &options, out);
    if (status != GS_OK || round == ROUNDS)
      return status;
    uint32_t more = gs_find_doubtful_reads(*out, &input->options, doubted + options.doubted_count,
                                           MOST - options.doubted_count);
    if (!more)
      return status;
    options.doubted_count += more;
    if (round + 1 == ROUNDS || options.doubted_count == MOST) {
      doubted[0] = GS_ALL_READS;
      options.doubted_count = 1;
      round = ROUNDS - 1;
    }
    gs_program_free(*out);
  }
}

/// A kernel of the module under check.
typedef struct visit {
  gs_ir *ir;
  uint32_t index;
  const gs_input *input;
  gs_counters *counters;
  bool trial;
  // Decoded when a witness is to be run, once for all launches.
  bool decoded;
  gs_code *code;
  char *why; ///< it cannot be run
} visit;

static const gs_code *code_of(void *user, const char **why) {
  visit *v = user;
  if (!v->decoded && gs_ir_decode(v->ir, v->index, &v->code, &v->why) == GS_ERROR_MEMORY)
    *why = "out of memory";
  v->decoded = true;
  if (v->why)
    *why = v->why;
  return v->code;
}

static gs_status look_once(visit *v, const gs_kernel_desc *desc, const gs_options *options, gs_look look,
                           bool wraps, gs_result *result) {
  gs_program *program = NULL;
  bool proof_only = look == GS_LOOK_TRIAL || look == GS_LOOK_PROOF;
  gs_runner runner = {.code = code_of, .user = v};
  gs_status status = lower(v->ir, v->index, v->input, desc, wraps, &program);
  if (status == GS_OK)
    status = gs_check_once(program, options, look, proof_only ? NULL : &runner, result, v->counters);
  gs_program_free(program);
  return status;
}

static gs_status look_at(visit *v, const gs_kernel_desc *desc, const gs_options *options, gs_look look,
                         gs_result *result) {
  gs_result first = *result;
  gs_status status = look_once(v, desc, options, look, false, result);
  if (status != GS_OK || !result->contradicted)
    return status;
  *result = first; // what it holds is the arena's
  return look_once(v, desc, options, look, true, result);
}

static gs_status analyse(void *user, const gs_kernel_desc *desc, bool cheap, gs_result *result) {
  visit *v = user;
  gs_look look = v->trial ? GS_LOOK_TRIAL : cheap ? GS_LOOK_FIRST : GS_LOOK_WELL;
  return look_at(v, desc, &v->input->options, look, result);
}

static gs_status identify(gs_ir *ir, uint32_t index, const gs_input *input,
                          const gs_kernel_desc *desc, gs_kernel_result *out) {
  gs_sha256 identity;
  gs_identity_begin(&identity);
  gs_status status = gs_ir_identity(ir, index, &identity);
  if (status == GS_OK)
    gs_identity_end(&identity, input, desc, out);
  return status;
}

static gs_status check_kernel(gs_ir *ir, uint32_t index, const gs_input *input, gs_pool *arena,
                              gs_kernel_result *out) {
  uint64_t start = gs_now_us();
  const char *mangled = gs_ir_kernel_name(ir, index);
  const gs_kernel_desc *desc = find_desc(input, mangled);
  visit v = {.ir = ir, .index = index, .input = input, .counters = &out->counters};
  gs_result result = {.arena = arena};
  gs_counters tried = {0}; // not the verdict's work
  visit trial = {.ir = ir, .index = index, .input = input, .counters = &tried, .trial = true};
  gs_status status = gs_check_launches(desc, analyse, &v, &result);
  if (status == GS_OK) {
    gs_propose(desc, analyse, &trial, &result);
    gs_check_finish(mangled, desc, &input->options, &result, out);
  }
  if (status == GS_OK && (out->has_claims || input->options.thorough)) // else nobody sees it
    status = identify(ir, index, input, desc, out);
  gs_code_free(v.code);
  free(v.why);
  out->time_us = gs_now_us() - start;
  return status;
}

gs_status gs_check(struct LLVMOpaqueModule *module, const gs_input *input, gs_report **out,
                   char **error) {
  gs_ir *ir = NULL;
  gs_pool *arena = NULL;
  gs_kernel_result *kernels = NULL;
  *out = NULL;
  gs_status status = gs_ir_open(module, &ir, error);
  if (status != GS_OK)
    return status;
  gs_input adjusted = *input;
  adjusted.options.as_optimised |= gs_ir_is_optimised(ir);
  uint32_t count = gs_ir_kernel_count(ir);
  adjusted.options.crowd = count;
  status = gs_report_new(&adjusted, count, out, &arena, &kernels);
  for (uint32_t i = 0; i < count && status == GS_OK; i++)
    status = check_kernel(ir, i, &adjusted, arena, &kernels[i]);
  gs_ir_close(ir);
  return *out ? gs_report_close(status, out) : status;
}

// --------------------------------------------------------------- annotate ----

typedef struct annotations_box {
  gs_annotations all; ///< first: gs_annotations_free casts back
  gs_pool *arena;
} annotations_box;

/// One kernel of the source: its instances in the module.
typedef struct group {
  visit *visits;
  const gs_kernel_desc **descs;
  uint32_t count;
} group;

static gs_status look_at_instance(void *user, uint32_t instance, const gs_kernel_desc *desc,
                                  const gs_options *options, gs_look look, gs_result *result) {
  return look_at(&((group *)user)->visits[instance], desc, options, look, result);
}

static gs_status check_launches(void *user, uint32_t instance, const gs_kernel_desc *desc,
                                gs_result *result) {
  return gs_check_launches(desc, analyse, &((group *)user)->visits[instance], result);
}

static gs_program *lower_instance(void *user, uint32_t instance) {
  group *g = user;
  gs_program *program = NULL;
  visit *v = &g->visits[instance];
  if (lower(v->ir, v->index, v->input, g->descs[instance], false, &program) == GS_OK)
    gs_program_prune(program);
  return program;
}

/// Instances of a template have the place of their pattern, and its name.
static bool same_source(const gs_kernel_desc *a, const gs_kernel_desc *b) {
  size_t length = strcspn(a->name, "<");
  return a->loc.line == b->loc.line && a->loc.column == b->loc.column && a->loc.file && b->loc.file &&
         strcmp(a->loc.file, b->loc.file) == 0 && length == strcspn(b->name, "<") &&
         strncmp(a->name, b->name, length) == 0;
}

/// The instances of input kernel `first` in the module; none when an earlier one is among them.
static void gather(gs_ir *ir, const gs_input *input, uint32_t first, gs_counters *counters, group *out) {
  out->count = 0;
  for (uint32_t k = 0; k < input->kernel_count; k++) {
    if (!same_source(&input->kernels[first], &input->kernels[k]))
      continue;
    if (k < first) {
      out->count = 0;
      return;
    }
    for (uint32_t i = 0; i < gs_ir_kernel_count(ir); i++)
      if (strcmp(gs_ir_kernel_name(ir, i), input->kernels[k].mangled) == 0) {
        out->visits[out->count] = (visit){.ir = ir, .index = i, .input = input, .counters = counters};
        out->descs[out->count++] = &input->kernels[k];
      }
  }
}

static gs_status annotate_all(gs_ir *ir, const gs_input *input, gs_ask_launches_fn *ask, void *user,
                              group *g, annotations_box *box) {
  gs_annotation *items = gs_pool_alloc(box->arena, (input->kernel_count + 1u) * sizeof *items);
  gs_status status = items ? GS_OK : GS_ERROR_MEMORY;
  box->all.items = items;
  for (uint32_t k = 0; k < input->kernel_count && status == GS_OK; k++) {
    gs_counters counters = {0};
    gather(ir, input, k, &counters, g);
    if (!g->count)
      continue;
    gs_annotate_host host = {.descs = g->descs, .instance_count = g->count, .options = &input->options,
                             .look = look_at_instance, .check = check_launches, .lower = lower_instance,
                             .ask = ask, .ask_user = user, .user = g};
    gs_annotation *out = &items[box->all.count++];
    out->kernel = k;
    status = gs_annotate_kernel(&host, box->arena, out);
    for (uint32_t i = 0; i < g->count; i++) {
      gs_code_free(g->visits[i].code);
      free(g->visits[i].why);
    }
  }
  return status;
}

gs_status gs_annotate(struct LLVMOpaqueModule *module, const gs_input *input,
                      gs_ask_launches_fn *ask, void *user, gs_annotations **out, char **error) {
  gs_ir *ir = NULL;
  *out = NULL;
  gs_status status = gs_ir_open(module, &ir, error);
  if (status != GS_OK)
    return status;
  annotations_box *box = calloc(1, sizeof *box);
  size_t count = input->kernel_count + 1u;
  group g = {.visits = calloc(count, sizeof *g.visits), .descs = calloc(count, sizeof *g.descs)};
  if (box)
    box->arena = gs_pool_new();
  bool fine = box && box->arena && g.visits && g.descs;
  status = fine ? annotate_all(ir, input, ask, user, &g, box) : GS_ERROR_MEMORY;
  free(g.visits);
  free(g.descs);
  gs_ir_close(ir);
  if (box)
    *out = &box->all;
  if (status != GS_OK) {
    gs_annotations_free(*out);
    *out = NULL;
  }
  return status;
}

void gs_annotations_free(gs_annotations *annotations) {
  annotations_box *box = (annotations_box *)annotations;
  if (box)
    gs_pool_free(box->arena);
  free(box);
}

gs_status gs_dump(struct LLVMOpaqueModule *module, const gs_input *input, char **out,
                  char **error) {
  gs_ir *ir = NULL;
  *out = NULL;
  gs_status status = gs_ir_open(module, &ir, error);
  if (status != GS_OK)
    return status;
  uint32_t count = gs_ir_kernel_count(ir);
  gs_program **programs = calloc(count + 1u, sizeof *programs);
  status = programs ? GS_OK : GS_ERROR_MEMORY;
  for (uint32_t i = 0; i < count && status == GS_OK; i++)
    status = lower(ir, i, input, find_desc(input, gs_ir_kernel_name(ir, i)), false, &programs[i]);
  bool optimised = input->options.as_optimised || gs_ir_is_optimised(ir);
  if (status == GS_OK)
    *out = gs_text_print(programs, count, input->target, optimised);
  for (uint32_t i = 0; programs && i < count; i++)
    gs_program_free(programs[i]);
  free(programs);
  gs_ir_close(ir);
  return status == GS_OK && !*out ? GS_ERROR_MEMORY : status;
}
