// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Asynchronous copies in flight. What one reads and writes it may read and write at any time
/// until a wait of its thread completes it: the accesses of a copy are there again, as
/// *echoes*, behind every barrier that its thread passes before. How: flights.md.
#ifndef GS_FLIGHTS_H
#define GS_FLIGHTS_H

#include "program.h"

/// Adds echoes to the program, and fills its `flights` and `flight_uses`. Does nothing the
/// second time. To be called before anything looks at the accesses.
/// \returns false when memory is short.
bool gs_flights_find(gs_program *program);

#endif
