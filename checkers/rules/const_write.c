// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// const-write: a write to memory that is constant, or through a pointer to const. The
// page is const-write.md.
#include "lone.h"

/// What says that the memory is not to be written; NULL = nothing does.
static const char *promise(const gs_kernel *k, const gs_object *object, bool *certain) {
  *certain = true;
  if (object->kind == GS_OBJECT_CONSTANT)
    return "which is constant memory or a const object";
  if (object->kind != GS_OBJECT_PARAM || object->offset || !k->desc ||
      object->param >= k->desc->param_count || !k->desc->params[object->param].const_pointee)
    return NULL;
  // The compiler may read what such a pointer points to through a cache that never sees it.
  *certain = k->desc->params[object->param].is_restrict;
  return *certain ? "which is declared to point to const and __restrict__"
                  : "which is declared to point to const";
}

static void check(gs_kernel *k, uint32_t a, uint32_t t) {
  gs_pool *arena = k->result->arena;
  const gs_access *access = &k->program->accesses[a];
  const gs_object *object = &k->program->objects[access->targets[t].object];
  bool certain = true;
  const char *why = promise(k, object, &certain);
  gs_loc loc = gs_place_loc(k->program, access->place);
  if (!why || !gs_lone_is_new(k, GS_RULE_CONST_WRITE, loc))
    return;
  gs_lone lone;
  gs_finding f;
  gs_answer answer = gs_lone_access(k, GS_RULE_CONST_WRITE, a, t, GS_NO_TERM, &lone);
  if (lone.exact && !certain) {
    lone.exact = false;
    lone.reason = "whether the memory behind the pointer is const";
  }
  if (answer == GS_ANSWER_DONT_KNOW)
    gs_report_unknown(k, GS_RULE_CONST_WRITE, loc, "that nothing const is written",
                      "the solver gave up within its budget");
  else if (answer == GS_ANSWER_YES && gs_lone_finding(k, &lone, loc, object, &f)) {
    f.message = gs_pool_format(arena, "%swrite to '%s', %s: %s %s '%s', when launched with %s",
                               gs_lone_doubt(&f), gs_object_words(object), why,
                               gs_words_thread(k, f.witness, 0), gs_words_verb(access),
                               gs_words_element(k, f.witness, object), gs_words_launch(k, f.witness));
    gs_lone_report(k, &f, "write to memory that is not const, or take the const off its declaration");
  }
  gs_lone_free(&lone);
}

void gs_rule_const_write(gs_kernel *k) {
  for (uint32_t a = 0; a < k->program->access_count; a++)
    for (uint32_t t = 0; k->program->accesses[a].is_write && !k->program->accesses[a].echo && t < k->program->accesses[a].target_count; t++)
      check(k, a, t);
}
