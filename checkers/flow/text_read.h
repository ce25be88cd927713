// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to the text form: tokens and the state of the parser.
///
/// The first error stands: after it every function returns at once and the reader only
/// gives end tokens, so callers need not look after each call.
#ifndef GS_TEXT_READ_H
#define GS_TEXT_READ_H

#include "pool.h"
#include "text.h"
#include "text_names.h"

typedef enum gs_token_kind {
  GS_TOKEN_END,    ///< of the text
  GS_TOKEN_LINE,   ///< end of a line
  GS_TOKEN_WORD,   ///< add, block.x
  GS_TOKEN_TERM,   ///< %name
  GS_TOKEN_PLACE,  ///< @1; the value is the number
  GS_TOKEN_ORIGIN, ///< !1
  GS_TOKEN_NUMBER, ///< -12, 0x1F
  GS_TOKEN_STRING,
  GS_TOKEN_ARROW,  ///< ->
  GS_TOKEN_CHAR    ///< one of ( ) [ ] , : = +
} gs_token_kind;

typedef struct gs_token {
  gs_token_kind kind;
  uint32_t line, column;
  const char *text; ///< WORD, TERM without %: `length` bytes. STRING: terminated, in the pool
  size_t length;
  uint64_t value; ///< NUMBER (absolute value), PLACE, ORIGIN; CHAR: the character
  bool negative;  ///< NUMBER
} gs_token;

/// Texts to numbers.
typedef struct gs_name_slot {
  const char *text; ///< terminated, in the pool; NULL = free
  size_t length;
  uint32_t value;
} gs_name_slot;

typedef struct gs_name_map {
  gs_name_slot *slots;
  uint32_t count, capacity;
} gs_name_map;

struct gs_text {
  gs_pool *pool;
  gs_program **kernels;
  uint32_t count, capacity;
  gs_clause **clauses; ///< all of them, to be freed
  uint32_t clause_count, clause_capacity;
  const char *target;
  bool is_optimised;
};

typedef struct gs_reader {
  const char *at, *end, *line_start;
  uint32_t line, brackets; ///< lines may be broken inside of round brackets
  gs_token token;
  gs_text *text;
  gs_text_error *error;
  gs_status status;
  gs_name_map strings; ///< equal strings are one pointer
  // The kernel in progress.
  gs_program *program;
  gs_kernel_desc *desc; ///< NULL until the source's name was read
  gs_name_map names;    ///< of terms
  uint32_t kernel_line;
  struct gs_room {
    uint32_t objects, accesses, barriers, warp_ops, blocks, loops, facts, places, origins, gaps;
    uint32_t params, fields, claims, desc_facts; ///< of the description
    uint32_t targets, events; ///< of the access and the block in progress
  } room;
} gs_reader;

void gs_read_fail_at(gs_reader *r, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// At the current token.
void gs_read_fail(gs_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gs_read_no_memory(gs_reader *r);

void gs_read_next(gs_reader *r);
bool gs_read_is_char(const gs_reader *r, char c);
bool gs_read_is_word(const gs_reader *r, const char *word);
/// Takes the token if it is that. \returns whether.
bool gs_read_char(gs_reader *r, char c);
bool gs_read_word(gs_reader *r, const char *word);
void gs_read_expect(gs_reader *r, char c);
/// The end of the line, with a message about what is left of it.
void gs_read_end_line(gs_reader *r);

/// A number from 0 to `most`.
uint64_t gs_read_number(gs_reader *r, uint64_t most, const char *what);
uint32_t gs_read_u32(gs_reader *r, const char *what);
/// A number with its sign, modulo 2^64, that is one of `width` bits, signed or not.
uint64_t gs_read_signed(gs_reader *r, uint8_t width);
/// One of the words; 0 after an error.
uint32_t gs_read_one_of(gs_reader *r, gs_words words, const char *what);
/// A string in the pool, or NULL for `none`.
const char *gs_read_string(gs_reader *r);
/// After its word: "file":line:column.
gs_loc gs_read_loc(gs_reader *r);
/// @N when there is one, else 0.
uint32_t gs_read_place(gs_reader *r);

/// `array` with room for one more element of `size` bytes. NULL after an error.
void *gs_read_room(gs_reader *r, void *array, uint32_t count, uint32_t *capacity, size_t size);

/// The entry of a text, or NULL.
const gs_name_slot *gs_name_map_find(const gs_name_map *map, const char *text, size_t length);
/// Adds it unless it is there. NULL after an error.
const gs_name_slot *gs_name_map_add(gs_reader *r, gs_name_map *map, const char *text,
                                    size_t length, uint32_t value);
void gs_name_map_free(gs_name_map *map);

// ------------------------------------------------------------- statements ----

/// `%name = …`.
void gs_read_definition(gs_reader *r);
/// A constant, a name or an expression in brackets; GS_NO_TERM for `none`.
gs_term gs_read_term(gs_reader *r);
/// The same, with that width, and not none.
gs_term gs_read_term_of(gs_reader *r, uint8_t width);

/// Statements about the source: name, param, field, claim, fact. \returns false when
/// the current word is none of them.
bool gs_read_description(gs_reader *r);

/// Is the kernel well-formed as a whole? Fails at its first line when not.
void gs_text_validate(gs_reader *r);

#endif
