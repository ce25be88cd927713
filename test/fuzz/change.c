// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small changes: at random for mutants, towards less for minimisation.
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINKS = 2000 };

typedef struct links {
  fz_node **statements[MAX_LINKS], **expressions[MAX_LINKS];
  uint32_t statement_count, expression_count;
} links;

static void collect_expression(links *l, fz_node **link) {
  if (!*link || l->expression_count == MAX_LINKS)
    return;
  l->expressions[l->expression_count++] = link;
  for (int i = 0; i < 4; i++)
    collect_expression(l, &(*link)->kid[i]);
}

static bool kid_is_list(const fz_node *n, int i) {
  return (n->kind == FZ_IF && (i == 1 || i == 2)) || (n->kind == FZ_FOR && i == 3) ||
         (n->kind == FZ_SWITCH && i >= 1) || (n->kind == FZ_BLOCK && i == 1);
}

static void collect(links *l, fz_node **link) {
  for (; *link && l->statement_count < MAX_LINKS; link = &(*link)->next) {
    l->statements[l->statement_count++] = link;
    for (int i = 0; i < 4; i++) {
      if (kid_is_list(*link, i))
        collect(l, &(*link)->kid[i]);
      else
        collect_expression(l, &(*link)->kid[i]);
    }
  }
}

static links *collect_all(fz_kernel *k) {
  links *l = calloc(1, sizeof *l);
  if (!l)
    abort();
  collect(l, &k->body);
  for (uint32_t i = 0; i < k->var_count; i++)
    collect_expression(l, &k->vars[i].init);
  return l;
}

// ------------------------------------------------------------- mutation ----

static bool is_compare(uint32_t op) { return op >= FZ_LT && op <= FZ_NE; }

static void change_expression(fz_random *r, fz_node *n) {
  if (n->kind == FZ_CONST)
    n->value += (int64_t)fz_below(r, 3) - 1;
  else if (n->kind == FZ_BINARY && is_compare(n->op))
    n->op = FZ_LT + fz_below(r, 6);
  else if (n->kind == FZ_BINARY && n->op <= FZ_XOR && n->op != FZ_DIV && n->op != FZ_REM) {
    static const uint32_t ops[] = {FZ_ADD, FZ_SUB, FZ_MUL, FZ_AND, FZ_OR, FZ_XOR};
    n->op = ops[fz_below(r, FZ_COUNT(ops))];
  } else if (n->kind == FZ_SREG) {
    n->value = fz_below(r, 4) * 3 + n->value % 3;
  }
}

static void swap_with_next(fz_node **link) {
  fz_node *a = *link, *b = a->next;
  if (!b)
    return;
  a->next = b->next;
  b->next = a;
  *link = b;
}

void fz_mutate(fz_kernel *k, fz_random *r) {
  links *l = collect_all(k);
  if (!l->statement_count) {
    free(l);
    return;
  }
  fz_node **link = l->statements[fz_below(r, l->statement_count)];
  switch (fz_below(r, 6)) {
  case 0: { // drop a barrier
    for (uint32_t i = 0, at = fz_below(r, l->statement_count); i < l->statement_count; i++) {
      fz_node **b = l->statements[(at + i) % l->statement_count];
      if ((*b)->kind == FZ_BARRIER) {
        *b = (*b)->next;
        break;
      }
    }
    break;
  }
  case 1: { // add one
    fz_node *b = fz_node_new(k, FZ_BARRIER, FZ_I32);
    b->next = *link;
    *link = b;
    break;
  }
  case 2: swap_with_next(link); break;
  case 3:
    if ((*link)->kind != FZ_FOR)
      *link = (*link)->next;
    break;
  default:
    if (l->expression_count)
      change_expression(r, *l->expressions[fz_below(r, l->expression_count)]);
    break;
  }
  free(l);
}

// ---------------------------------------------------------- minimisation ----

static void append_list(fz_node **link, fz_node *list, fz_node *rest) {
  *link = list ? list : rest;
  if (!list)
    return;
  while (list->next)
    list = list->next;
  list->next = rest;
}

enum { STATEMENT_WAYS = 5, EXPRESSION_WAYS = 5, VAR_WAYS = 3 };

/// Applies way `way` to statement or expression `at`. \returns false when it does
/// not fit there.
static bool reduce_statement(fz_node **link, uint32_t way) {
  fz_node *n = *link;
  if (way == 0) {
    *link = n->next;
    return true;
  }
  int kid = (int)way - 1;
  if (kid_is_list(n, kid)) {
    append_list(link, n->kid[kid], n->next);
    return true;
  }
  if (n->kind == FZ_IF && way == 1 && n->kid[2]) {
    n->kid[2] = NULL;
    return true;
  }
  return false;
}

static bool reduce_expression(fz_kernel *k, fz_node **link, uint32_t way) {
  fz_node *n = *link;
  if (way < 3) {
    if (!n->kid[way] || n->kind == FZ_LOAD)
      return false;
    *link = n->kid[way];
    return true;
  }
  if (n->kind == FZ_CONST && (n->value == 0 || (n->value == 1 && way == 4)))
    return false;
  fz_node *c = fz_node_new(k, FZ_CONST, FZ_I32);
  c->value = way == 4;
  *link = c;
  return true;
}

static bool reduce_rest(fz_kernel *k, uint32_t at) {
  if (at < k->fact_count) {
    for (uint32_t i = at; i + 1 < k->fact_count; i++)
      memcpy(k->facts[i], k->facts[i + 1], sizeof k->facts[0]);
    k->fact_count--;
    return true;
  }
  at -= k->fact_count;
  if (at < k->array_count) {
    bool had = k->arrays[at].claim != FZ_NO_CLAIM;
    k->arrays[at].claim = FZ_NO_CLAIM;
    return had;
  }
  at -= k->array_count;
  if (at < k->var_count) {
    bool had = k->vars[at].type != FZ_I32;
    k->vars[at].type = FZ_I32;
    return had;
  }
  at -= k->var_count;
  if (at < k->array_count) {
    bool had = k->arrays[at].elem != FZ_I32;
    k->arrays[at].elem = FZ_I32;
    return had;
  }
  return false;
}

/// One attempt. \returns false past the last.
static bool attempt(fz_kernel *k, uint32_t number, bool *fits) {
  links *l = collect_all(k);
  uint32_t statements = l->statement_count * STATEMENT_WAYS;
  uint32_t expressions = l->expression_count * EXPRESSION_WAYS;
  uint32_t rest = k->fact_count + 2 * k->array_count + k->var_count;
  bool inside = true;
  *fits = false;
  if (number < statements)
    *fits = reduce_statement(l->statements[number / STATEMENT_WAYS], number % STATEMENT_WAYS);
  else if (number - statements < expressions)
    *fits = reduce_expression(k, l->expressions[(number - statements) / EXPRESSION_WAYS],
                              (number - statements) % EXPRESSION_WAYS);
  else if (number - statements - expressions < rest)
    *fits = reduce_rest(k, number - statements - expressions);
  else
    inside = false;
  free(l);
  return inside;
}

static uint32_t node_size(const fz_node *n) {
  uint32_t size = n ? 1 : 0;
  for (; n; n = n->next)
    for (int i = 0; i < 4; i++)
      size += 1 + node_size(n->kid[i]);
  return size;
}

/// The next candidates from attempt *number on, as many as fit. \returns how many; *number is then
/// past the last of them. `from` receives the attempt that each is.
static uint32_t gather(const fz_kernel *best, uint32_t *number, fz_kernel **out, uint32_t *from) {
  uint32_t n = 0;
  for (bool inside = true, fits; inside && n < FZ_CANDIDATES; ++*number) {
    fz_kernel *candidate = fz_kernel_copy(best);
    inside = attempt(candidate, *number, &fits);
    if (!inside || !fits) {
      fz_kernel_free(candidate);
      continue;
    }
    from[n] = *number;
    out[n++] = candidate;
  }
  return n;
}

fz_kernel *fz_minimise(const fz_kernel *k, fz_still_fn *still, void *user) {
  enum { MAX_TRIES = 1500 };
  fz_kernel *best = fz_kernel_copy(k), *candidates[FZ_CANDIDATES];
  uint32_t from[FZ_CANDIDATES], tries = 0, before, count;
  do {
    before = node_size(best->body) + best->fact_count;
    uint32_t number = 0;
    while (tries < MAX_TRIES && (count = gather(best, &number, candidates, from)) > 0) {
      uint32_t found = still(user, candidates, count);
      tries += count;
      for (uint32_t i = 0; i < count; i++)
        if (i != found)
          fz_kernel_free(candidates[i]);
      if (found >= count)
        continue;
      fz_kernel_free(best);
      best = candidates[found];
      number = from[found] / STATEMENT_WAYS * STATEMENT_WAYS; // the same place again
    }
  } while (tries < MAX_TRIES && node_size(best->body) + best->fact_count < before);
  return best;
}
