// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to flights.c, which walks, and flight_terms.c, which writes what an echo touches.
#ifndef GS_FLIGHTS_PRIVATE_H
#define GS_FLIGHTS_PRIVATE_H

#include "flights.h"

enum { GS_FLIGHT_DEPTH = 6, GS_FLIGHT_MANY = 255 };

/// How the iterations of a place are related to those of the copy. Loops further out than
/// `crossed` are in the same iteration; those further in were entered since.
typedef struct gs_flight_spot {
  uint8_t crossed; ///< depth of the outermost loop around both that has gone round; 0 = none
  uint8_t count;   ///< ... so often; MANY = at least once
  uint8_t left[GS_FLIGHT_DEPTH + 1]; ///< by depth of a loop around the copy: 1 + how often it
                                     ///< went round before it was left; 0 = it was not left
  uint8_t since[GS_FLIGHT_DEPTH + 1]; ///< by depth of a loop around the place that was entered
                                      ///< since: how often it went round; MANY = at least once
} gs_flight_spot;

/// The access `copy` of block `from` as it is seen from block `at`; owned targets.
/// \returns false when memory is short.
bool gs_flight_echo(gs_program *program, uint32_t copy, uint32_t from, uint32_t at,
                    const gs_flight_spot *spot, gs_access *out);

#endif
