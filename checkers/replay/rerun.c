// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rerun.h"

#include <stdlib.h>
#include <string.h>

struct gs_rerun {
  const gs_code *code;
  const gs_witness *witness;
  gs_replay_launch launch;
  void *user;
  gs_replay_watch watch[2];
  gs_dim blocks[2];
  const void **args;
  uint8_t *bytes;           ///< of all arguments
  gs_replay_memory *memory; ///< one for each pointer of the witness
  uint32_t *buffer_of;      ///< of each argument that is a pointer: index into `memory`
};

// --------------------------------------------------------------- arrays ----

static uint32_t find_window(const gs_code *code, const gs_array_ref *array) {
  for (uint32_t w = 0; w < code->window_count; w++) {
    const gs_window *window = &code->windows[w];
    if (array->kind == GS_ARRAY_DYNAMIC ? window->kind == GS_WINDOW_DYNAMIC
                                        : window->kind != GS_WINDOW_LOCAL && array->symbol &&
                                              strcmp(window->name, array->symbol) == 0)
      return w;
  }
  return GS_NO_WINDOW;
}

/// The value of a pointer argument.
static uint64_t pointer_value(const gs_rerun *r, uint32_t argument) {
  enum { ALIGNMENT = 256 };
  const gs_actual *a = &r->witness->arguments[argument];
  return a->value ? gs_replay_buffer(r->code, r->buffer_of[argument]) + a->value % ALIGNMENT : 0;
}

bool gs_rerun_address(const gs_rerun *r, const gs_array_ref *array, uint64_t *address) {
  const gs_witness *w = r->witness;
  if (array->kind == GS_ARRAY_PRIVATE)
    return false;
  if (array->kind != GS_ARRAY_PARAM) {
    uint32_t window = find_window(r->code, array);
    *address = window == GS_NO_WINDOW ? 0 : gs_window_address(window);
    return window != GS_NO_WINDOW;
  }
  for (uint32_t i = 0; i < w->argument_count; i++)
    if (w->arguments[i].is_pointer && w->arguments[i].param == array->param &&
        w->arguments[i].offset == array->offset) {
      *address = pointer_value(r, i);
      return true;
    }
  return false;
}

static void fill(void *user, uint32_t window, int64_t offset, uint8_t *bytes, size_t count) {
  const gs_rerun *r = user;
  const gs_witness *w = r->witness;
  uint64_t begin = gs_window_address(window) + (uint64_t)offset;
  memset(bytes, 0, count);
  for (uint32_t i = 0; i < w->cell_count; i++) {
    const gs_cell *c = &w->cells[i];
    uint64_t address = 0;
    if (!gs_rerun_address(r, &c->array, &address))
      continue;
    for (uint32_t b = 0; b < (c->bits + 7u) / 8u; b++) {
      uint64_t at = address + (uint64_t)c->offset + b - begin;
      if (at < count)
        bytes[at] = (uint8_t)(c->value >> (8 * b));
    }
  }
}

// ------------------------------------------------------------ arguments ----

/// The pointer argument, before this one, whose buffer it shares; else itself.
static uint32_t owner_of(const gs_witness *w, uint32_t argument) {
  const gs_actual *a = &w->arguments[argument];
  for (uint32_t i = 0; i < w->alias_count && !a->offset; i++) {
    const gs_alias *alias = &w->aliases[i];
    if (!alias->exact || alias->param != a->param)
      continue;
    for (uint32_t j = 0; j < argument; j++)
      if (w->arguments[j].is_pointer && w->arguments[j].param == alias->of && !w->arguments[j].offset)
        return owner_of(w, j);
  }
  return argument;
}

static bool put_arguments(gs_rerun *r) {
  const gs_witness *w = r->witness;
  for (uint32_t i = 0; i < w->argument_count; i++) {
    r->buffer_of[i] = owner_of(w, i);
    r->memory[i] = (gs_replay_memory){.size = UINT64_MAX};
  }
  for (uint32_t i = 0; i < w->argument_count; i++) {
    const gs_actual *a = &w->arguments[i];
    uint64_t size = (a->bits + 7u) / 8u, value = a->is_pointer ? pointer_value(r, i) : a->value;
    if (a->param >= r->code->param_count || size > 8 ||
        (uint64_t)a->offset + size > r->code->params[a->param].size)
      return false;
    memcpy((uint8_t *)(uintptr_t)r->args[a->param] + a->offset, &value, size);
  }
  return true;
}

static bool same_dim(gs_dim a, gs_dim b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool fits(gs_dim a, gs_dim size) { return a.x < size.x && a.y < size.y && a.z < size.z; }

static bool setup(gs_rerun *r) {
  const gs_witness *w = r->witness;
  uint32_t n = r->code->param_count;
  size_t total = 0;
  for (uint32_t i = 0; i < n; i++)
    total += ((size_t)r->code->params[i].size + 15) / 8 * 8;
  r->args = calloc(n + 1u, sizeof *r->args);
  r->bytes = calloc(total + 8, 1);
  r->memory = calloc(w->argument_count + 1u, sizeof *r->memory);
  r->buffer_of = calloc(w->argument_count + 1u, sizeof *r->buffer_of);
  if (!r->args || !r->bytes || !r->memory || !r->buffer_of)
    return false;
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    r->args[i] = r->bytes + at;
    at += ((size_t)r->code->params[i].size + 15) / 8 * 8;
  }
  uint32_t threads = w->thread_count < 2 ? w->thread_count : 2;
  for (uint32_t i = 0; i < threads; i++) {
    r->watch[i] = (gs_replay_watch){w->ctaid[i], w->thread[i]};
    r->blocks[i] = w->ctaid[i];
    if (!fits(w->thread[i], w->block) || !fits(w->ctaid[i], w->grid))
      return false;
  }
  r->launch = (gs_replay_launch){
      .grid = w->grid,
      .block = w->block,
      .blocks = threads ? r->blocks : NULL, // no threads: the whole launch
      .block_count = threads == 2 && !same_dim(w->ctaid[0], w->ctaid[1]) ? 2 : 1,
      .dynamic_smem = w->dynamic_smem,
      .args = r->args,
      .memory = r->memory,
      .memory_count = w->argument_count,
      .fill = fill,
      .watch = r->watch,
      .watch_count = threads,
      .user = r};
  return put_arguments(r);
}

gs_rerun *gs_rerun_new(const gs_code *code, const gs_witness *witness) {
  gs_rerun *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  r->code = code;
  r->witness = witness;
  if (setup(r))
    return r;
  gs_rerun_free(r);
  return NULL;
}

void gs_rerun_free(gs_rerun *r) {
  if (!r)
    return;
  free(r->args);
  free(r->bytes);
  free(r->memory);
  free(r->buffer_of);
  free(r);
}

gs_replay_launch *gs_rerun_launch(gs_rerun *r) { return &r->launch; }

void gs_rerun_set_user(gs_rerun *r, void *user) { r->user = user; }

void *gs_rerun_user(void *rerun) { return ((gs_rerun *)rerun)->user; }

// -------------------------------------------------------------- confirm ----

enum { MAX_TOUCHES = 4096 };

/// Looks for the witness while it runs.
typedef struct search {
  const gs_rerun *rerun;
  const gs_witness *witness;
  const gs_rerun_claim *claim;
  uint64_t byte; ///< address of the byte in question
  bool is_private, same_block, found, full;
  gs_rerun_hit hit;
  gs_replay_touch kept[2][MAX_TOUCHES]; ///< of that byte, by thread
  uint32_t count[2];
} search;

/// Does a thread's access fit one of the two accesses of the claim?
static bool fits_access(const gs_rerun_claim *c, const gs_replay_touch *t, uint32_t which) {
  return t->line == c->line[which] && (t->is_write == c->is_write[which] || c->is_atomic[which]) &&
         t->is_atomic == c->is_atomic[which];
}

static bool touches_byte(const search *s, const gs_replay_touch *t) {
  if (!s->is_private)
    return s->byte - t->address < t->size;
  uint64_t at = (uint64_t)(s->witness->byte_offset - t->offset);
  return t->window < s->rerun->code->window_count &&
         s->rerun->code->windows[t->window].kind == GS_WINDOW_LOCAL && at < t->size;
}

static bool conflict(const search *s, const gs_replay_touch *before, const gs_replay_touch *now) {
  bool whole = before->address == now->address && before->size == now->size;
  bool atomic = before->is_atomic && now->is_atomic && whole &&
                (s->same_block || (!before->block_scope && !now->block_scope));
  if (!before->is_write && !now->is_write)
    return false;
  return !s->claim->barriers_order || (!atomic && !gs_replay_ordered(before, now, s->same_block));
}

static bool on_touch(void *user, const gs_replay_touch *t) {
  search *s = gs_rerun_user(user);
  uint32_t other = 1 - t->who;
  if (!fits_access(s->claim, t, t->who) || !touches_byte(s, t))
    return false;
  s->hit.ordinal[t->who] = t->ordinal;
  s->hit.phase[t->who] = t->phase;
  s->found |= s->witness->thread_count < 2;
  for (uint32_t i = s->count[other]; i > 0 && !s->found; i--) {
    const gs_replay_touch *before = &s->kept[other][i - 1];
    s->found = conflict(s, before, t);
    s->hit.ordinal[other] = before->ordinal;
    s->hit.phase[other] = before->phase;
  }
  if (s->count[t->who] < MAX_TOUCHES)
    s->kept[t->who][s->count[t->who]++] = *t;
  else
    s->full = true;
  return s->found;
}

gs_rerun_verdict gs_rerun_confirm(const gs_code *code, const gs_witness *witness,
                                  const gs_rerun_claim *claim, uint64_t budget, uint64_t *steps,
                                  gs_replay_end *end, gs_rerun_hit *hit) {
  gs_replay_result result = {.end = GS_END_MEMORY};
  gs_rerun *r = gs_rerun_new(code, witness);
  search *s = calloc(1, sizeof *s);
  bool found = false, full = false;
  if (r && s) {
    *s = (search){.rerun = r, .witness = witness, .claim = claim};
    s->is_private = !gs_rerun_address(r, &witness->array, &s->byte);
    s->byte += (uint64_t)witness->byte_offset;
    s->same_block = same_dim(witness->ctaid[0], witness->ctaid[1]);
    r->launch.budget = budget;
    r->launch.touched = on_touch;
    r->user = s;
    gs_replay_run(code, &r->launch, &result);
    found = s->found;
    full = s->full;
    if (hit)
      *hit = s->hit;
  }
  *steps = result.steps;
  *end = result.end;
  free(s);
  gs_rerun_free(r);
  if (found)
    return GS_RERUN_CONFIRMED;
  return result.end == GS_END_DONE && !full ? GS_RERUN_REFUTED : GS_RERUN_REFUSED;
}

// --------------------------------------------------------------- visits ----

/// What the threads of a witness come to while it runs.
typedef struct visits {
  const gs_code *code;
  const gs_rerun_place *place;
  uint64_t count[2], order[2]; ///< how many, and a hash of which and when
  uint64_t branches[2];        ///< visits of the branch
} visits;

static bool is_stop(const gs_code_insn *insn, gs_rerun_stop stop) {
  switch ((int)insn->op) {
  case GS_CODE_LOAD:
  case GS_CODE_STORE:
  case GS_CODE_ATOMIC:
  case GS_CODE_CAS:
  case GS_CODE_COPY:
  case GS_CODE_FILL: return stop == GS_STOP_ACCESS;
  case GS_CODE_BARRIER: return stop == GS_STOP_BARRIER;
  case GS_CODE_SYNCWARP:
  case GS_CODE_SHUFFLE:
  case GS_CODE_VOTE:
  case GS_CODE_MATCH:
  case GS_CODE_REDUX: return stop == GS_STOP_WARP;
  case GS_CODE_TRAP: return stop == GS_STOP_TRAP;
  default: return false;
  }
}

static void on_step(void *user, uint32_t who, uint32_t insn, uint32_t phase) {
  visits *v = gs_rerun_user(user);
  const gs_code_insn *at = &v->code->insns[insn];
  (void)phase;
  if (v->place->branch && at->line == v->place->branch && (at->op == GS_CODE_BRANCH || at->op == GS_CODE_CASE))
    v->branches[who]++;
  if (at->line != v->place->line || !is_stop(at, v->place->stop))
    return;
  v->count[who]++;
  v->order[who] = (v->order[who] * UINT64_C(0x9e3779b97f4a7c15) + v->branches[who]) * UINT64_C(0x9e3779b97f4a7c15) + insn + 1;
}

gs_rerun_verdict gs_rerun_visit(const gs_code *code, const gs_witness *witness, const gs_rerun_place *place,
                                uint64_t budget, uint64_t *steps, gs_replay_end *end) {
  gs_replay_result result = {.end = GS_END_MEMORY};
  visits v = {.code = code, .place = place};
  gs_rerun *r = gs_rerun_new(code, witness);
  if (r) {
    r->launch.budget = budget;
    r->launch.stepped = on_step;
    r->user = &v;
    gs_replay_run(code, &r->launch, &result);
  }
  gs_rerun_free(r);
  *steps = result.steps;
  *end = result.end;
  bool came = v.count[0] > 0;
  bool ended = result.end == GS_END_DONE || result.end == GS_END_DIVERGED || result.end == GS_END_STUCK;
  if (witness->thread_count > 1)
    came = ended && (v.count[0] != v.count[1] || v.order[0] != v.order[1]);
  if (came)
    return GS_RERUN_CONFIRMED;
  return result.end == GS_END_DONE ? GS_RERUN_REFUTED : GS_RERUN_REFUSED;
}

// ------------------------------------------------------------ unwritten ----

/// Who reads and writes the byte of a witness.
typedef struct readers {
  search byte;
  uint32_t line;
  bool read, written;
} readers;

static bool on_any_touch(void *user, const gs_replay_touch *t) {
  readers *all = gs_rerun_user(user);
  if (!touches_byte(&all->byte, t))
    return false;
  all->written |= t->is_write;
  all->read |= !t->is_write && t->who == 0 && t->line == all->line;
  return all->written;
}

gs_rerun_verdict gs_rerun_unwritten(const gs_code *code, const gs_witness *witness, uint32_t line,
                                    uint64_t budget, uint64_t *steps, gs_replay_end *end) {
  gs_replay_result result = {.end = GS_END_MEMORY};
  readers *all = calloc(1, sizeof *all);
  gs_rerun *r = gs_rerun_new(code, witness);
  bool read = false, written = false;
  if (r && all) {
    *all = (readers){.line = line};
    all->byte.rerun = r;
    all->byte.witness = witness;
    all->byte.is_private = !gs_rerun_address(r, &witness->array, &all->byte.byte);
    all->byte.byte += (uint64_t)witness->byte_offset;
    r->launch.budget = budget;
    r->launch.touched = on_any_touch;
    r->launch.everyone = true;
    r->user = all;
    gs_replay_run(code, &r->launch, &result);
    read = all->read;
    written = all->written;
  }
  gs_rerun_free(r);
  free(all);
  *steps = result.steps;
  *end = result.end;
  if (written)
    return GS_RERUN_REFUTED;
  if (result.end != GS_END_DONE)
    return GS_RERUN_REFUSED;
  return read ? GS_RERUN_CONFIRMED : GS_RERUN_REFUTED;
}

const char *gs_replay_end_words(gs_replay_end end) {
  switch (end) {
  case GS_END_DONE: return "more accesses to one byte than are kept";
  case GS_END_STOPPED: return "stopped";
  case GS_END_BOUNDS: return "an access outside of its array comes first";
  case GS_END_DIVERGED: return "threads of a block wait at different barriers";
  case GS_END_STUCK: return "threads wait for others that never come";
  case GS_END_TRAPPED: return "a trap or a failed assertion comes first";
  case GS_END_BUDGET: return "the budget of instructions is spent";
  case GS_END_MEMORY: return "the launch cannot be set up";
  }
  return "";
}
