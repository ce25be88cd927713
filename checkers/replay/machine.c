// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread: control and memory.
#include "machine.h"

#include <string.h>

void gs_machine_end(gs_machine *m, gs_replay_end end) {
  if (!m->stop)
    m->result->end = end;
  m->stop = true;
}

void gs_machine_broke(gs_machine *m, gs_replay_event_kind kind, uint32_t line) {
  gs_replay_result *r = m->result;
  for (uint32_t i = 0; i < r->event_count; i++)
    if (r->events[i].kind == kind && r->events[i].line == line)
      return;
  if (r->event_count < GS_MAX_EVENTS)
    r->events[r->event_count++] = (gs_replay_event){kind, line};
}

// -------------------------------------------------------------- memory ----

static gs_date date_of(const gs_machine *m, const gs_thread *t, const gs_code_insn *insn) {
  return (gs_date){.block = m->block,
                   .thread = t->index,
                   .phase = m->phase,
                   .line = insn->line,
                   .clock = t->clock,
                   .epoch = m->epoch,
                   .fences = {m->handover ? gs_handover_fences(m->handover, t->index, false) : 0,
                              m->handover ? gs_handover_fences(m->handover, t->index, true) : 0},
                   .handover = m->handover};
}

/// Notes an access of one kind. \returns false when the run ends here.
static bool note(gs_machine *m, const gs_date *date, uint64_t address, uint64_t size,
                 gs_access_class class) {
  gs_replay_conflict c = {0}, met[GS_MAX_CONFLICTS];
  if (!gs_memory_inside(m->memory, address, size, &c.window, &c.offset)) {
    c.access[0] = (gs_replay_access){date->block, date->thread, date->line,
                                     gs_class_writes(class), gs_class_is_atomic(class)};
    c.size = (uint32_t)size;
    m->result->conflict = c;
    gs_machine_end(m, GS_END_BOUNDS);
    return false;
  }
  if (m->launch->watch_count)
    return true;
  uint32_t count = gs_memory_note(m->memory, date, address, size, class, met);
  for (uint32_t i = 0; i < count && !m->stop; i++) {
    bool ends = !m->launch->met || m->launch->met(m->launch->user, &met[i]);
    if (ends || !m->result->raced)
      m->result->conflict = met[i];
    m->result->raced = true;
    if (ends)
      gs_machine_end(m, GS_END_STOPPED);
  }
  if (gs_memory_failed(m->memory))
    gs_machine_end(m, GS_END_MEMORY);
  return !m->stop;
}

/// Notes what an access means to other blocks.
static void hand_over(gs_machine *m, const gs_code_insn *insn, const gs_thread *t, uint64_t address, uint64_t size,
                      gs_access_class class) {
  uint32_t window = gs_address_window(address);
  gs_window_kind kind = window < m->code->window_count ? m->code->windows[window].kind : GS_WINDOW_GLOBAL;
  if (!m->handover || kind == GS_WINDOW_CONSTANT || kind == GS_WINDOW_LOCAL)
    return;
  gs_date date = date_of(m, t, insn);
  bool reads = insn->op == GS_CODE_ATOMIC || insn->op == GS_CODE_CAS;
  gs_handover_note(m->handover, &date, address, size, class, kind != GS_WINDOW_GLOBAL, reads, t->clock[gs_clock_entry(m->code, t->index)]);
  if (gs_handover_failed(m->handover))
    gs_machine_end(m, GS_END_MEMORY);
}

/// Tells of an access of a watched thread, when it has been made.
static void touch(gs_machine *m, const gs_code_insn *insn, gs_thread *t, uint64_t address,
                  uint64_t size, uint64_t value, gs_access_class class) {
  const gs_replay_launch *l = m->launch;
  hand_over(m, insn, t, address, size, class);
  if (!l->touched || m->stop || (!l->everyone && t->watched == GS_NOBODY))
    return;
  const gs_thread *other = NULL;
  for (uint32_t i = 0; i < m->thread_count && l->watch_count > 1 && t->watched != GS_NOBODY; i++)
    if (m->threads[i].watched == 1 - t->watched)
      other = &m->threads[i];
  bool covered = other && gs_clock_covers(m->code, other->index, t->index);
  gs_replay_touch it = {.who = t->watched,
                        .block = m->ctaid,
                        .thread = t->index,
                        .ordinal = t->accesses++,
                        .phase = m->phase,
                        .epoch = m->epoch,
                        .clock = t->clock[gs_clock_entry(m->code, t->index)],
                        .knows = covered ? t->clock[gs_clock_entry(m->code, other->index)] : 0,
                        .address = address,
                        .size = size,
                        .value = value,
                        .window = gs_address_window(address),
                        .line = insn->line,
                        .insn = t->pc,
                        .is_write = gs_class_writes(class),
                        .is_atomic = gs_class_is_atomic(class),
                        .block_scope = class >= GS_CLASS_BLOCK_READ};
  it.offset = (int64_t)(address - gs_window_address(it.window));
  if (l->touched(l->user, &it))
    gs_machine_end(m, GS_END_STOPPED);
}

bool gs_replay_ordered(const gs_replay_touch *earlier, const gs_replay_touch *later,
                       bool same_block) {
  return earlier->epoch != later->epoch ||
         (same_block && (earlier->phase != later->phase ||
                         (later->knows && later->knows >= earlier->clock)));
}

static uint64_t add_floats(uint64_t old, uint64_t value, uint32_t width) {
  uint64_t out = 0;
  if (width == 32) {
    float a, b;
    memcpy(&a, &old, sizeof a);
    memcpy(&b, &value, sizeof b);
    a += b;
    memcpy(&out, &a, sizeof a);
  } else {
    double a, b;
    memcpy(&a, &old, sizeof a);
    memcpy(&b, &value, sizeof b);
    a += b;
    memcpy(&out, &a, sizeof a);
  }
  return out;
}

uint64_t gs_machine_updated(gs_code_atomic kind, uint64_t old, uint64_t value, uint32_t width) {
  int64_t x = gs_signed_of(old, width), y = gs_signed_of(value, width);
  switch (kind) {
  case GS_ATOMIC_XCHG: return value;
  case GS_ATOMIC_ADD: return old + value;
  case GS_ATOMIC_SUB: return old - value;
  case GS_ATOMIC_AND: return old & value;
  case GS_ATOMIC_OR: return old | value;
  case GS_ATOMIC_XOR: return old ^ value;
  case GS_ATOMIC_SMAX: return x > y ? old : value;
  case GS_ATOMIC_SMIN: return x < y ? old : value;
  case GS_ATOMIC_UMAX: return old > value ? old : value;
  case GS_ATOMIC_UMIN: return old < value ? old : value;
  case GS_ATOMIC_FADD: return add_floats(old, value, width);
  case GS_ATOMIC_INC: return old >= value ? 0 : old + 1;
  case GS_ATOMIC_DEC: return old == 0 || old > value ? value : old - 1;
  }
  return value;
}

static gs_access_class class_of(const gs_code_insn *insn, bool writes) {
  bool atomic = insn->op == GS_CODE_ATOMIC || insn->op == GS_CODE_CAS ||
                (insn->flags & GS_CODE_ATOMIC_ACCESS);
  if (!atomic)
    return writes ? GS_CLASS_WRITE : GS_CLASS_READ;
  if (insn->flags & GS_CODE_BLOCK_SCOPE)
    return writes ? GS_CLASS_BLOCK_ATOMIC : GS_CLASS_BLOCK_READ;
  return writes ? GS_CLASS_ATOMIC : GS_CLASS_ATOMIC_READ;
}

static void atomic(gs_machine *m, const gs_code_insn *insn, gs_thread *t) {
  gs_date date = date_of(m, t, insn);
  uint64_t *regs = t->regs, address = regs[insn->a], size = insn->width / 8u, old = 0;
  date.update = m->handover ? gs_handover_next(m->handover) : 0;
  if (!note(m, &date, address, size, class_of(insn, true)) ||
      !gs_memory_read(m->memory, &date, address, &old, size))
    return;
  uint64_t next = old;
  if (insn->op == GS_CODE_CAS) {
    if (old == regs[insn->b])
      next = regs[insn->c];
    regs[insn->dst + 1] = old == regs[insn->b];
  } else {
    next = gs_machine_updated((gs_code_atomic)insn->imm, old, regs[insn->b], insn->width) &
           gs_mask_of(insn->width);
  }
  regs[insn->dst] = old;
  gs_memory_write(m->memory, &date, address, &next, size);
  touch(m, insn, t, address, size, old, class_of(insn, true));
}

static void bulk(gs_machine *m, const gs_code_insn *insn, gs_thread *t) {
  enum { CHUNK = 64 };
  gs_date date = date_of(m, t, insn);
  uint64_t to = t->regs[insn->a], from = t->regs[insn->b], size = t->regs[insn->c];
  bool copy = insn->op == GS_CODE_COPY;
  uint8_t bytes[CHUNK];
  if (size > m->budget) {
    gs_machine_end(m, GS_END_BUDGET);
    return;
  }
  if (!size || (copy && !note(m, &date, from, size, GS_CLASS_READ)) ||
      !note(m, &date, to, size, GS_CLASS_WRITE))
    return;
  m->budget -= size;
  memset(bytes, (int)(from & 0xff), sizeof bytes);
  bool backward = copy && to > from; // as memmove does
  for (uint64_t done = 0; done < size;) {
    uint64_t n = size - done < CHUNK ? size - done : CHUNK;
    uint64_t at = backward ? size - done - n : done;
    if (copy)
      gs_memory_read(m->memory, &date, from + at, bytes, n);
    gs_memory_write(m->memory, &date, to + at, bytes, n);
    done += n;
  }
  if (copy)
    touch(m, insn, t, from, size, 0, GS_CLASS_READ);
  touch(m, insn, t, to, size, 0, GS_CLASS_WRITE);
}

void gs_machine_access(gs_machine *m, const gs_code_insn *insn, gs_thread *t) {
  gs_date date = date_of(m, t, insn);
  uint64_t address = t->regs[insn->a] + insn->imm, size = (insn->width + 7u) / 8u, value = 0;
  switch ((int)insn->op) {
  case GS_CODE_LOAD:
    if (note(m, &date, address, size, class_of(insn, false)) &&
        gs_memory_read(m->memory, &date, address, &value, size)) {
      t->regs[insn->dst] = value & gs_mask_of(insn->width);
      touch(m, insn, t, address, size, t->regs[insn->dst], class_of(insn, false));
    }
    break;
  case GS_CODE_STORE:
    value = t->regs[insn->b];
    if (note(m, &date, address, size, class_of(insn, true)) &&
        gs_memory_write(m->memory, &date, address, &value, size))
      touch(m, insn, t, address, size, value & gs_mask_of(insn->width), class_of(insn, true));
    break;
  case GS_CODE_COPY:
  case GS_CODE_FILL: bulk(m, insn, t); break;
  default: atomic(m, insn, t); break;
  }
}

// ------------------------------------------------------------- control ----

static void fence(gs_machine *m, const gs_code_insn *insn, const gs_thread *t) {
  gs_date date = date_of(m, t, insn);
  if (m->handover)
    gs_handover_fence(m->handover, &date, insn->flags & GS_CODE_BLOCK_SCOPE);
}

/// \returns false when the thread must wait or has ended.
static bool step(gs_machine *m, gs_thread *t, uint64_t *accesses) {
  const gs_code_insn *insn = &m->code->insns[t->pc];
  switch ((int)insn->op) {
  case GS_CODE_JUMP: t->pc = (uint32_t)insn->imm; return true;
  case GS_CODE_BRANCH: t->pc = t->regs[insn->a] ? insn->b : insn->c; return true;
  case GS_CODE_CASE:
    t->pc = t->regs[insn->a] == insn->imm ? insn->c : t->pc + 1;
    return true;
  case GS_CODE_EXIT: t->state = GS_THREAD_EXITED; return false;
  case GS_CODE_TRAP: gs_machine_end(m, GS_END_TRAPPED); return false;
  case GS_CODE_BARRIER:
  case GS_CODE_WAIT: t->state = GS_THREAD_AT_BARRIER; return false;
  case GS_CODE_SYNCGRID: t->state = GS_THREAD_AT_GRID; return false;
  case GS_CODE_ARRIVE: gs_machine_arrive(m, insn, t); break;
  case GS_CODE_SYNCWARP:
  case GS_CODE_SHUFFLE:
  case GS_CODE_VOTE:
  case GS_CODE_MATCH:
  case GS_CODE_REDUX: t->state = GS_THREAD_AT_WARP; return false;
  case GS_CODE_SREG: gs_machine_special(m, insn, t); break;
  case GS_CODE_FENCE: fence(m, insn, t); break;
  case GS_CODE_LOAD:
  case GS_CODE_STORE:
  case GS_CODE_ATOMIC:
  case GS_CODE_CAS:
  case GS_CODE_COPY:
  case GS_CODE_FILL:
    gs_machine_access(m, insn, t);
    if (*accesses)
      --*accesses;
    break;
  default: gs_machine_compute(m, insn, t->regs); break;
  }
  t->pc++;
  return true;
}

void gs_machine_thread(gs_machine *m, gs_thread *thread, uint64_t accesses) {
  do {
    if (!m->budget) {
      gs_machine_end(m, GS_END_BUDGET);
      return;
    }
    m->budget--;
    m->result->steps++;
    if (m->launch->stepped && thread->watched != GS_NOBODY)
      m->launch->stepped(m->launch->user, thread->watched, thread->pc, m->phase);
  } while (step(m, thread, &accesses) && !m->stop && accesses);
}
