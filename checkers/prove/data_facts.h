// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a contract says about the contents of arrays (injective, monotone, in_range), put
/// to the loads of one question.
///
/// Such a clause speaks of all elements; a question needs it for those few that its
/// terms load. data_facts.md says which instances are made and why they suffice.
#ifndef GS_DATA_FACTS_H
#define GS_DATA_FACTS_H

#include "affine.h"
#include "scene.h"

typedef struct gs_data_facts gs_data_facts;

/// Is `goal` impossible? Asked about one thread, or about the launch; may cost little.
typedef bool (*gs_data_refute_fn)(void *user, const gs_term *facts, size_t count);

/// \returns NULL when the contract says nothing about data, or memory is short.
gs_data_facts *gs_data_facts_new(gs_program *program, gs_scene *scene, uint32_t sm);
void gs_data_facts_free(gs_data_facts *data);

/// Adds to a case what is known of the arrays that it loads from. Every fact that is added
/// follows from the contract.
/// \param extra may be none; holds as well
/// \param out   *c with more facts, valid until the next call
/// \returns false when nothing is added.
bool gs_data_facts_extend(gs_data_facts *data, const gs_case *c, gs_term extra,
                          gs_data_refute_fn refute, void *user, gs_case *out);

/// Did the latest case load more than what is put in: may a model of it contradict what the
/// contract says of the data? Also true where a clause about data is not understood.
bool gs_data_facts_partial(const gs_data_facts *data);

#endif
