// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries about concrete threads: what holds of a launch, and the terms of an
/// access as one thread in one iteration executes it.
#ifndef GS_SCENE_H
#define GS_SCENE_H

#include "phases.h"
#include "program.h"

/// Default assumptions a proof may have used.
typedef enum gs_default {
  GS_DEFAULT_FLAT,    ///< axes the kernel does not read have size 1
  GS_DEFAULT_GRID,    ///< grid.d * block.d <= 2^31 - 1
  GS_DEFAULT_NOALIAS, ///< pointer arguments do not overlap
  GS_DEFAULT_EXITED,  ///< threads that returned count as arrived at barriers
  GS_DEFAULT_COUNT
} gs_default;

/// Who the two threads are and how their iterations relate.
typedef struct gs_meeting {
  bool same_block;
  bool one_thread; ///< only the first thread exists (bounds)
  bool self;       ///< same_block: the two are one thread, which does both
  bool in_phase;   ///< different blocks: `phase` counts
  uint8_t same, apart; ///< same_block: teams they share and do not share (gs_encounter)
  uint8_t group;       ///< and group
  gs_cophase phase; ///< same_block or in_phase: relation of the iterations
} gs_meeting;

static inline gs_meeting gs_meeting_of(const gs_encounter *e) {
  return (gs_meeting){.same_block = !e->across, .in_phase = e->in_phase, .same = e->same,
                      .apart = e->apart, .group = e->group, .phase = e->phase};
}

/// A conjunction over two threads. Arrays are owned by the scene and valid until
/// the next gs_scene_meet.
typedef struct gs_case {
  const gs_term *facts;
  size_t fact_count;
  gs_term offset[2]; ///< 64-bit byte offsets in the object
  gs_term size[2];   ///< bytes as terms (64 bits)
  uint32_t bytes[2]; ///< bytes when known, else 0
  gs_term value[2];  ///< integer stored, may be none
  uint32_t distinct[3][2]; ///< pairs of symbols of which one must differ
  uint32_t distinct_count;
  const gs_term *map[2]; ///< by symbol of the program: its term for that thread
} gs_case;

/// A thread somewhere in the kernel: not at an access, but where these terms hold of it.
typedef struct gs_spot {
  uint32_t loop;        ///< innermost loop around, GS_NONE = none
  const gs_term *holds; ///< width 1, each relative to the header of a loop around
  uint32_t count;
  bool plain; ///< no flag of `holds` is believed but those of loop counters
} gs_spot;

typedef struct gs_scene gs_scene;

typedef struct gs_scene_options {
  bool strict;
  bool races_checked; ///< the verdict covers data races: see tickets.h
  uint32_t sm;
} gs_scene_options;

/// \param program gets new symbols; must outlive the scene. NULL when memory is short.
gs_scene *gs_scene_new(gs_program *program, const gs_scene_options *options);
void gs_scene_free(gs_scene *scene);

/// What holds of every launch (contract, limits, assumptions), as terms.
const gs_term *gs_scene_launch_facts(const gs_scene *scene, size_t *count);
/// Adds a fact about the launch (a claim's count is not negative).
void gs_scene_assume(gs_scene *scene, gs_term fact);
/// The term with the launch's constants put in (block.x == 256 in a contract).
gs_term gs_scene_launch_term(gs_scene *scene, gs_term t);

/// Does the scene rest on this default? (GS_DEFAULT_FLAT and GS_DEFAULT_GRID.)
bool gs_scene_uses(const gs_scene *scene, gs_default assumption);
/// Did a case take the counter of this atomic access to stay in the range of its type?
bool gs_scene_assumes_counter(const gs_scene *scene, uint32_t access);
/// The axes whose size the scene does not take to be 1: bits 0 to 2 block.{x,y,z}, 3 to 5
/// grid.{x,y,z}.
uint32_t gs_scene_axes(const gs_scene *scene);
/// Some clause of the contract or the options could not be turned into a fact.
bool gs_scene_dropped_clause(const gs_scene *scene);

/// Builds the case "thread 1 executes target t1 of access a1, thread 2 target t2
/// of a2". Facts hold the guards of both, what is known of their symbols, and
/// the launch's. \returns false when memory is short.
bool gs_scene_meet(gs_scene *scene, const gs_phases *phases, const gs_meeting *meeting,
                   uint32_t a1, uint32_t t1, uint32_t a2, uint32_t t2, gs_case *out);

/// The same for two threads that are at no access: offsets and sizes of the case stay 0.
bool gs_scene_meet_spots(gs_scene *scene, const gs_phases *phases, const gs_meeting *meeting,
                         const gs_spot spots[2], gs_case *out);
/// Narrows the latest case, which is *c: `fact`, about its threads, holds too. None is
/// allowed. \returns false when memory is short.
bool gs_scene_require(gs_scene *scene, gs_term fact, gs_case *c);

/// A term of the program for thread `who` (0 or 1) of the latest case.
gs_term gs_scene_term(gs_scene *scene, int who, gs_term t);

/// Symbols the program had when the scene was made.
uint32_t gs_scene_sym_count(const gs_scene *scene);

#endif
