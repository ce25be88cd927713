// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_fuzz: random kernels, their verdicts against their runs.
//
//   replay_fuzz --clang=PROGRAM --header=FILE [--seed=N] [--count=N] [--runs=N]
//               [--batch=N] [--folder=DIR] [--budget=N] [--no-minimise] [--print]
//               [--precision] [--unmet] [--verbose] [--thrifty] [--quick] [--all]
//               [--strict] [--gpu=DIR]
//
// --gpu=DIR writes kernels, launches and verdicts for runs on a device (test/gpu).
// --quick asks with small budgets and only for proofs: many kernels in little time. --thrifty
// asks as a build does that wants no verdict. --all runs kernels that are not proved as well,
// and tells how many of the proved and others are broken.
//
// Ends with 1 when a kernel was PROVED that a run shows wrong, or (with --precision)
// a definite finding was not met by runs of its launch. Each is printed with its seed
// and the smallest kernel that still shows it: --seed=N --count=1 makes it again.
#include "oracle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
  fz_session session;
  uint64_t seed, count;
  uint32_t batch;
  bool minimise, print, precision, unmet, verbose;
} settings;

static bool parse(int argc, char **argv, settings *out) {
  *out = (settings){.session = {.clang = "clang", .folder = ".", .runs = 16},
                    .seed = 1, .count = 100, .batch = 25, .minimise = true};
  for (int i = 1; i < argc; i++) {
    const char *value = strchr(argv[i], '=');
    size_t length = value ? (size_t)(value++ - argv[i]) : strlen(argv[i]);
    #define IS(text) (length == strlen(text) && strncmp(argv[i], text, length) == 0)
    if (IS("--clang"))
      out->session.clang = value;
    else if (IS("--header"))
      out->session.header = value;
    else if (IS("--folder"))
      out->session.folder = value;
    else if (IS("--seed"))
      out->seed = strtoull(value, NULL, 10);
    else if (IS("--count"))
      out->count = strtoull(value, NULL, 10);
    else if (IS("--runs"))
      out->session.runs = (uint32_t)strtoul(value, NULL, 10);
    else if (IS("--budget"))
      out->session.budget = strtoull(value, NULL, 10);
    else if (IS("--batch"))
      out->batch = (uint32_t)strtoul(value, NULL, 10);
    else if (IS("--no-minimise"))
      out->minimise = false;
    else if (IS("--print"))
      out->print = true;
    else if (IS("--precision"))
      out->precision = true;
    else if (IS("--thrifty"))
      out->session.thrifty = true;
    else if (IS("--gpu"))
      out->session.gpu = value;
    else if (IS("--quick"))
      out->session.quick = true;
    else if (IS("--all"))
      out->session.all = true;
    else if (IS("--strict"))
      out->session.strict = true;
    else if (IS("--verbose"))
      out->verbose = true;
    else if (IS("--unmet"))
      out->unmet = true;
    else
      return false;
    #undef IS
  }
  return out->session.header && out->batch > 0;
}

typedef struct search {
  fz_session session;
  fz_outcome outcome;
} search;

static uint32_t still(void *user, fz_kernel *const *kernels, uint32_t count) {
  search *s = user;
  fz_report reports[FZ_CANDIDATES];
  gs_verdict verdicts[FZ_CANDIDATES];
  uint32_t i = 0;
  if (!fz_check_batch(&s->session, kernels, count, reports, verdicts)) { // one spoils all
    while (i < count && !(fz_check_batch(&s->session, &kernels[i], 1, reports, verdicts) &&
                          reports[0].outcome == s->outcome))
      i++;
    return i;
  }
  while (i < count && reports[i].outcome != s->outcome)
    i++;
  return i;
}

static void show(settings *s, const fz_kernel *k, const fz_report *report) {
  static const char *const names[] = {"agrees", "UNSOUND", "IMPRECISE", "UNMET", "unrun"};
  printf("==== %s: seed %" PRIu64 "\n%s\n", names[report->outcome], k->seed, report->text);
  fz_kernel *small = NULL;
  if (s->minimise) {
    search how = {.session = s->session, .outcome = report->outcome};
    how.session.gpu = NULL;
    small = fz_minimise(k, still, &how);
    fz_report again;
    gs_verdict verdict;
    if (fz_check_batch(&how.session, &small, 1, &again, &verdict))
      printf("reduced: %s\n", again.text);
  }
  fz_print(small ? small : k, stdout);
  fflush(stdout);
  fz_kernel_free(small);
}

/// \returns how many kernels are wrong.
static uint64_t run_batch(settings *s, uint64_t first, uint32_t count) {
  fz_kernel **kernels = calloc(count, sizeof(fz_kernel *));
  fz_report *reports = calloc(count, sizeof *reports);
  gs_verdict *verdicts = calloc(count, sizeof *verdicts);
  uint64_t wrong = 0;
  if (!kernels || !reports || !verdicts)
    abort();
  for (uint32_t i = 0; i < count; i++)
    kernels[i] = fz_generate(first + i);
  if (!fz_check_batch(&s->session, kernels, count, reports, verdicts)) {
    printf("batch of seed %" PRIu64 " could not be checked\n", first);
    wrong++;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (s->print) {
      printf("seed %" PRIu64 ": %s %s\n", kernels[i]->seed, gs_verdict_name(verdicts[i]), reports[i].text);
      fz_print(kernels[i], stdout);
    }
    bool bad = reports[i].outcome == FZ_UNSOUND || (s->precision && reports[i].outcome == FZ_IMPRECISE) ||
               (s->unmet && reports[i].outcome == FZ_UNMET);
    wrong += bad;
    if (bad)
      show(s, kernels[i], &reports[i]);
    fz_kernel_free(kernels[i]);
  }
  free(kernels);
  free(reports);
  free(verdicts);
  return wrong;
}

int main(int argc, char **argv) {
  settings s;
  if (!parse(argc, argv, &s)) {
    fprintf(stderr, "usage: replay_fuzz --clang=PROGRAM --header=FILE [--seed=N] [--count=N]\n");
    return 2;
  }
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < s.count; i += s.batch) {
    if (s.verbose)
      fprintf(stderr, "seed %" PRIu64 ": %" PRIu64 " proved\n", s.seed + i, s.session.verdicts[GS_PROVED]);
    wrong += run_batch(&s, s.seed + i, (uint32_t)(s.count - i < s.batch ? s.count - i : s.batch));
  }
  const uint64_t *v = s.session.verdicts, *o = s.session.outcomes;
  printf("seed %" PRIu64 ": %" PRIu64 " kernels: %" PRIu64 " proved, %" PRIu64 " definite, %" PRIu64
         " possible, %" PRIu64 " unknown; %" PRIu64 " unsound, %" PRIu64 " imprecise, %" PRIu64
         " not met, %" PRIu64 " not run (%" PRIu64 " refused)\n",
         s.seed, s.count, v[GS_PROVED], v[GS_RACE], v[GS_POSSIBLE], v[GS_UNKNOWN], o[FZ_UNSOUND],
         o[FZ_IMPRECISE], o[FZ_UNMET], o[FZ_UNRUN], s.session.refused);
  if (s.session.all)
    printf("a run shows %" PRIu64 " broken: %" PRIu64 " proved, %" PRIu64 " unknown; of the others %.1f %% are proved\n",
           s.session.broken, o[FZ_UNSOUND], s.session.broken_unknown,
           100.0 * (double)(v[GS_PROVED] - o[FZ_UNSOUND]) / (double)(s.count - s.session.broken));
  return wrong ? 1 : 0;
}
