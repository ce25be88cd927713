// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of rules and verdicts that users see, from rules.def.
#include "gs.h"

#include <string.h>

typedef struct gs_rule_row {
  const char *name;
  const char *summary;
  bool on;
} gs_rule_row;

static const gs_rule_row rows[GS_RULE_COUNT] = {
#define GS_RULE(name, text, on, summary) {text, summary, on},
#include "rules.def"
};

const char *gs_rule_name(gs_rule rule) {
  return (unsigned)rule < GS_RULE_COUNT ? rows[rule].name : "unknown-rule";
}

const char *gs_rule_summary(gs_rule rule) {
  return (unsigned)rule < GS_RULE_COUNT ? rows[rule].summary : "";
}

bool gs_rule_by_name(const char *name, size_t length, gs_rule *out) {
  for (unsigned i = 0; i < GS_RULE_COUNT; i++) {
    if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0) {
      *out = (gs_rule)i;
      return true;
    }
  }
  return false;
}

uint32_t gs_rule_defaults(void) {
  uint32_t set = 0;
  for (unsigned i = 0; i < GS_RULE_COUNT; i++)
    if (rows[i].on)
      set |= 1u << i;
  return set;
}

const char *gs_verdict_name(gs_verdict verdict) {
  switch (verdict) {
  case GS_PROVED:
    return "PROVED";
  case GS_TRUSTED:
    return "TRUSTED";
  case GS_RACE:
    return "RACE";
  case GS_POSSIBLE:
    return "POSSIBLE";
  case GS_UNKNOWN:
    return "UNKNOWN";
  }
  return "INVALID";
}

bool gs_same_value_by_name(const char *name, gs_same_value *out) {
  static const char *const names[] = {[GS_SAME_VALUE_NOTE] = "note",
                                      [GS_SAME_VALUE_ERROR] = "error",
                                      [GS_SAME_VALUE_OFF] = "off"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = (gs_same_value)i;
      return true;
    }
  return false;
}
