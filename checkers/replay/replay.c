// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch: blocks one after the other, the threads of each by turns.
#include "replay.h"

#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BUDGET = 10000000, MAX_TURN = 4, MAX_TOGETHER = 1 << 26 };

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

/// A block's threads and what they keep.
typedef struct block {
  gs_dim id;
  uint32_t phase;
  gs_thread *threads;
  uint64_t *regs;
  uint32_t *clocks; ///< of the threads, then of the arrivals
  gs_arrivals arrivals[GS_BARRIER_NUMBERS];
} block;

static void free_block(block *b) {
  free(b->threads);
  free(b->regs);
  free(b->clocks);
}

static bool new_block(const gs_machine *m, block *b) {
  size_t n = m->thread_count;
  *b = (block){.threads = calloc(n, sizeof *b->threads),
               .regs = malloc((n * m->code->reg_count + 1) * sizeof *b->regs),
               .clocks = malloc((n + GS_BARRIER_NUMBERS) * m->clock_size * sizeof *b->clocks)};
  if (b->threads && b->regs && b->clocks)
    return true;
  free_block(b);
  return false;
}

/// The machine goes on with this block.
static void enter_block(gs_machine *m, block *b) {
  m->ctaid = b->id;
  m->block = b->id.x + m->launch->grid.x * (b->id.y + m->launch->grid.y * b->id.z);
  m->phase = b->phase;
  m->threads = b->threads;
  m->arrivals = b->arrivals;
  if (m->handover)
    gs_handover_enter(m->handover, m->block);
}

static void start_block(gs_machine *m, block *b, gs_dim id, const uint64_t *image) {
  gs_dim size = m->launch->block;
  b->id = id;
  b->phase = 0;
  enter_block(m, b);
  memset(b->clocks, 0, (m->thread_count + GS_BARRIER_NUMBERS) * (size_t)m->clock_size * sizeof *b->clocks);
  for (uint32_t i = 0; i < m->thread_count; i++) {
    gs_thread *t = &m->threads[i];
    *t = (gs_thread){.index = i,
                     .tid = {i % size.x, i / size.x % size.y, i / size.x / size.y},
                     .regs = b->regs + (size_t)i * m->code->reg_count,
                     .clock = b->clocks + (size_t)i * m->clock_size};
    t->clock[gs_clock_entry(m->code, i)] = 1;
    t->watched = watched(m, t);
    memcpy(t->regs, image, m->code->reg_count * sizeof *image);
  }
  for (uint32_t i = 0; i < GS_BARRIER_NUMBERS; i++)
    b->arrivals[i] = (gs_arrivals){.clock = b->clocks + (size_t)(m->thread_count + i) * m->clock_size};
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

/// Do all who have not returned wait for the grid?
static bool all_at_grid(const gs_machine *m) {
  for (uint32_t i = 0; i < m->thread_count; i++)
    if (m->threads[i].state != GS_THREAD_EXITED && m->threads[i].state != GS_THREAD_AT_GRID)
      return false;
  return true;
}

/// Runs a block to its end, or to where it waits for the grid.
static void run_block(gs_machine *m) {
  while (!m->stop) {
    if (m->launch->watch_count) {
      run_watched(m);
      if (m->stop || all_exited(m))
        return;
    }
    while (!m->stop && run_turns(m))
      ;
    if (m->stop || all_exited(m) || all_at_grid(m))
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

static uint32_t blocks_of(const gs_replay_launch *launch) {
  uint64_t grid = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
  return launch->blocks ? launch->block_count : (uint32_t)(grid < UINT32_MAX ? grid : UINT32_MAX);
}

/// Blocks that wait for nobody, one after the other.
static void run_blocks(gs_machine *m, const uint64_t *image) {
  block b;
  if (!new_block(m, &b)) {
    gs_machine_end(m, GS_END_MEMORY);
    return;
  }
  for (uint32_t i = 0, count = blocks_of(m->launch); i < count && !m->stop; i++) {
    start_block(m, &b, block_at(m->launch, i), image);
    run_block(m);
  }
  free_block(&b);
}

/// Those that wait for the grid go on. \returns false when there are none.
static bool release_grid(gs_machine *m, block *blocks, uint32_t count) {
  bool any = false;
  m->epoch++;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < m->thread_count; j++) {
      gs_thread *t = &blocks[i].threads[j];
      if (t->state != GS_THREAD_AT_GRID)
        continue;
      t->state = GS_THREAD_RUNS;
      t->pc++;
      any = true;
    }
  return any;
}

/// Blocks that wait for each other: each up to the next barrier of the grid, by turns.
static void run_together(gs_machine *m, const uint64_t *image) {
  uint32_t count = blocks_of(m->launch), made = 0;
  uint64_t size = (uint64_t)m->thread_count * (m->code->reg_count + m->clock_size) * 8;
  block *blocks = count <= MAX_TOGETHER / size ? calloc(count + 1u, sizeof *blocks) : NULL;
  if (!blocks) {
    gs_machine_end(m, GS_END_MEMORY);
    return;
  }
  while (made < count && new_block(m, &blocks[made])) {
    start_block(m, &blocks[made], block_at(m->launch, made), image);
    made++;
  }
  if (made < count)
    gs_machine_end(m, GS_END_MEMORY);
  do {
    for (uint32_t i = 0; i < count && !m->stop; i++) {
      enter_block(m, &blocks[i]);
      run_block(m);
      blocks[i].phase = m->phase + 1;
    }
  } while (!m->stop && release_grid(m, blocks, count));
  for (uint32_t i = 0; i < made; i++)
    free_block(&blocks[i]);
  free(blocks);
}

static void copy_out(gs_machine *m) {
  static const uint32_t no_clock[GS_MAX_THREADS] = {0};
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
  if (!threads || threads > GS_MAX_THREADS)
    return;
  gs_machine m = {.code = code,
                  .launch = launch,
                  .result = out,
                  .thread_count = (uint32_t)threads,
                  .clock_size = code->wide ? (uint32_t)threads : GS_LANES,
                  .random = gs_mix(launch->seed),
                  .budget = launch->budget ? launch->budget : DEFAULT_BUDGET};
  m.memory = gs_memory_new(code, launch);
  m.handover = code->fences && !launch->watch_count ? gs_handover_new(m.thread_count) : NULL;
  uint64_t *image = first_registers(code, launch);
  if (m.memory && image && code->syncs_grid)
    run_together(&m, image);
  else if (m.memory && image)
    run_blocks(&m, image);
  else
    gs_machine_end(&m, GS_END_MEMORY);
  if (m.memory)
    copy_out(&m);
  free(image);
  gs_handover_free(m.handover);
  gs_memory_free(m.memory);
}
