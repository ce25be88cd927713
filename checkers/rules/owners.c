// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "owners.h"

#include <string.h>

static bool is_trusted_somewhere(const gs_kernel *k, gs_rule rule) {
  for (uint32_t i = 0; i < k->desc->claim_count; i++) {
    const gs_claim *c = &k->desc->claims[i];
    if (c->kind == GS_CLAIM_TRUSTED && c->rule && strcmp(c->rule, gs_rule_name(rule)) == 0)
      return true;
  }
  return false;
}

const gs_claim *gs_checked_claim(const gs_kernel *k, gs_claim_kind kind, int32_t param) {
  gs_rule rule = kind == GS_CLAIM_DISJOINT ? GS_RULE_DISJOINT : GS_RULE_EXCLUSIVE;
  if (!k->desc || !gs_rule_is_on(k, rule) || is_trusted_somewhere(k, rule))
    return NULL;
  for (uint32_t i = 0; i < k->desc->claim_count; i++)
    if (k->desc->claims[i].kind == kind && k->desc->claims[i].param == param)
      return &k->desc->claims[i];
  return NULL;
}

bool gs_claimed_owned(const gs_kernel *k, const gs_object *object) {
  if (object->kind != GS_OBJECT_PARAM || object->offset)
    return false;
  return gs_checked_claim(k, GS_CLAIM_DISJOINT, (int32_t)object->param) ||
         gs_checked_claim(k, GS_CLAIM_EXCLUSIVE, (int32_t)object->param);
}

/// Is the object what a whole parameter points to, with a claim that counts its elements?
static bool is_counted(const gs_kernel *k, const gs_object *object) {
  if (object->kind != GS_OBJECT_PARAM || object->offset)
    return false;
  for (uint32_t i = 0; k->desc && i < k->desc->claim_count; i++)
    if (k->desc->claims[i].param == (int32_t)object->param && k->desc->claims[i].count)
      return true;
  return false;
}

bool gs_claimed_apart(const gs_kernel *k, const gs_object *a, const gs_object *b) {
  const gs_object *both[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    const gs_object *own = both[i], *other = both[1 - i];
    bool exclusive = own->kind == GS_OBJECT_PARAM && !own->offset &&
                     gs_checked_claim(k, GS_CLAIM_EXCLUSIVE, (int32_t)own->param);
    if (exclusive && is_counted(k, own) &&
        (is_counted(k, other) || other->kind == GS_OBJECT_GLOBAL))
      return true;
  }
  return false;
}

const gs_alias *gs_alias_of(const gs_kernel *k, const gs_object *a, const gs_object *b) {
  bool params = a->kind == GS_OBJECT_PARAM && b->kind == GS_OBJECT_PARAM && !a->offset && !b->offset;
  for (uint32_t i = 0; params && k->desc && i < k->desc->alias_count; i++) {
    const gs_alias *alias = &k->desc->aliases[i];
    if ((alias->param == a->param && alias->of == b->param) ||
        (alias->param == b->param && alias->of == a->param))
      return alias;
  }
  return NULL;
}
