// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of shared memory that all threads of a block make at one address: taken for one
// value, which whoever uses it has to check (common_reads.h).
#include "lower.h"

/// Which instruction of the function it is; the same in each lowering.
static uint64_t key_of(gs_lowering *low, LLVMValueRef inst) {
  uint64_t before = 0;
  for (LLVMValueRef i = LLVMGetPreviousInstruction(inst); i; i = LLVMGetPreviousInstruction(i))
    before++;
  return (uint64_t)gs_lower_block_of(low, inst) << 32 | before;
}

static bool is_doubted(gs_lowering *low, LLVMValueRef load) {
  const gs_lower_options *o = low->options;
  uint64_t key = o->doubted_count ? key_of(low, load) : 0;
  for (uint32_t i = 0; i < o->doubted_count; i++)
    if (o->doubted[i] == key || o->doubted[i] == GS_ALL_READS)
      return true;
  return false;
}

gs_term gs_lower_common_read(gs_lowering *low, LLVMValueRef load, uint32_t block) {
  LLVMTypeRef type = LLVMTypeOf(load);
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  bool plain = !gs_lower_is_wide(type) && !is_doubted(low, load) && gs_lower_in_shared(low, pointer);
  gs_term address = plain ? gs_lower_use(low, pointer, block) : GS_NO_TERM;
  if (!address || gs_term_node(low->terms, address)->level > GS_LEVEL_BLOCK ||
      !gs_lower_grow(low, (void **)&low->common, &low->common_capacity, low->common_count + 1,
                     sizeof *low->common))
    return GS_NO_TERM;
  gs_term value = gs_lower_opaque(low, gs_lower_width(low, type), GS_LEVEL_BLOCK, low->cfg.loop[block],
                                  "a value read from shared memory that the kernel writes");
  gs_lower_depend(low, value, address); // which may turn out to be the thread's own
  low->common[low->common_count++] = (gs_common_read){load, value};
  return value;
}

gs_term gs_lower_common_value(gs_lowering *low, LLVMValueRef load, uint64_t *key) {
  for (uint32_t i = 0; i < low->common_count; i++)
    if (low->common[i].load == load &&
        gs_term_node(low->terms, low->common[i].value)->level == GS_LEVEL_BLOCK) {
      *key = key_of(low, load);
      return low->common[i].value;
    }
  return GS_NO_TERM;
}
