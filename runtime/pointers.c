// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a contract says about pointer arguments: extents, alignment, where the
/// memory lies, and that arguments do not overlap.
#include "data_kernels.h"
#include "memory.h"

#include <string.h>

/// The bytes that one claim covers.
typedef struct range {
  const gs_desc_claim_row *claim;
  uint64_t begin, end; ///< empty when equal
} range;

static bool argument(const gsrt_check *check, uint32_t param, uint32_t offset, uint64_t *address) {
  const gs_eval_env *env = &check->env;
  if (!env->params || param >= env->param_count || !env->params[param])
    return false;
  memcpy(address, (const char *)env->params[param] + offset, sizeof *address);
  return true;
}

static const char *param_name(const gsrt_check *check, uint32_t param) {
  const char *name = gs_desc_text(check->contract, check->contract->params[param].name);
  return *name ? name : "?";
}

// ------------------------------------------------------------ pointer queries ----

static gs_eval_code extent_of(gsrt_check *check, const gs_name *name, uint64_t address,
                              int64_t *value) {
  const gs_desc_leaf_row *leaf = gs_desc_leaf(check->contract, name->param, name->offset);
  uint32_t size = leaf ? leaf->elem_size : 0;
  gsrt_allocation found;
  if (!leaf && name->offset == 0)
    size = check->contract->params[name->param].elem_size;
  if (!check->memory || size == 0)
    return GS_EVAL_UNAVAILABLE;
  check->memory->look(check->memory, address, UINT64_MAX, &found);
  check->pointers++;
  if (found.size == 0)
    return GS_EVAL_UNAVAILABLE;
  *value = (int64_t)((found.base + found.size - address) / size);
  return GS_EVAL_OK;
}

/// How many bytes of `count` elements lie behind the address, or why that is not known.
static gs_eval_code fact_memory(gsrt_check *check, const gsrt_fact *fact, bool *unknown) {
  uint64_t size = fact->type & 0xFF, bytes = 0;
  gsrt_allocation found;
  *unknown = false;
  if (__builtin_mul_overflow(fact->count, size, &bytes) || bytes > UINT64_MAX - fact->address ||
      fact->address % size != 0)
    return GS_EVAL_UNAVAILABLE;
  check->memory->look(check->memory, fact->address, fact->address + bytes, &found);
  check->pointers++;
  if (found.kind == GSRT_MEMORY_NONE || (found.kind == GSRT_MEMORY_DEVICE && !found.reachable))
    return GS_EVAL_UNAVAILABLE;
  *unknown = found.size == 0; // pageable: its end is not known
  if (!*unknown && fact->address + bytes > found.base + found.size)
    return GS_EVAL_UNAVAILABLE;
  return GS_EVAL_OK;
}

/// The type of the elements as data_kernels.c has it; 0 when they are no numbers.
static uint32_t element_type(const gsrt_check *check, const gs_name *name) {
  const gs_desc_leaf_row *leaf = gs_desc_leaf(check->contract, name->param, name->offset);
  const gs_desc_param_row *param = &check->contract->params[name->param];
  uint32_t flags = leaf ? leaf->flags : param->flags;
  uint32_t size = leaf ? leaf->elem_size : param->elem_size;
  if (size == 0 || size > 8 || (size & (size - 1)) != 0 || (!leaf && name->offset != 0))
    return 0;
  if (flags & GS_DESC_ELEM_INT)
    return size | (flags & GS_DESC_ELEM_SIGNED ? GSRT_DATA_SIGNED : 0u);
  return flags & GS_DESC_ELEM_FLOAT && size >= 4 ? size | GSRT_DATA_FLOAT : 0;
}

/// A fact about data. Without a test it is taken on trust, which the language makes
/// harmless; that is counted.
static gs_eval_code fact_of(gsrt_check *check, gs_expr_op op, const gs_name *name,
                            uint64_t address, const int64_t *args, int64_t *value) {
  gsrt_fact fact = {.op = op, .address = address, .count = (uint64_t)args[0]};
  bool unknown = false;
  *value = 1;
  fact.type = element_type(check, name);
  if (op == GS_EXPR_IN_RANGE) {
    fact.low = args[1];
    fact.high = args[2];
  }
  if (args[0] <= (op == GS_EXPR_IN_RANGE ? 0 : 1))
    return GS_EVAL_OK; // it says nothing
  if (!check->memory || !check->memory->test || fact.type == 0) {
    check->unchecked++;
    return GS_EVAL_OK;
  }
  gs_eval_code code = fact_memory(check, &fact, &unknown);
  if (code != GS_EVAL_OK)
    return code;
  gsrt_fact_break broken;
  gsrt_fact_answer answer =
      unknown ? GSRT_FACT_UNTESTED : check->memory->test(check->memory, &fact, &broken);
  check->unchecked += answer == GSRT_FACT_UNTESTED;
  if (answer != GSRT_FACT_BROKEN)
    return GS_EVAL_OK;
  const gs_desc_leaf_row *leaf = gs_desc_leaf(check->contract, name->param, name->offset);
  check->fact = fact;
  check->fact_break = broken;
  check->fact_name =
      leaf ? gs_desc_text(check->contract, leaf->name) : param_name(check, name->param);
  *value = 0;
  return GS_EVAL_OK;
}

gs_eval_code gsrt_pointer_query(void *user, gs_expr_op op, const gs_name *name, const int64_t *args,
                                int64_t *value) {
  gsrt_check *check = user;
  uint64_t address;
  if (!argument(check, name->param, name->offset, &address))
    return GS_EVAL_UNAVAILABLE;
  if (op == GS_EXPR_EXTENT)
    return extent_of(check, name, address, value);
  if (op == GS_EXPR_ALIGNED) {
    *value = address % (uint64_t)args[0] == 0;
    return GS_EVAL_OK;
  }
  return fact_of(check, op, name, address, args, value);
}

// -------------------------------------------------------------------- extents ----

static void check_allocation(gsrt_check *check, const range *r, int64_t count) {
  gsrt_allocation found;
  check->memory->look(check->memory, r->begin, r->end, &found);
  check->pointers++;
  bool is_usable =
      found.kind != GSRT_MEMORY_NONE && (found.kind != GSRT_MEMORY_DEVICE || found.reachable);
  if (is_usable && found.size > 0 && r->end <= found.base + found.size)
    return;
  gsrt_place place = gsrt_claim_place(check, r->claim);
  const char *name = param_name(check, r->claim->param);
  unsigned long long begin = r->begin, bytes = r->end - r->begin;
  if (found.kind == GSRT_MEMORY_NONE)
    gsrt_violate(check, GSRT_POINTER_UNKNOWN, &place,
                 "%.60s = 0x%llx is no memory of the device: freed, or a host pointer", name,
                 begin);
  else if (found.kind == GSRT_MEMORY_DEVICE && !found.reachable)
    gsrt_violate(check, GSRT_POINTER_DEVICE, &place,
                 "%.60s = 0x%llx lies on device %d, which device %d cannot access", name, begin,
                 found.device, check->memory->device);
  else if (found.size == 0)
    check->unchecked++;
  else if (r->end > found.base + found.size)
    gsrt_violate(check, GSRT_EXTENT, &place,
                 "%.60s needs %lld elements, %llu bytes; its allocation has %llu bytes from "
                 "there on",
                 name, (long long)count, bytes,
                 (unsigned long long)(found.base + found.size - r->begin));
}

/// Reports a pointer that cannot hold `count` elements wherever it points to.
/// \returns false when there is no range to look at.
static bool check_address(gsrt_check *check, const range *r, int64_t count, uint64_t bytes) {
  const gs_desc_param_row *param = &check->contract->params[r->claim->param];
  const char *name = param_name(check, r->claim->param);
  gsrt_place place = gsrt_claim_place(check, r->claim);
  if (r->begin == 0)
    gsrt_violate(check, GSRT_POINTER_NULL, &place, "%.60s is null, but has %lld elements", name,
                 (long long)count);
  else if (bytes > UINT64_MAX - r->begin)
    gsrt_violate(check, GSRT_EXTENT, &place, "%.60s with %lld elements wraps around the memory",
                 name, (long long)count);
  else
    gsrt_violate(check, GSRT_ALIGNMENT, &place,
                 "%.60s = 0x%llx is not aligned to the %u bytes of its type", name,
                 (unsigned long long)r->begin, param->elem_align);
  return r->begin != 0 && bytes <= UINT64_MAX - r->begin;
}

/// Checks one claim with a count. \returns false when it covers no known range.
static bool check_extent(gsrt_check *check, uint32_t index, range *r) {
  const gs_desc_claim_row *claim = &check->contract->claims[index];
  const gs_desc_param_row *param = &check->contract->params[claim->param];
  int64_t count;
  if (!gsrt_count_of(check, index, &count) || count == 0)
    return false;
  if (!check->memory) {
    check->unchecked++;
    return false;
  }
  if (!argument(check, claim->param, 0, &r->begin)) {
    check->unchecked++;
    return false;
  }
  uint64_t bytes = (uint64_t)count * param->elem_size;
  r->claim = claim;
  r->end = r->begin + bytes;
  bool is_plain =
      r->begin != 0 && bytes <= UINT64_MAX - r->begin && (r->begin & (param->elem_align - 1u)) == 0;
  if (!is_plain && !check_address(check, r, count, bytes))
    return false;
  check_allocation(check, r, count);
  return true;
}

// -------------------------------------------------------------------- overlap ----

static bool may_write(const gsrt_check *check, const range *r) {
  return !(check->contract->params[r->claim->param].flags & GS_DESC_CONST);
}

static void check_pair(gsrt_check *check, const range *a, const range *b) {
  bool exclusive = a->claim->kind == GS_DESC_EXCLUSIVE || b->claim->kind == GS_DESC_EXCLUSIVE;
  bool assumed = (check->contract->header->assumptions & GS_DESC_ASSUME_NO_ALIAS) &&
                 (may_write(check, a) || may_write(check, b));
  if (a->claim->param == b->claim->param || (!exclusive && !assumed) || a->begin >= b->end ||
      b->begin >= a->end)
    return;
  bool second = b->claim->kind == GS_DESC_EXCLUSIVE && a->claim->kind != GS_DESC_EXCLUSIVE;
  const range *owner = second ? b : a;
  const range *other = owner == a ? b : a;
  gsrt_place place = gsrt_claim_place(check, owner->claim);
  gsrt_violate(check, GSRT_OVERLAP, &place,
               "%.60s, 0x%llx to 0x%llx, overlaps %.60s, 0x%llx to 0x%llx%s",
               param_name(check, owner->claim->param), (unsigned long long)owner->begin,
               (unsigned long long)owner->end, param_name(check, other->claim->param),
               (unsigned long long)other->begin, (unsigned long long)other->end,
               exclusive ? "" : ", which the proof takes to be apart");
}

static bool is_counted(const range *ranges, uint32_t count, uint32_t param) {
  for (uint32_t i = 0; i < count; i++)
    if (ranges[i].claim->param == param)
      return true;
  return false;
}

/// A pointer without a count that points into what an exclusive parameter owns.
static void check_intruder(gsrt_check *check, const range *owner, uint32_t param, uint32_t offset,
                           const char *name) {
  uint64_t address;
  if (!argument(check, param, offset, &address) || address < owner->begin || address >= owner->end)
    return;
  gsrt_place place = gsrt_claim_place(check, owner->claim);
  gsrt_violate(check, GSRT_OVERLAP, &place, "%.60s, 0x%llx to 0x%llx, overlaps %.60s = 0x%llx",
               param_name(check, owner->claim->param), (unsigned long long)owner->begin,
               (unsigned long long)owner->end, name, (unsigned long long)address);
}

static void check_intruders(gsrt_check *check, const range *ranges, uint32_t count,
                            const range *owner) {
  const gs_descriptor *d = check->contract;
  for (uint32_t i = 0; i < d->header->param_count; i++)
    if (d->params[i].kind == GS_DESC_POINTER && i != owner->claim->param &&
        !is_counted(ranges, count, i))
      check_intruder(check, owner, i, 0, param_name(check, i));
  for (uint32_t i = 0; i < d->header->leaf_count; i++)
    if (d->leaves[i].kind == GS_DESC_POINTER &&
        d->params[d->leaves[i].param].kind == GS_DESC_RECORD)
      check_intruder(check, owner, d->leaves[i].param, d->leaves[i].offset,
                     gs_desc_text(d, d->leaves[i].name));
}

void gsrt_check_claims(gsrt_check *check) {
  const gs_descriptor *d = check->contract;
  range ranges[GS_DESCRIPTOR_MAX_CLAIMS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < d->header->claim_count; i++) {
    if (d->claims[i].code_size == 0)
      check->unchecked++; // without a count there is nothing to compare
    else if (check_extent(check, i, &ranges[count]))
      count++;
  }
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = i + 1; j < count; j++)
      check_pair(check, &ranges[i], &ranges[j]);
    if (ranges[i].claim->kind == GS_DESC_EXCLUSIVE)
      check_intruders(check, ranges, count, &ranges[i]);
  }
}
