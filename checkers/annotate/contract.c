// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who owns what, and the weakest contract that makes it so.
#include "annotate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------ owners ----

static bool is_about_pairs(const gs_finding *f) {
  return f->rule == GS_RULE_DISJOINT || f->rule == GS_RULE_EXCLUSIVE || f->rule == GS_RULE_DATA_RACE ||
         f->rule == GS_RULE_ATOMIC_MIX;
}

/// Is some pair of accesses to the parameter open?
static bool is_blamed(const gs_search *s, const gs_result *r, uint32_t param) {
  for (uint32_t f = 0; f < r->finding_count; f++)
    if (r->findings[f].verdict != GS_PROVED && r->findings[f].object && is_about_pairs(&r->findings[f]) &&
        strcmp(s->desc->params[param].name, r->findings[f].object) == 0)
      return true;
  return false;
}

/// Gives each claim that is blamed the next larger owner. \returns false when none was raised.
static bool raise(gs_search *s, const gs_result *blame) {
  bool raised = false;
  for (uint32_t i = 0; i < s->desc->param_count; i++) {
    gs_own *own = &s->owns[i];
    bool largest = own->kind == GS_CLAIM_EXCLUSIVE && own->scope == GS_SCOPE_GRID;
    if (!own->is_chosen || largest || !is_blamed(s, blame, i))
      continue;
    own->scope = own->kind == GS_CLAIM_DISJOINT ? GS_SCOPE_BLOCK : GS_SCOPE_GRID;
    own->kind = GS_CLAIM_EXCLUSIVE;
    raised = true;
  }
  return raised;
}

/// A block that owns an element may leave it to one of its warps.
static void lower_to_warps(gs_search *s) {
  const gs_attempt plain = {.only_proof = true};
  for (uint32_t i = 0; i < s->desc->param_count && !gs_search_is_spent(s); i++) {
    gs_own *own = &s->owns[i];
    if (!own->is_chosen || own->kind != GS_CLAIM_EXCLUSIVE || own->scope != GS_SCOPE_BLOCK)
      continue;
    own->scope = GS_SCOPE_WARP;
    if (!gs_try(s, &plain, NULL, NULL))
      own->scope = GS_SCOPE_BLOCK;
  }
}

// --------------------------------------------------------------- minimising ----

/// Clauses that a user would be surprised by go first.
static int surprise(const char *clause) {
  if (strncmp(clause, "block.", 6) == 0)
    return clause[6] == 'z' ? 1 : 0;
  if (strncmp(clause, "dynamic_smem", 12) == 0)
    return 2;
  return strncmp(clause, "grid.", 5) == 0 ? 3 : 4;
}

static void remove_at(gs_attempt *a, uint32_t at) {
  a->more_count--;
  memmove(&a->more[at], &a->more[at + 1], (a->more_count - at) * sizeof *a->more);
}

/// All clauses of one kind at once. \returns true when they are not needed.
static bool drop_kind(gs_search *s, gs_attempt *a, int kind) {
  gs_attempt less = *a;
  less.more_count = 0;
  for (uint32_t i = 0; i < a->more_count; i++)
    if (surprise(a->more[i]) != kind)
      less.more[less.more_count++] = a->more[i];
  if (less.more_count == a->more_count || !gs_try(s, &less, NULL, NULL))
    return less.more_count == a->more_count;
  *a = less;
  return true;
}

static void drop_needless(gs_search *s, gs_attempt *a) {
  for (int kind = 4; kind >= 0; kind--) {
    if (drop_kind(s, a, kind))
      continue;
    for (uint32_t i = a->more_count; i-- > 0;) {
      gs_attempt less = *a;
      remove_at(&less, i);
      if (surprise(a->more[i]) == kind && gs_try(s, &less, NULL, NULL))
        *a = less;
    }
  }
}

/// "block.x == 256" to its two sides.
static bool split_equality(gs_search *s, const char *clause, const char **left, const char **right) {
  const char *equal = strstr(clause, " == ");
  if (!equal || strstr(equal + 4, " == ") || strpbrk(clause, "|&?"))
    return false;
  *left = gs_pool_format(s->arena, "%.*s", (int)(equal - clause), clause);
  *right = equal + 4;
  return *left != NULL;
}

static bool try_instead(gs_search *s, gs_attempt *a, uint32_t at, const char *clause) {
  const char *before = a->more[at];
  a->more[at] = clause;
  if (clause && gs_ask_launches(s, clause) != GS_LAUNCH_BREAKS && gs_try(s, a, NULL, NULL))
    return true;
  a->more[at] = before;
  return false;
}

/// Says less than an equality where that does.
static void weaken(gs_search *s, gs_attempt *a, uint32_t at) {
  const char *left, *right;
  if (!split_equality(s, a->more[at], &left, &right))
    return;
  char *end;
  long long value = strtoll(right, &end, 10);
  bool number = !*end, block = strncmp(left, "block.", 6) == 0;
  const char *texts[4] = {NULL};
  if (block || strncmp(left, "grid.", 5) == 0) {
    texts[0] = gs_pool_format(s->arena, "%s <= %s", left, right);
    texts[1] = block && number && value % 32 == 0 ? gs_pool_format(s->arena, "%s %% 32 == 0", left) : NULL;
    texts[2] = gs_pool_format(s->arena, "%s >= %s", left, right);
  } else if (strcmp(left, "dynamic_smem") == 0) {
    texts[0] = gs_pool_format(s->arena, "dynamic_smem >= %s", right);
  } else if (number) {
    texts[0] = value >= 0 ? gs_pool_format(s->arena, "%s >= 0", left) : NULL;
    texts[1] = value >= 1 ? gs_pool_format(s->arena, "%s >= 1", left) : NULL;
    texts[2] = gs_pool_format(s->arena, "%s <= %s", left, right);
  }
  for (int i = 0; i < 4; i++)
    if (texts[i] && try_instead(s, a, at, texts[i]))
      return;
}

/// `block.x == 16` and `block.y == 16` are how a user says `block == dim(16, 16)`.
static void join_block(gs_search *s, gs_attempt *a) {
  uint32_t x = GS_NONE, y = GS_NONE;
  for (uint32_t i = 0; i < a->more_count; i++) {
    x = strncmp(a->more[i], "block.x == ", 11) == 0 ? i : x;
    y = strncmp(a->more[i], "block.y == ", 11) == 0 ? i : y;
  }
  if (x == GS_NONE || y == GS_NONE || !gs_texts_have(&s->launch, "block.z == 1"))
    return;
  const char *joined = gs_pool_format(s->arena, "block == dim(%s, %s)", a->more[x] + 11, a->more[y] + 11);
  if (joined && try_instead(s, a, x, joined))
    remove_at(a, y);
}

bool gs_strengthen(gs_search *s, bool whole) {
  gs_attempt a = {0};
  const char *size[3] = {NULL, NULL, NULL};
  for (uint32_t i = 0; i < s->launch.count; i++)
    if (surprise(s->launch.items[i]) <= 1 && strncmp(s->launch.items[i] + 7, " == ", 4) == 0)
      size[s->launch.items[i][6] - 'x'] = s->launch.items[i] + 11;
  if (whole && size[0] && size[1] && size[2])
    a.more[a.more_count++] = gs_pool_format(s->arena, "block == dim(%s, %s, %s)", size[0], size[1], size[2]);
  for (uint32_t i = 0; i < s->launch.count && !whole; i++) {
    const char *text = s->launch.items[i];
    if (surprise(text) == 0 && (text[6] == 'x' || strcmp(text + 7, " == 1") != 0) && strstr(text, " == "))
      a.more[a.more_count++] = text;
  }
  for (uint32_t i = 0; i < s->clause_count && a.more_count; i++)
    if (strncmp(s->clauses[i], "block", 5) != 0)
      a.more[a.more_count++] = s->clauses[i];
  if (s->fixed || !a.more_count || !a.more[0] || a.more_count > GS_MOST_CLAUSES)
    return false;
  s->clause_count = a.more_count;
  memcpy(s->clauses, a.more, a.more_count * sizeof *s->clauses);
  return true;
}

/// The attempt is proved: takes of its clauses what it takes.
static bool take(gs_search *s, gs_attempt *a) {
  a->only_proof = true;
  drop_needless(s, a);
  for (uint32_t i = 0; i < a->more_count; i++)
    weaken(s, a, i);
  join_block(s, a);
  if (s->clause_count + a->more_count > GS_MOST_CLAUSES)
    return false;
  for (uint32_t i = 0; i < a->more_count; i++)
    s->clauses[s->clause_count++] = a->more[i];
  return true;
}

// ------------------------------------------------------------------- search ----

static void offer_sizes(gs_search *s, const gs_result *r) {
  gs_texts *out = &s->sizes;
  for (uint32_t i = 0; i < r->hint_count; i++)
    gs_texts_add(out, s->arena, "block.x <= %" PRIu32, r->hints[i]);
  for (uint32_t i = 0; i < r->hint_count; i++)
    gs_texts_add(out, s->arena, "block.x == %" PRIu32, r->hints[i]);
  gs_texts_add(out, s->arena, "block.x %% 32 == 0");
  gs_texts_add(out, s->arena, "is_pow2(block.x)");
}

/// One clause beside those of `base`, of those to which the launches say `verdict`.
static bool try_each(gs_search *s, const gs_texts *texts, const gs_attempt *base, gs_launch_verdict verdict) {
  for (uint32_t i = 0; i < texts->count && !gs_search_is_spent(s); i++) {
    gs_attempt a = *base;
    if (gs_ask_launches(s, texts->items[i]) != verdict || a.more_count == GS_MOST_TEXTS)
      continue;
    a.more[a.more_count++] = texts->items[i];
    a.only_proof = true;
    if (gs_try(s, &a, NULL, NULL) && take(s, &a))
      return true;
  }
  return false;
}

static gs_attempt with_launches(const gs_search *s) {
  gs_attempt a = {0};
  for (uint32_t i = 0; i < s->launch.count; i++)
    a.more[a.more_count++] = s->launch.items[i];
  return a;
}

/// \param blame what is open without a contract; receives what is open with all that the
///              launches tell
static bool find_contract(gs_search *s, gs_pool *pool, gs_result *blame) {
  const gs_attempt nothing = {0};
  gs_attempt all = with_launches(s);
  offer_sizes(s, blame);
  if (try_each(s, &s->relations, &nothing, GS_LAUNCH_KEEPS))
    return true; // it says more of the kernel than a constant does
  if (all.more_count) {
    gs_result with = {.arena = pool};
    if (gs_try(s, &all, pool, &with))
      return take(s, &all);
    *blame = with;
  }
  return try_each(s, &s->sizes, &nothing, GS_LAUNCH_KEEPS) ||
         try_each(s, &s->relations, &nothing, GS_LAUNCH_DEPENDS) ||
         try_each(s, &s->sizes, &nothing, GS_LAUNCH_DEPENDS) ||
         (all.more_count && (try_each(s, &s->relations, &all, GS_LAUNCH_KEEPS) ||
                             try_each(s, &s->relations, &all, GS_LAUNCH_DEPENDS)));
}

static const char *explain(gs_search *s, const gs_result *r) {
  for (uint32_t i = 0; i < r->finding_count; i++) {
    const gs_finding *f = &r->findings[i];
    if (f->verdict == GS_PROVED)
      continue;
    return f->loc.line ? gs_pool_format(s->arena, "line %" PRIu32 ": %s", f->loc.line, f->message)
                       : gs_pool_text(s->arena, f->message);
  }
  return r->has_launch ? "nothing proves it" : "no launch is known that satisfies the contract";
}

bool gs_find_ownership(gs_search *s, const char **why) {
  for (uint32_t i = 0; i < s->desc->param_count; i++)
    if (s->owns[i].is_pointer && s->owns[i].is_written && !s->owns[i].is_claimed) {
      s->owns[i].is_chosen = true;
      s->owns[i].kind = GS_CLAIM_DISJOINT;
    }
  *why = "it costs too much to look for more";
  while (!gs_search_is_spent(s)) {
    const gs_attempt nothing = {0};
    gs_pool *pool = gs_pool_new();
    gs_result blame = {.arena = pool};
    if (!pool)
      return false;
    bool hopeless = false, raised = false, proved = gs_try(s, &nothing, pool, &blame);
    if (!proved) {
      hopeless = blame.has_gaps || s->status != GS_OK;
      proved = !hopeless && !s->fixed && find_contract(s, pool, &blame);
      raised = !proved && !hopeless && raise(s, &blame);
      if (!proved)
        *why = explain(s, &blame);
    }
    gs_pool_free(pool);
    if (proved)
      lower_to_warps(s);
    if (proved || !raised)
      return proved;
  }
  return false;
}
