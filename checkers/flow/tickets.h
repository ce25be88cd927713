// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the results of atomic operations say of each other: a slot that a thread took from
/// a counter is taken by nobody else, and only one thread wins a flag. How, and under which
/// conditions: tickets.md.
#ifndef GS_TICKETS_H
#define GS_TICKETS_H

#include "phases.h"
#include "program.h"

typedef struct gs_tickets gs_tickets;

typedef struct gs_tickets_options {
  bool strict;        ///< pointer arguments may overlap
  bool races_checked; ///< the verdict covers data races, so that plain writes are ordered
} gs_tickets_options;

/// \returns NULL when memory is short. The program must outlive it; its symbols so far are
/// the ones that are known.
gs_tickets *gs_tickets_new(const gs_program *program, const gs_tickets_options *options);
void gs_tickets_free(gs_tickets *tickets);

/// Of the symbols that are marked in `seen` (by symbol of the program), those that something
/// follows from: results as they were lowered, of another iteration, or after their loop.
/// \returns an array that the caller frees, NULL when there are none or memory is short.
uint32_t *gs_tickets_among(const gs_tickets *tickets, const unsigned char *seen, uint32_t *count);

/// Two threads, and the results that each of them has.
typedef struct gs_ticket_meeting {
  bool same_block;
  uint32_t tied;    ///< same_block: so many outer common loops are in the same iteration
  uint32_t loop[2]; ///< innermost loop of the thread's access
  gs_subst *subst[2]; ///< from the program's terms to the thread's
  const uint32_t *syms[2]; ///< from gs_tickets_among
  uint32_t count[2];
} gs_ticket_meeting;

/// Calls `add` for everything that holds of a result of one and one of the other.
void gs_tickets_facts(gs_tickets *tickets, const gs_ticket_meeting *meeting,
                      void (*add)(void *user, gs_term fact), void *user);

/// Was a fact made that takes the counter of this access not to wrap?
bool gs_tickets_assumed(const gs_tickets *tickets, uint32_t access);

#endif
