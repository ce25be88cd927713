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

/// The access whose result a symbol is, as it was lowered or at another iteration or the
/// end of a loop, if something follows from it; else GS_NONE.
uint32_t gs_tickets_of(const gs_tickets *tickets, uint32_t sym);

/// Two results as two threads have them.
typedef struct gs_ticket_pair {
  uint32_t sym[2];    ///< of the program; gs_tickets_of knows both
  gs_term result[2];  ///< the symbol as that thread has it
  gs_subst *subst[2]; ///< from the program's terms to the thread's
  bool same_block;
  uint32_t tied; ///< same_block: so many outer common loops are in the same iteration
  uint32_t loop[2]; ///< innermost loop of the thread's access
} gs_ticket_pair;

/// What holds of both; GS_NO_TERM when nothing does.
gs_term gs_tickets_fact(gs_tickets *tickets, const gs_ticket_pair *pair);

/// Was a fact made that takes the counter of this access not to wrap?
bool gs_tickets_assumed(const gs_tickets *tickets, uint32_t access);

#endif
