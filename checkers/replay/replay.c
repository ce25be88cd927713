// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch: blocks one after the other, the threads of each by turns.
#include "replay.h"

#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BUDGET = 10000000, MAX_TURN = 4, MAX_THREADS = 1024 };

uint64_t gs_replay_buffer(const gs_code *code, uint32_t index) {
  return gs_window_address(code->window_count + index);
}

const char *gs_replay_window_name(const gs_code *code, uint32_t window) {
  return window < code->window_count ? code->windows[window].name : NULL;
}

/// The registers that every thread starts with: constants and arguments.
static uint64_t *first_registers(const gs_code *code, const gs_replay_launch *launch) {
  uint64_t *image = malloc((code->reg_count + 1u) * sizeof *image);
  if (!image)
    return NULL;
  memcpy(image, code->image, code->reg_count * sizeof *image);
  for (uint32_t i = 0; i < code->param_count; i++) {
    const gs_code_param *p = &code->params[i];
    for (uint32_t j = 0; p->window == GS_NO_WINDOW && j < p->leaves; j++) {
      uint64_t bits = 0;
      memcpy(&bits, (const char *)launch->args[i] + p->offsets[j], (p->widths[j] + 7) / 8);
      image[p->reg + j] = bits & gs_mask_of(p->widths[j]);
    }
  }
  return image;
}

static bool same_dim(gs_dim a, gs_dim b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// The thread's number among those that the run is about.
static uint32_t watched(const gs_machine *m, const gs_thread *t) {
  for (uint32_t i = 0; i < m->launch->watch_count; i++)
    if (same_dim(m->launch->watch[i].block, m->ctaid) && same_dim(m->launch->watch[i].thread, t->tid))
      return i;
  return GS_NOBODY;
}

static void start_block(gs_machine *m, const uint64_t *image, uint64_t *regs) {
  gs_dim size = m->launch->block;
  m->phase = 0;
  for (uint32_t i = 0; i < m->thread_count; i++) {
    gs_thread *t = &m->threads[i];
    *t = (gs_thread){.index = i,
                     .tid = {i % size.x, i / size.x % size.y, i / size.x / size.y},
                     .regs = regs + (size_t)i * m->code->reg_count};
    t->clock[i % GS_LANES] = 1;
    t->watched = watched(m, t);
    memcpy(t->regs, image, m->code->reg_count * sizeof *image);
  }
}

/// The threads that the run is about, up to where they wait.
static bool run_watched(gs_machine *m) {
  bool any = false;
  for (uint32_t i = 0; i < m->thread_count && !m->stop; i++)
    if (m->threads[i].watched != GS_NOBODY && m->threads[i].state == GS_THREAD_RUNS) {
      any = true;
      gs_machine_thread(m, &m->threads[i], UINT64_MAX);
    }
  return any;
}

/// One turn of every thread that can run. \returns false when none can.
static bool run_turns(gs_machine *m) {
  bool any = false;
  uint32_t n = m->thread_count;
  uint32_t shift = m->launch->order == GS_ORDER_RANDOM ? (uint32_t)(gs_random(m) % n) : 0;
  for (uint32_t i = 0; i < n && !m->stop; i++) {
    uint32_t at = m->launch->order == GS_ORDER_BACKWARD ? n - 1 - i : (i + shift) % n;
    gs_thread *t = &m->threads[at];
    if (t->state != GS_THREAD_RUNS)
      continue;
    any = true;
    if (m->launch->order != GS_ORDER_RANDOM)
      gs_machine_thread(m, t, UINT64_MAX);
    else if (gs_random(m) & 1)
      gs_machine_thread(m, t, 1 + gs_random(m) % MAX_TURN);
  }
  return any;
}

/// Have all threads returned, or all that the run is about?
static bool all_exited(const gs_machine *m) {
  bool all = !m->launch->watch_count || m->launch->everyone;
  for (uint32_t i = 0; i < m->thread_count; i++)
    if ((all || m->threads[i].watched != GS_NOBODY) && m->threads[i].state != GS_THREAD_EXITED)
      return false;
  return true;
}

static void run_block(gs_machine *m) {
  while (!m->stop) {
    if (m->launch->watch_count) {
      run_watched(m);
      if (m->stop || all_exited(m))
        return;
    }
    while (!m->stop && run_turns(m))
      ;
    if (m->stop || all_exited(m))
      return;
    if (!gs_machine_release(m))
      gs_machine_end(m, GS_END_STUCK);
  }
}

static gs_dim block_at(const gs_replay_launch *launch, uint32_t i) {
  gs_dim size = launch->grid;
  return launch->blocks ? launch->blocks[i]
                        : (gs_dim){i % size.x, i / size.x % size.y, i / size.x / size.y};
}

static void run_blocks(gs_machine *m, uint64_t *image, uint64_t *regs) {
  const gs_replay_launch *launch = m->launch;
  uint64_t grid = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
  uint32_t count = launch->blocks ? launch->block_count
                                  : (uint32_t)(grid < UINT32_MAX ? grid : UINT32_MAX);
  for (uint32_t i = 0; i < count && !m->stop; i++) {
    m->ctaid = block_at(launch, i);
    m->block = m->ctaid.x + launch->grid.x * (m->ctaid.y + launch->grid.y * m->ctaid.z);
    start_block(m, image, regs);
    run_block(m);
  }
}

static void copy_out(gs_machine *m) {
  static const uint32_t no_clock[GS_LANES] = {0};
  gs_date date = {.clock = no_clock};
  for (uint32_t i = 0; i < m->launch->memory_count; i++) {
    const gs_replay_memory *memory = &m->launch->memory[i];
    uint64_t size = memory->after_size < memory->size ? memory->after_size : memory->size;
    if (memory->after)
      gs_memory_read(m->memory, &date, gs_replay_buffer(m->code, i), memory->after, size);
  }
}

void gs_replay_run(const gs_code *code, const gs_replay_launch *launch, gs_replay_result *out) {
  uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
  *out = (gs_replay_result){.end = GS_END_DONE};
  if (!threads || threads > MAX_THREADS)
    return;
  gs_machine m = {.code = code,
                  .launch = launch,
                  .result = out,
                  .thread_count = (uint32_t)threads,
                  .random = gs_mix(launch->seed),
                  .budget = launch->budget ? launch->budget : DEFAULT_BUDGET};
  m.memory = gs_memory_new(code, launch);
  m.threads = calloc(threads, sizeof *m.threads);
  uint64_t *image = first_registers(code, launch);
  uint64_t *regs = malloc((threads * code->reg_count + 1) * sizeof *regs);
  if (m.memory && m.threads && image && regs) {
    run_blocks(&m, image, regs);
    copy_out(&m);
  } else {
    out->end = GS_END_MEMORY;
  }
  free(regs);
  free(image);
  free(m.threads);
  gs_memory_free(m.memory);
}
