// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to scene.c, which puts threads in, and scene_launch.c, which learns what holds of
/// every launch.
#ifndef GS_SCENE_PRIVATE_H
#define GS_SCENE_PRIVATE_H

#include "scene.h"
#include "tickets.h"

/// What must hold where an access happens, before a thread is put in.
typedef struct needs {
  gs_term *terms;
  uint32_t count;
  uint32_t *tickets; ///< results of atomic operations among the symbols
  uint32_t ticket_count;
  bool built;
} needs;

/// How symbols map for one kind of meeting; kept, as many pairs share one.
typedef struct mapping {
  bool used;
  gs_meeting meeting;
  bool warps_agree, blocks_agree; ///< see gs_phases_votes_hold
  uint32_t loop[2]; ///< innermost loops of the two accesses
  gs_term *map[2];
  gs_subst *subst[2];
  gs_term extra; ///< relation of the trip numbers; may be none
  gs_term kinship; ///< what teams the two are of; may be none
  uint64_t stamp;
} mapping;

enum { MAX_MAPPINGS = 24 };

struct gs_scene {
  gs_program *program;
  gs_terms *terms;
  gs_scene_options options;
  uint32_t sym_count;
  gs_term *fixed;      ///< by symbol: a constant, or 0
  gs_term *copies[2];  ///< by symbol: its copy for a thread, made when needed
  gs_term *launch;     ///< facts of the launch
  uint32_t launch_count, launch_capacity;
  needs *needs;        ///< by access
  gs_tickets *tickets;
  mapping mappings[MAX_MAPPINGS];
  uint64_t stamp;
  mapping *current;
  gs_term *facts;
  uint32_t fact_count, fact_capacity;
  uint32_t axes; ///< axes that are not flat, as gs_program.axes_used
  bool flat, grid, dropped, failed;
};

/// Appends what is not trivially true.
void gs_scene_push(gs_scene *scene, gs_term **array, uint32_t *count, uint32_t *capacity, gs_term t);
/// Splits a conjunction into single facts.
void gs_scene_add_conjuncts(gs_scene *scene, gs_term t, void (*add)(gs_scene *, gs_term));
/// Facts of the launch, and the constants that they fix. scene->failed tells of a failure.
void gs_scene_learn_launch(gs_scene *scene);

static inline uint32_t gs_scene_sym_of(const gs_scene *scene, gs_term t) {
  return (uint32_t)gs_term_node(scene->terms, t)->value;
}

#endif
