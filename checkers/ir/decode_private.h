// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to decode*.c.
#ifndef GS_DECODE_PRIVATE_H
#define GS_DECODE_PRIVATE_H

#include "decode.h"
#include "ir_private.h"
#include "model.h"

/// First register of a value; GS_NO_REG when it has none yet.
typedef struct gs_reg_slot {
  LLVMValueRef value;
  uint32_t reg;
} gs_reg_slot;

/// A scalar inside a type.
typedef struct gs_leaf {
  uint32_t offset; ///< bytes
  uint8_t width;   ///< bits; memory holds whole bytes
} gs_leaf;

/// A jump whose target is the begin of a block.
typedef struct gs_patch {
  uint32_t insn, block;
} gs_patch;

typedef struct gs_decoder {
  gs_ir *ir;
  LLVMValueRef function;
  gs_code *code;
  uint32_t insn_capacity, image_capacity, window_capacity;
  gs_reg_slot *slots;
  uint32_t slot_count, slot_capacity;
  LLVMBasicBlockRef *blocks;
  uint32_t *begins;
  uint32_t block_count;
  gs_patch *patches;
  uint32_t patch_count, patch_capacity;
  uint32_t line, file;
  LLVMMetadataRef file_node; ///< of `file`
  uint32_t file_capacity;
  char *reason; ///< the first thing that cannot be run
  bool failed;  ///< out of memory
  gs_code_insn nowhere; ///< written instead of an instruction that does not exist
} gs_decoder;

enum { GS_MAX_LEAVES = 512 };
#define GS_NO_REG UINT32_MAX

/// Says that something cannot be run; the first call counts.
void gs_decode_refuse(gs_decoder *d, const char *text, const char *detail);
bool gs_decode_grow(gs_decoder *d, void **array, uint32_t *capacity, uint32_t need, size_t size);
/// Appends an instruction with the current line. \returns its position.
uint32_t gs_decode_emit(gs_decoder *d, gs_code_op op, uint32_t width, uint32_t dst, uint32_t a,
                        uint32_t b);
gs_code_insn *gs_decode_at(gs_decoder *d, uint32_t position);
/// `count` new registers that start with 0.
uint32_t gs_decode_regs(gs_decoder *d, uint32_t count);
/// A register that holds a constant.
uint32_t gs_decode_const(gs_decoder *d, uint64_t value);
uint32_t gs_decode_window(gs_decoder *d, gs_window_kind kind, uint64_t size, const char *name);

/// The scalars of a type in order of memory; refuses what has none or too many.
uint32_t gs_decode_leaves(gs_decoder *d, LLVMTypeRef type, gs_leaf *out);
uint32_t gs_decode_leaf_count(gs_decoder *d, LLVMTypeRef type);
/// Bits of a scalar; 0 (and a refusal) when replay cannot hold it.
uint8_t gs_decode_width(gs_decoder *d, LLVMTypeRef type);
/// The registers of a value.
uint32_t gs_decode_use(gs_decoder *d, LLVMValueRef value);
/// The registers that an instruction's result goes to.
uint32_t gs_decode_result(gs_decoder *d, LLVMValueRef inst);
/// Bytes of a constant initialiser. \returns false when it is not known.
bool gs_decode_bytes(gs_decoder *d, LLVMValueRef constant, uint8_t *out, uint64_t size);

void gs_decode_instruction(gs_decoder *d, LLVMValueRef inst);
void gs_decode_gep(gs_decoder *d, LLVMValueRef gep, uint32_t dst);
void gs_decode_cast(gs_decoder *d, LLVMValueRef inst, LLVMOpcode opcode, uint32_t dst);
void gs_decode_call(gs_decoder *d, LLVMValueRef call);
/// Results that may be anything.
void gs_decode_arbitrary(gs_decoder *d, LLVMValueRef call);
/// An index register by its PTX name, as the result. \returns false when it is not known.
bool gs_decode_register(gs_decoder *d, LLVMValueRef call, const char *name);
/// Barriers, in decode_sync.c.
/// A fence of memory. \param flags GS_CODE_BLOCK_SCOPE: of less than the device.
void gs_decode_fence(gs_decoder *d, uint8_t flags);
void gs_decode_sync(gs_decoder *d, LLVMValueRef call, gs_model_kind kind, const char *name);
/// Inline PTX with accesses, and asynchronous copies, in decode_ptx.c.
void gs_decode_ptx(gs_decoder *d, LLVMValueRef call);
void gs_decode_async(gs_decoder *d, LLVMValueRef call, const char *name);

#endif
