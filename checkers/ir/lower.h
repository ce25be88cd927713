// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to ir/: the state of lowering one kernel.
#ifndef GS_LOWER_H
#define GS_LOWER_H

#include "cfg.h"
#include "matrix.h"

/// A value seen so far. Terms are in the context of the block that defines it.
typedef struct gs_memo {
  LLVMValueRef value;
  gs_term term;
} gs_memo;

/// A phi at a loop header that has been used before its loop is closed.
typedef struct gs_pending {
  LLVMValueRef phi;
  uint32_t loop;
  gs_term holder; ///< the GS_SYM_PHI symbol's term
  gs_term init, next; ///< value on entry; value of the next iteration
  bool done;
} gs_pending;

/// An access as collected; its pointer becomes targets at the end.
typedef struct gs_raw_access {
  gs_access access;
  gs_term pointer;
  gs_term guard; ///< of its own, beside the block's; may be none
  uint32_t block;
  LLVMValueRef load; ///< of plain reads
} gs_raw_access;

/// A read whose value is taken for one of the block.
typedef struct gs_common_read {
  LLVMValueRef load;
  gs_term value;
} gs_common_read;

/// A possibly written place, found before lowering.
typedef struct gs_written {
  LLVMValueRef *roots; ///< arguments, globals; the loads of fields come as `fields`
  uint32_t root_count, root_capacity;
  uint64_t *fields; ///< parameter << 32 | offset of pointers kept in by-value structs
  uint32_t field_count, field_capacity;
  bool unknown; ///< something unknown is written: anything may be
} gs_written;

/// State of each loop while lowering.
typedef struct gs_loop_state {
  gs_term *exits; ///< by symbol: its value after the loop, or 0
  uint32_t exit_capacity;
  bool closed;     ///< its blocks are lowered
  bool settling;   ///< inside gs_lower_settle
  gs_term entry;   ///< guard of entering, relative to the parent
  gs_term again;   ///< relative to the header
  gs_term live_entry, live_again; ///< the same for threads that do not return before
  gs_term exit_trip; ///< trip number of the last iteration; 0 until it is needed
} gs_loop_state;

typedef struct gs_lowering {
  gs_ir *ir;
  LLVMValueRef function;
  const gs_lower_options *options;
  gs_program *program;
  gs_terms *terms;
  gs_cfg cfg;
  gs_memo *memo; ///< open addressing by value
  uint32_t memo_count, memo_capacity;
  LLVMValueRef *memo_keys; ///< memo_count of them, in the order in which they came: that of
                           ///< the table hangs on addresses
  uint32_t memo_keys_capacity;
  uint64_t trip_work; ///< left for counting the trips of loops
  gs_term nowhere; ///< what gs_lower_memo points to when memory is short
  gs_term *guards; ///< by block, relative to the innermost loop
  bool *has_barrier; ///< by block: it holds a barrier
  gs_term *lives;  ///< the same, given that the thread does not return before
  gs_term *conditions; ///< by block: condition of its two-way branch, or 0
  gs_loop_state *loops;
  gs_pending *pending;
  uint32_t pending_count, pending_capacity;
  gs_term *settled; ///< by symbol of a place holder: its closed form, or 0
  uint32_t settled_capacity;
  gs_raw_access *raw;
  uint32_t raw_count, raw_capacity;
  gs_dependence *depends; ///< levels follow from these (gs_lower_depend)
  uint32_t depend_count, depend_capacity;
  gs_common_read *common;
  uint32_t common_count, common_capacity;
  uint32_t *sym_object; ///< by symbol: object whose address it is, GS_NONE
  uint32_t sym_object_capacity;
  gs_written written;
  uint32_t fact_capacity, place_capacity, origin_capacity, gap_capacity, object_capacity,
      barrier_capacity, warp_op_capacity, text_capacity, text_count;
  char **texts; ///< owned by the program afterwards
  uint32_t *place_heads, *origin_heads; ///< by hash: the latest of its chain, 0 = none
  uint32_t *place_next, *origin_next;   ///< by place and origin: the one before in its chain
  uint32_t place_next_capacity, origin_next_capacity;
  uint32_t depth; ///< of the recursion of gs_lower_value
  uint32_t current_loop; ///< of the block being lowered
  bool arrived; ///< the latest barrier is the first half of one
  bool failed;
  // events of the block being lowered
  gs_event *events;
  uint32_t event_count, event_capacity;
} gs_lowering;

/// Grows *array to hold `need` elements. Sets low->failed when memory is short.
bool gs_lower_grow(gs_lowering *low, void **array, uint32_t *capacity, uint32_t need, size_t size);

// lower_value.c
/// Value of `value` as the block `user` sees it (loops in between are left).
gs_term gs_lower_use(gs_lowering *low, LLVMValueRef value, uint32_t user);
/// Width of the term of a type: 1 to 64; wider and aggregate types give 64.
uint8_t gs_lower_width(gs_lowering *low, LLVMTypeRef type);
bool gs_lower_is_wide(LLVMTypeRef type);
gs_term *gs_lower_memo(gs_lowering *low, LLVMValueRef value);
/// A fresh symbol that means "not known, because `reason`".
gs_term gs_lower_opaque(gs_lowering *low, uint8_t width, gs_level level, uint32_t loop,
                        const char *reason);
/// The symbol `sym` is a function of `on`: its level is no lower, whatever becomes of place
/// holders. GS_NO_TERM: of what each thread has of its own.
void gs_lower_depend(gs_lowering *low, gs_term sym, gs_term on);
/// Block of an instruction.
uint32_t gs_lower_block_of(gs_lowering *low, LLVMValueRef inst);
/// Incoming value i of a phi as `loop`, which the incoming block is in, sees it.
gs_term gs_lower_incoming(gs_lowering *low, LLVMValueRef phi, unsigned i, uint32_t loop);
/// Byte offset and base of a GEP (instruction or constant expression).
gs_term gs_lower_gep(gs_lowering *low, LLVMValueRef gep, uint32_t block);

// index_arithmetic.c
/// A size, an index or an unsigned parameter, or made of such: never meant negative.
bool gs_lower_is_unsigned(gs_lowering *low, gs_term t);
/// Flags for an operation on 32-bit terms that has none: unsigned products and sums
/// of sizes and indices stay below 2^32 (GS_NUW), and what mixes an int with them
/// stays an int (GS_NSW). A default assumption, GS_ORIGIN_INDEX, that is listed
/// where a proof needs it. \returns 0 when it is no index arithmetic.
uint8_t gs_lower_index_flags(gs_lowering *low, gs_op op, gs_term a, gs_term b);

// lower_call.c
/// Notes the axes of block and grid that the kernel reads (gs_program.axes_used).
void gs_lower_find_axes(gs_lowering *low);
/// Result of a call as a term; GS_NO_TERM when it is not an integer or pointer.
gs_term gs_lower_call_value(gs_lowering *low, LLVMValueRef call, uint32_t block);
/// Accesses and barriers of a call.
void gs_lower_call_effects(gs_lowering *low, LLVMValueRef call, uint32_t block);
/// What a call may write, for the pass that finds read-only memory.
enum { GS_LOWER_WRITES = 16 };
/// \returns the number of pointers it writes through, or UINT32_MAX when it may write
/// anything.
uint32_t gs_lower_call_writes(LLVMValueRef call, LLVMValueRef out[GS_LOWER_WRITES]);

// lower_matrix.c
/// A load or store of a matrix by the warp. \param stride of elements; none = it has none
void gs_lower_matrix(gs_lowering *low, const gs_matrix *matrix, gs_term pointer, gs_term stride,
                     LLVMValueRef call, uint32_t block);
/// The same of an intrinsic.
void gs_lower_matrix_call(gs_lowering *low, LLVMValueRef call, uint32_t block);

// lower_object.c
enum { GS_SPACE_SHARED = 3, GS_SPACE_CONSTANT = 4 };
bool gs_lower_is_byval(LLVMValueRef argument);
uint32_t gs_lower_argument_index(LLVMValueRef argument);
const gs_param_desc *gs_lower_param_desc(const gs_lowering *low, uint32_t param);
const gs_field *gs_lower_field_desc(const gs_param_desc *param, uint32_t offset);
/// Makes the object that a pointer parameter or a pointer field points to.
void gs_lower_pointer_object(gs_lowering *low, gs_term pointer, uint32_t param, uint32_t offset);
/// Memory of one thread. \param size bytes, 0 = not known. \returns its address.
gs_term gs_lower_own_memory(gs_lowering *low, const char *name, uint64_t size, uint32_t elem_size);
/// Address of a by-value parameter.
gs_term gs_lower_byval_base(gs_lowering *low, LLVMValueRef argument);

// lower_heap.c
/// Does a call allocate memory that no other thread can hear of?
bool gs_lower_is_own_heap(LLVMValueRef value);
/// Result of a call that allocates.
gs_term gs_lower_heap(gs_lowering *low, LLVMValueRef call, uint32_t block);

// lower_memory.c
void gs_lower_find_written(gs_lowering *low);
gs_term gs_lower_load(gs_lowering *low, LLVMValueRef load, uint32_t block);
/// LOAD of `width` bits at a pointer value when nothing writes there, else opaque.
gs_term gs_lower_read(gs_lowering *low, LLVMValueRef pointer, LLVMTypeRef type, bool is_volatile,
                      uint32_t block, LLVMValueRef inst);
/// Does the pointer point into shared memory, and nowhere else?
bool gs_lower_in_shared(gs_lowering *low, LLVMValueRef pointer);
gs_term gs_lower_argument(gs_lowering *low, LLVMValueRef argument);
gs_term gs_lower_global(gs_lowering *low, LLVMValueRef global);
gs_term gs_lower_alloca(gs_lowering *low, LLVMValueRef alloca);
void gs_lower_memory_effects(gs_lowering *low, LLVMValueRef inst, uint32_t block);
/// Does t contain the address of an object, so that it is the pointer part of a sum?
/// \param depth 0; of the recursion
bool gs_lower_holds_base(const gs_lowering *low, gs_term t, int depth);
/// Records an access through a pointer term.
gs_access *gs_lower_access(gs_lowering *low, gs_term pointer, uint32_t size, bool is_write,
                           LLVMValueRef inst, uint32_t block);
void gs_lower_resolve_targets(gs_lowering *low);
uint32_t gs_lower_object(gs_lowering *low, const gs_object *object);

// common_read.c
/// The value of a read of shared memory at one address for the block, as one for the block.
/// GS_NO_TERM: it is no such read.
gs_term gs_lower_common_read(gs_lowering *low, LLVMValueRef load, uint32_t block);
/// That value, if the read has one. \param key receives which instruction it is
gs_term gs_lower_common_value(gs_lowering *low, LLVMValueRef load, uint64_t *key);

// lower_loop.c
/// The term of a phi at a loop header.
gs_term gs_lower_header_phi(gs_lowering *low, LLVMValueRef phi, uint32_t loop);
/// Gives every pending phi of `loop` its closed form or makes it opaque.
void gs_lower_settle(gs_lowering *low, uint32_t loop);
/// Facts about the loop's trip number; after its phis are settled.
void gs_lower_trip_facts(gs_lowering *low, uint32_t loop);
/// Bounds the trip number of a loop whose test depends on nothing else.
void gs_lower_count_trips(gs_lowering *low, uint32_t loop);
/// A term of `loop` as seen after the loop: symbols of the loop get their last value.
gs_term gs_lower_leave(gs_lowering *low, uint32_t loop, gs_term t);
void gs_lower_fact(gs_lowering *low, gs_term sym, gs_term fact);

// lower_region.c
bool gs_lower_regions(gs_lowering *low);
/// Condition under which the edge from block `from` to block `to` is taken, given
/// that `from` is reached; in the context of `from`.
gs_term gs_lower_edge(gs_lowering *low, uint32_t from, uint32_t to);
/// Guard of the edge relative to `loop`, which contains both ends, exact enough to
/// tell it from other edges into `to`.
gs_term gs_lower_edge_guard(gs_lowering *low, uint32_t loop, uint32_t from, uint32_t to);

// places.c
/// Sets up the tables of places and origins. \returns false when memory is short.
bool gs_lower_chains_start(gs_lowering *low);
uint32_t gs_lower_place(gs_lowering *low, LLVMValueRef inst);
uint32_t gs_lower_origin(gs_lowering *low, gs_origin_kind kind, LLVMValueRef inst);
void gs_lower_gap(gs_lowering *low, const char *text, LLVMValueRef inst);
/// Text that lives as long as the program.
const char *gs_lower_text(gs_lowering *low, const char *text);

#endif
