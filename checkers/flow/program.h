// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A lowered kernel: what ir/ makes of the prepared IR and everything behind it
/// consumes. Nothing here knows LLVM.
///
/// Guards. Every block has a guard relative to its innermost loop: "reached,
/// given that the loop's header is reached in this iteration". The absolute
/// guard of an access conjoins the guards of the loops around it. Loop-carried
/// values are terms over the loop's trip number (GS_SYM_LOOP).
#ifndef GS_PROGRAM_H
#define GS_PROGRAM_H

#include "gs.h"
#include "term.h"

#define GS_NONE UINT32_MAX

typedef enum gs_object_kind {
  GS_OBJECT_PARAM,   ///< what a pointer parameter (or a field of a struct) points to
  GS_OBJECT_SHARED,  ///< __shared__ variable
  GS_OBJECT_DYNAMIC, ///< extern __shared__
  GS_OBJECT_GLOBAL,  ///< device global variable
  GS_OBJECT_CONSTANT,
  GS_OBJECT_LOCAL,   ///< variable of one thread
  GS_OBJECT_BYVAL,   ///< a by-value parameter
  GS_OBJECT_LOADED,  ///< reached by a pointer that was loaded from memory
  GS_OBJECT_UNKNOWN  ///< may be any of the others
} gs_object_kind;

/// Is it shared memory?
static inline bool gs_is_shared(gs_object_kind kind) {
  return kind == GS_OBJECT_SHARED || kind == GS_OBJECT_DYNAMIC;
}

/// Is it a known object in global memory that may be written?
static inline bool gs_is_global(gs_object_kind kind) {
  return kind == GS_OBJECT_PARAM || kind == GS_OBJECT_GLOBAL;
}

/// Is it memory that no other thread can write?
static inline bool gs_is_private(gs_object_kind kind) {
  return kind == GS_OBJECT_LOCAL || kind == GS_OBJECT_BYVAL || kind == GS_OBJECT_CONSTANT;
}

/// Is it memory of unknown origin, which any other may be?
static inline bool gs_is_vague(gs_object_kind kind) {
  return kind == GS_OBJECT_LOADED || kind == GS_OBJECT_UNKNOWN;
}

typedef struct gs_object {
  gs_object_kind kind;
  const char *name;   ///< source name; NULL when it has none
  const char *symbol; ///< name in the module of a SHARED, DYNAMIC, GLOBAL or CONSTANT; may be NULL
  uint64_t size;      ///< bytes; 0 = not known
  uint32_t elem_size; ///< bytes; 0 = not known
  uint32_t param;     ///< PARAM, BYVAL: parameter index
  uint32_t offset;    ///< PARAM that is a field: bytes into the parameter
  gs_term base;       ///< its address as a term
  bool written;       ///< something in the kernel writes through it
} gs_object;

/// A source place with the calls it was inlined through.
typedef struct gs_place {
  gs_loc loc;
  uint32_t inlined_at; ///< place of the call, GS_NONE = none
} gs_place;

/// Why a flag on an operation would have to be believed.
typedef enum gs_origin_kind {
  GS_ORIGIN_SIGNED,  ///< signed overflow is undefined in C; PTX wraps
  GS_ORIGIN_POINTER, ///< inbounds pointer arithmetic
  GS_ORIGIN_COUNTER, ///< the counter of a loop passes its bound without wrapping
  GS_ORIGIN_INDEX,   ///< 32-bit index arithmetic without a flag does not wrap
  GS_ORIGIN_OTHER,   ///< a flag of another front end or pass
  GS_ORIGIN_UNREACHED ///< no flag: code that the source calls unreachable; guards leave it out
} gs_origin_kind;

/// gs_node.origin indexes these; entry 0 is "proved, nothing to believe".
typedef struct gs_origin {
  gs_origin_kind kind;
  uint32_t place;
} gs_origin;

typedef enum gs_event_kind { GS_EVENT_ACCESS, GS_EVENT_BARRIER } gs_event_kind;

typedef enum gs_barrier_kind {
  GS_BARRIER_BLOCK, ///< all threads of the block
  GS_BARRIER_WARP,  ///< __syncwarp
  GS_BARRIER_NAMED, ///< bar.sync id, n: that many threads of the block
  GS_BARRIER_GRID,  ///< all threads of the launch; inside, a barrier of the block
  GS_BARRIER_VOTE,  ///< a warp operation that gives its lanes one value: orders nothing
  GS_BARRIER_OTHER  ///< an arrival only, or one whose id is not known
} gs_barrier_kind;

/// One possible target of an access.
typedef struct gs_target {
  uint32_t object;
  gs_term guard;  ///< when it is this one, given that the access happens
  gs_term offset; ///< 64-bit byte offset in the object
} gs_target;

/// Read-modify-write operations from whose results something follows (tickets.h).
typedef enum gs_rmw_kind {
  GS_RMW_OTHER,
  GS_RMW_ADD,
  GS_RMW_EXCHANGE, ///< stores the operand
  GS_RMW_CAS,      ///< stores the operand where `expected` is found
  GS_RMW_OR,
  GS_RMW_INC ///< adds one, or stores 0 where the operand is reached
} gs_rmw_kind;

/// Asynchronous copies: the two accesses of one, and what completes it. The latter are
/// rows among the accesses that touch nothing (no targets).
typedef enum gs_async {
  GS_ASYNC_NONE,
  GS_ASYNC_FROM,
  GS_ASYNC_TO,
  GS_ASYNC_COMMIT,  ///< what was started so far is one more group
  GS_ASYNC_WAIT,    ///< until at most `groups` of the latest groups are in flight
  GS_ASYNC_WAIT_ALL ///< for everything, in a group or not
} gs_async;

typedef struct gs_access {
  const gs_target *targets;
  uint32_t target_count;
  uint32_t size; ///< bytes; 0 = not known
  gs_term size_term; ///< bytes as a term when size is 0 (memcpy); may be none
  bool is_write, is_atomic, is_volatile, is_opaque; ///< opaque: may touch anything it can reach
  uint8_t scope;     ///< atomics: gs_scope
  gs_term value;     ///< value stored, when it is an integer; else none
  uint64_t const_bits; ///< value stored, when it is a constant of any type
  bool is_const;
  uint8_t async;     ///< gs_async
  uint32_t groups;   ///< WAIT
  uint32_t echo;     ///< not 0: no instruction, but access echo - 1 again, of a copy that is
                     ///< in flight here (flights.h)
  bool is_mute;      ///< echo: other threads were asked about at another one
  bool is_doubtful;  ///< echo: on some way the copy is complete here
  uint8_t rmw;       ///< atomic writes: gs_rmw_kind
  gs_term result;    ///< unless OTHER: the symbol that is the old value. Of a read: the symbol
                     ///< that is its value, if it counts as one for the block (common_reads.h)
  gs_term operand, expected;
  gs_term loaded;    ///< plain reads: the symbol that is what was read; may be none
  uint8_t fence;     ///< not 0: it touches nothing, and is a fence of the scope fence - 1
  uint32_t warp_key; ///< not 0: the warp does it as a whole, and any lane may be the one; its
                     ///< matrices of one key are spread over the lanes alike
  bool by_rows;      ///< ... and each thread says where one of the rows is that others touch
  gs_term tile, stride; ///< else: where the matrix begins, and its stride; may be none
  uint64_t read; ///< reads with a result: which instruction it is
  uint32_t place;
} gs_access;

/// An asynchronous copy, from the access GS_ASYNC_TO (flights.h).
typedef struct gs_flight {
  uint32_t from, to; ///< accesses
  bool completes;    ///< some way meets a wait that completes it
  bool ends;         ///< on some way its thread ends before
  bool is_open;      ///< there are too many ways: nothing is known of it
} gs_flight;

/// An atomic operation by which each block of the grid takes one number: the highest is that
/// of the last (broadcast.h).
typedef struct gs_last {
  uint32_t ticket; ///< access
  gs_term value;   ///< the block's number, a symbol
  bool is_used;    ///< something follows only if the counter starts at 0
} gs_last;

enum { GS_MAX_LASTS = 4 };

/// What a thread does while a copy of its own is in flight.
typedef struct gs_flight_use {
  uint32_t copy; ///< access of the copy, or its echo, in whose iteration `use` is
  uint32_t use;  ///< access
  bool is_doubtful; ///< on some way the copy is complete
} gs_flight_use;

/// Ids of barriers: those of a block are 0 to 15, and __syncthreads is 0. GS_SOME_ID is what
/// a call that is not known may wait for: it orders nothing and spoils nothing, but what is
/// on its two sides is not certainly unordered.
enum { GS_CLUSTER_ID = 16, GS_SOME_ID };

typedef struct gs_barrier {
  gs_barrier_kind kind;
  uint32_t id; ///< BLOCK, NAMED, GRID, OTHER: which of the barriers that the hardware counts
               ///< arrivals for; GS_NONE = may be any
  uint32_t place;
  gs_term mask; ///< WARP, VOTE: 32-bit member mask; NAMED: thread count; may be none
} gs_barrier;

/// A warp operation with a constant member mask (shuffle, vote, match, reduction, __syncwarp).
typedef struct gs_warp_op {
  uint32_t mask;
  uint32_t block;  ///< of the program
  uint32_t place;
  bool is_barrier; ///< __syncwarp: the lanes may meet at different ones
} gs_warp_op;

typedef struct gs_event {
  gs_event_kind kind;
  uint32_t index; ///< into accesses or barriers
} gs_event;

typedef struct gs_block {
  uint32_t loop;  ///< innermost loop, GS_NONE = none
  gs_term guard;  ///< relative to that loop's header
  gs_term live;   ///< the same, given that the thread does not return before
  gs_term branch; ///< condition of a two-way branch at its end; else none
  const uint32_t *succ;
  uint32_t succ_count;
  const gs_event *events;
  uint32_t event_count;
  uint32_t place; ///< of its terminator
  bool exits;     ///< returns (or traps)
  bool traps;
  bool asserts; ///< traps in a failed assert(); `place` is that of the assert
} gs_block;

typedef struct gs_loop {
  uint32_t parent; ///< GS_NONE = outermost
  uint32_t depth;  ///< 1 = outermost
  uint32_t header; ///< block
  gs_term entry;   ///< guard of entering it, relative to the parent loop
  gs_term again;   ///< another iteration follows, relative to its header
  gs_term live_entry, live_again; ///< the same, given that the thread does not return before
  gs_term trip;    ///< the GS_SYM_LOOP symbol's term
  uint32_t trip_sym;
  uint32_t place;
} gs_loop;

/// A fact that holds wherever a symbol has a meaning.
typedef struct gs_sym_fact {
  uint32_t sym;
  gs_term fact;
} gs_sym_fact;

/// A cause for UNKNOWN that concerns the whole kernel.
typedef struct gs_gap {
  const char *text;
  uint32_t place;
} gs_gap;

typedef struct gs_program {
  const char *mangled;
  const gs_kernel_desc *desc; ///< NULL when the source told nothing
  gs_terms *terms;
  gs_object *objects;
  uint32_t object_count;
  gs_access *accesses;
  uint32_t access_count;
  gs_barrier *barriers;
  uint32_t barrier_count;
  gs_warp_op *warp_ops; ///< in the order of their blocks
  uint32_t warp_op_count;
  gs_block *blocks; ///< 0 is the entry
  uint32_t block_count;
  gs_loop *loops; ///< a parent comes before its children
  uint32_t loop_count;
  gs_flight *flights;
  uint32_t flight_count;
  gs_flight_use *flight_uses;
  uint32_t flight_use_count;
  gs_last lasts[GS_MAX_LASTS];
  uint32_t last_count;
  bool has_broadcasts; ///< gs_broadcasts_find was called
  bool reads_hold;     ///< reads with a result were shown to give one value for the block
  bool has_flights; ///< gs_flights_find was called
  gs_sym_fact *facts;
  uint32_t fact_count;
  gs_place *places; ///< 0 is "unknown"
  uint32_t place_count;
  gs_origin *origins;
  uint32_t origin_count;
  gs_gap *gaps;
  uint32_t gap_count;
  // Terms of the launch. 32 bits wide.
  gs_term tid[3], ctaid[3], ntid[3], nctaid[3], dynamic_smem;
  uint32_t axes_used; ///< bit d: threadIdx or blockDim of axis d is read; bit 3 + d:
                      ///< blockIdx or gridDim
  uint64_t static_smem;
  char **texts; ///< owned texts that the other tables point to
  uint32_t text_count;
  bool has_fences; ///< fences or acquire/release operations: they may order accesses
  bool reads_only_assumed; ///< some load counts as read-only only because arguments do not overlap
} gs_program;

/// Parameter bytes [offset, offset + bits/8) as a term of that width; creates it
/// when the kernel itself does not read it.
gs_term gs_program_param(gs_program *program, uint32_t param, uint32_t offset, uint8_t bits,
                         bool is_signed);

/// Makes the symbols of the launch (tid to dynamic_smem), the first of a program: index
/// registers with the limits every CUDA device has had since sm_30.
void gs_program_launch_symbols(gs_program *program);

/// May the symbol be one for a block or a warp only because it is the result of a vote, or
/// follows from one?
bool gs_program_is_voted(const gs_sym *sym);

/// The thread's number in its block, x fastest: 32 of them in a row are a warp. 32 bits.
gs_term gs_program_thread_index(const gs_program *program);

/// Evaluated terms that counting the trips of all loops of a kernel may cost.
enum { GS_TRIP_WORK = 500000 };

/// Counts a loop whose condition to go round again depends on its trip number alone:
/// `for (d = 1; d < 256; d *= 2)`.
/// \param work  evaluations that are left for the kernel; reduced.
/// \param trips receives the number of the last trip.
/// \returns false when it is not known: other symbols, undefined operations, too many.
bool gs_program_count_trips(const gs_terms *terms, gs_term again, uint32_t trip_sym, uint64_t *work,
                            uint64_t *trips);

/// The loop of this depth that is `loop` or around it, GS_NONE when there is none.
uint32_t gs_program_loop_at(const gs_program *program, uint32_t loop, uint32_t depth);

/// Number of loops around, and itself; 0 for GS_NONE.
uint32_t gs_loop_depth(const gs_program *program, uint32_t loop);

/// Is the block in the loop, or in one inside of it? (None is around all.)
bool gs_loop_holds(const gs_program *program, uint32_t loop, uint32_t block);

/// The innermost loop around both blocks, GS_NONE when there is none.
uint32_t gs_common_loop(const gs_program *program, uint32_t a, uint32_t b);

/// Takes ways out that no thread goes, as their conditions are constants: what stands there
/// touches nothing. Library functions have many (a switch on a size that each call fixes).
/// May a visible launch, or with `strict` anything, put the two into the same memory?
bool gs_may_overlap(const gs_program *program, const gs_object *a, const gs_object *b, bool strict);

typedef bool gs_stop_fn(const gs_program *program, gs_event event, const void *user);

/// Does some way lead from one access, in `block`, to another, past no event that stops it?
/// (NULL: at all.) True also when memory is short.
bool gs_access_leads(const gs_program *program, uint32_t block, uint32_t from, uint32_t to, gs_stop_fn *stop,
                     const void *user);

void gs_program_prune(gs_program *program);

void gs_program_free(gs_program *program);

#endif
