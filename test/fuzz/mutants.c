// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// replay_mutants: small changes of real kernels, their verdicts against their runs.
//
//   replay_mutants --clang=PROGRAM --plugin=FILE --attrs=DIR [--folder=DIR] [--seed=N]
//                  [--count=N] [--runs=N] [--verbose] [--no-minimise] [--mutants-only] FILE.cu…
//
// Changes one thing at a time (mutant.c), compiles with the plugin, checks each kernel whose
// instructions changed as a claim, and runs it with random launches of its contract. Prints the
// score: of the mutants that runs show broken, how many are refused; of the others and of the
// kernels as they are, how many are proved. Ends with 1 when one is PROVED that a run shows
// broken, which no listed assumption excuses; it is printed, reduced by lines.
#include "attack.h"
#include "clause_terms.h"
#include "decode.h"
#include "gs_descriptor.h"
#include "ir.h"
#include "mutant.h"
#include "rerun.h"
#include "text.h"

#include <inttypes.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct settings {
  const char *clang, *plugin, *attrs, *folder;
  uint64_t seed;
  uint32_t count, runs; ///< mutants of each file, launches of each kernel
  bool verbose, minimise, mutants_only;
} settings;

enum { DIMS = 3 };

/// The size of the block that the file's RUN line gives the checker; not an annotation.
typedef struct block_option {
  char text[DIMS][32];
  gs_clause *clauses[DIMS];
  uint32_t count;
} block_option;

/// A compiled source.
typedef struct unit {
  LLVMContextRef context;
  LLVMModuleRef module;
  gs_ir *ir;
  gs_text *text;
  block_option block;
} unit;

typedef struct tally {
  uint64_t broken, refused, unknown; ///< a run shows it broken; not proved; of those UNKNOWN
  uint64_t sound, proved;            ///< no run does; proved
} tally;

typedef struct score {
  tally originals, claimed, plain; ///< mutants with and without claims
  uint64_t mutants, invalid, equivalent, unrun, bugs;
} score;

// ---------------------------------------------------------------- compile ----

static char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  char *data = NULL;
  size_t room = 0, got = 1;
  *size = 0;
  while (f && got) {
    if (*size + 1 >= room && !(data = realloc(data, room = room ? room * 2 : 65536)))
      abort();
    got = fread(data + *size, 1, room - *size - 1, f);
    *size += got;
  }
  if (f)
    fclose(f);
  if (data)
    data[*size] = 0;
  return data;
}

static bool compile(const settings *s, const char *original, const char *source, const char *module) {
  char include[600], beside[600], header[600], plugin[600], out[800];
  const char *slash = strrchr(original, '/');
  snprintf(include, sizeof include, "-I%s", s->attrs);
  snprintf(beside, sizeof beside, "-I%.*s", slash ? (int)(slash - original) : 1, slash ? original : ".");
  snprintf(header, sizeof header, "%s/gpusafe_cuda_min.h", s->attrs);
  snprintf(plugin, sizeof plugin, "-fplugin=%s", s->plugin);
  snprintf(out, sizeof out, "-fplugin-arg-gpusafe-module=%s", module);
  char *argv[] = {(char *)(uintptr_t)s->clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
                  "-Wno-everything", "-include", header, include, beside, "--cuda-gpu-arch=sm_90", "-Xclang",
                  "-target-sdk-version=12.9", "--cuda-feature=+ptx88", "-fsyntax-only", plugin, out, "-w",
                  (char *)(uintptr_t)source, NULL};
  pid_t child;
  int status = 0;
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", 1 /* O_WRONLY */, 0);
  bool started = posix_spawnp(&child, s->clang, &quiet, NULL, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  return started && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void read_block(const char *source, block_option *out) {
  const char *at = strstr(source, "--block=");
  const char *line = at ? memchr(at, '\n', strlen(at)) : NULL;
  for (at = at ? at + strlen("--block=") : NULL; line && at < line && out->count < DIMS;) {
    char *end;
    unsigned long size = strtoul(at, &end, 10);
    char *text = out->text[out->count];
    snprintf(text, sizeof out->text[0], "block.%c == %lu", "xyz"[out->count], size);
    if (end == at || gs_clause_parse(text, strlen(text), NULL, NULL, &out->clauses[out->count], NULL) != GS_OK)
      return;
    out->count++;
    if (*end != 'x')
      return;
    at = end + 1;
  }
}

static void close_unit(unit *u) {
  for (uint32_t i = 0; i < u->block.count; i++)
    gs_clause_free(u->block.clauses[i]);
  gs_ir_close(u->ir);
  gs_text_free(u->text);
  if (u->module)
    LLVMDisposeModule(u->module);
  if (u->context)
    LLVMContextDispose(u->context);
  *u = (unit){0};
}

/// Compiles a source text. \returns false when it is no mutant.
static bool open_unit(const settings *s, const char *original, const char *source, unit *out) {
  char cu[700], ll[700], gs[700];
  snprintf(cu, sizeof cu, "%s/mutant.%ld.cu", s->folder, (long)getpid());
  snprintf(ll, sizeof ll, "%s/mutant.%ld.ll", s->folder, (long)getpid());
  snprintf(gs, sizeof gs, "%s/mutant.%ld.gs", s->folder, (long)getpid());
  *out = (unit){0};
  read_block(source, &out->block);
  FILE *f = fopen(cu, "w");
  if (!f || fputs(source, f) == EOF || fclose(f) != 0)
    return false;
  bool fine = compile(s, original, cu, ll);
  LLVMMemoryBufferRef buffer;
  size_t size = 0;
  char *text = fine ? read_file(gs, &size) : NULL;
  out->context = LLVMContextCreate();
  fine = fine && text && gs_text_parse(text, size, &out->text, NULL) == GS_OK &&
         !LLVMCreateMemoryBufferWithContentsOfFile(ll, &buffer, NULL) &&
         !LLVMParseIRInContext(out->context, buffer, &out->module, NULL) &&
         gs_ir_open(out->module, &out->ir, NULL) == GS_OK;
  free(text);
  unlink(cu);
  unlink(ll);
  unlink(gs);
  if (!fine)
    close_unit(out);
  return fine;
}

// ------------------------------------------------------------------ judge ----

static const gs_program *program_of(const unit *u, const char *mangled) {
  for (uint32_t i = 0; i < gs_text_kernel_count(u->text); i++) {
    const gs_program *p = gs_text_kernel(u->text, i);
    if (p->desc && strcmp(p->desc->mangled, mangled) == 0)
      return p;
  }
  return NULL;
}

static uint32_t flat_axes(const gs_program *p, const gs_kernel_desc *desc) {
  static const uint32_t bits[6] = {0, GS_DESC_ASSUME_BLOCK_Y_ONE, GS_DESC_ASSUME_BLOCK_Z_ONE,
                                   0, GS_DESC_ASSUME_GRID_Y_ONE,  GS_DESC_ASSUME_GRID_Z_ONE};
  uint32_t axes = p->axes_used, out = 0;
  for (uint32_t i = 0; i < desc->fact_count; i++)
    axes |= gs_clause_axes(desc->facts[i].clause);
  for (int i = 0; i < 6; i++)
    out |= axes >> i & 1 ? 0 : bits[i];
  return out;
}

static bool is_claimed(const gs_kernel_desc *d) {
  bool claimed = d->claim_count > 0;
  for (uint32_t i = 0; i < d->fact_count; i++)
    claimed |= d->facts[i].origin == GS_FACT_CONTRACT;
  return claimed;
}

typedef struct judged {
  gs_verdict verdict;
  gs_attack_report attack;
  bool confirmed; ///< a run of a finding's own launch shows it
  bool run;
  char why[300];  ///< not proved: the first finding
} judged;

/// Does a run of the finding's launch show it? Only what was found is in doubt then, not the
/// launch: it is one of the contract's.
static bool shown(const gs_finding *f, const gs_code *code) {
  enum { BUDGET = 4000000 };
  bool place = f->rule == GS_RULE_DATA_RACE || f->rule == GS_RULE_DISJOINT || f->rule == GS_RULE_ATOMIC_MIX ||
               f->rule == GS_RULE_OUT_OF_BOUNDS;
  if (f->verdict == GS_RACE && f->replay && strcmp(f->replay, "confirmed") == 0)
    return true;
  if ((f->verdict != GS_RACE && f->verdict != GS_POSSIBLE) || !f->witness || !place)
    return false;
  gs_rerun_claim claim = {.barriers_order = f->rule != GS_RULE_DISJOINT};
  for (uint32_t i = 0; i < f->access_count && i < 2; i++) {
    claim.line[i] = f->access[i].loc.line;
    claim.is_write[i] = f->access[i].is_write;
    claim.is_atomic[i] = f->access[i].is_atomic;
  }
  uint64_t steps = 0;
  gs_replay_end end;
  return gs_rerun_confirm(code, f->witness, &claim, BUDGET, &steps, &end, NULL) == GS_RERUN_CONFIRMED;
}

/// Only this kernel stays one.
static void leave_alone(LLVMModuleRef module, const char *mangled, unsigned convention) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetFunctionCallConv(f) == convention && strcmp(LLVMGetValueName(f), mangled) != 0)
      LLVMSetFunctionCallConv(f, 0);
}

static bool judge(const settings *s, const unit *u, const char *mangled, const gs_code *code, judged *out) {
  enum { PTX_KERNEL = 71, MOST_FACTS = 64 };
  const gs_program *p = program_of(u, mangled);
  gs_report *report = NULL;
  if (!p)
    return false;
  gs_kernel_desc desc = *p->desc;
  gs_fact facts[MOST_FACTS + DIMS];
  if (desc.fact_count > MOST_FACTS)
    return false;
  if (desc.fact_count)
    memcpy(facts, desc.facts, desc.fact_count * sizeof *facts);
  for (uint32_t i = 0; i < u->block.count; i++)
    facts[desc.fact_count++] = (gs_fact){.clause = u->block.clauses[i], .origin = GS_FACT_OPTION};
  desc.facts = facts;
  LLVMModuleRef module = LLVMCloneModule(u->module);
  leave_alone(module, mangled, PTX_KERNEL);
  gs_input input = {.file = "mutant.cu", .target = "sm_90", .kernels = &desc, .kernel_count = 1,
                    .options = {.sm = 90, .verify = true, .same_value = GS_SAME_VALUE_ERROR}};
  bool fine = gs_check(module, &input, &report, NULL) == GS_OK && report->kernel_count == 1;
  if (fine) {
    const gs_kernel_result *k = &report->kernels[0];
    out->verdict = k->verdict;
    bool proved = k->verdict == GS_PROVED;
    for (uint32_t i = 0; i < k->finding_count; i++) {
      const gs_finding *f = &k->findings[i];
      out->confirmed |= shown(f, code);
      if (f->verdict != GS_PROVED && !out->why[0])
        snprintf(out->why, sizeof out->why, "[%s] %s%s%s", gs_rule_name(f->rule), f->message,
                 f->reason ? " | " : "", f->reason ? f->reason : "");
    }
    gs_attack attack = {.code = code, .desc = &desc, .result = proved ? k : NULL,
                        .flat = proved ? 0 : flat_axes(p, &desc), .seed = s->seed, .runs = s->runs, .budget = 300000};
    gs_attack_run(&attack, &out->attack);
    out->run = out->attack.outcome != GS_ATTACK_UNRUN || out->confirmed;
  }
  gs_report_free(report);
  LLVMDisposeModule(module);
  return fine;
}

static void count(tally *t, const judged *j) {
  if (j->attack.outcome == GS_ATTACK_BREAKS || j->confirmed) {
    t->broken++;
    t->refused += j->verdict != GS_PROVED;
    t->unknown += j->verdict == GS_UNKNOWN;
  } else {
    t->sound++;
    t->proved += j->verdict == GS_PROVED;
  }
}

// --------------------------------------------------------------- minimise ----

/// Is the kernel of this source still proved, and broken?
static bool still_wrong(const settings *s, const char *original, const char *source, const char *mangled,
                        judged *out) {
  unit u;
  bool wrong = false;
  if (!open_unit(s, original, source, &u))
    return false;
  for (uint32_t i = 0; i < gs_ir_kernel_count(u.ir); i++) {
    gs_code *code = NULL;
    char *reason = NULL;
    if (strcmp(gs_ir_kernel_name(u.ir, i), mangled) == 0 && gs_ir_decode(u.ir, i, &code, &reason) == GS_OK)
      wrong = judge(s, &u, mangled, code, out) && out->verdict == GS_PROVED &&
              out->attack.outcome == GS_ATTACK_BREAKS;
    gs_code_free(code);
    free(reason);
  }
  close_unit(&u);
  return wrong;
}

/// Takes lines out, many at first, as long as what is left is still wrong.
static void reduce(const settings *s, const char *original, char *source, const char *mangled) {
  judged j;
  for (size_t many = 64; many; many /= 2)
    for (size_t at = 0; source[at];) {
      size_t end = at;
      for (size_t n = 0; n < many && source[end]; n++)
        end += strcspn(source + end, "\n") + (source[end + strcspn(source + end, "\n")] == '\n');
      size_t length = strlen(source);
      char *less = malloc(length + 1);
      if (!less)
        return;
      memcpy(less, source, at);
      memcpy(less + at, source + end, length - end + 1);
      if (still_wrong(s, original, less, mangled, &j))
        memcpy(source, less, length - (end - at) + 1);
      else
        at = end;
      free(less);
    }
}

static void show_bug(const settings *s, const char *original, const char *source, const char *mangled,
                     const fz_edit *e, const judged *j) {
  printf("==== UNSOUND: %s, kernel %s, seed %" PRIu64 "%s%s\n%s\n", original, mangled, s->seed, e ? ", " : "",
         e ? e->kind : "", j->attack.text);
  char *copy = strdup(source);
  judged again;
  if (copy && s->minimise && still_wrong(s, original, copy, mangled, &again)) {
    reduce(s, original, copy, mangled);
    if (still_wrong(s, original, copy, mangled, &again))
      printf("reduced: %s\n", again.attack.text);
  }
  printf("%s\n", copy ? copy : source);
  fflush(stdout);
  free(copy);
}

// ------------------------------------------------------------------ files ----

/// Instructions of each kernel of the original, to see which a mutant changes.
typedef struct original {
  char *dumps[256];
  const char *names[256];
  uint32_t count;
} original;

static const char *dump_before(const original *o, const char *mangled) {
  for (uint32_t i = 0; o && i < o->count; i++)
    if (strcmp(o->names[i], mangled) == 0)
      return o->dumps[i];
  return NULL;
}

static uint32_t line_of(const char *source, const fz_edit *e) {
  uint32_t line = 1;
  for (size_t i = 0; e && i < e->begin; i++)
    line += source[i] == '\n';
  return line;
}

/// Judges every kernel that differs from the original. \returns how many did.
static uint32_t judge_unit(const settings *s, const char *file, const char *source, const unit *u,
                           const original *before, const fz_edit *e, score *out) {
  uint32_t changed = 0;
  for (uint32_t i = 0; i < gs_ir_kernel_count(u->ir); i++) {
    gs_code *code = NULL;
    char *reason = NULL;
    const char *mangled = gs_ir_kernel_name(u->ir, i);
    gs_ir_decode(u->ir, i, &code, &reason);
    char *dump = code ? gs_code_dump(code) : NULL;
    const char *was = dump_before(before, mangled);
    judged j = {0};
    if (!code)
      out->unrun += before == NULL;
    else if ((!before || (was && dump && strcmp(was, dump) != 0)) && judge(s, u, mangled, code, &j)) {
      changed++;
      const gs_program *p = program_of(u, mangled);
      if (!j.run)
        out->unrun++;
      else
        count(!before ? &out->originals : is_claimed(p->desc) ? &out->claimed : &out->plain, &j);
      bool bug = j.verdict == GS_PROVED && j.attack.outcome == GS_ATTACK_BREAKS;
      out->bugs += bug;
      if (bug)
        show_bug(s, file, source, mangled, e, &j);
      if (s->verbose)
        printf("%s:%" PRIu32 " %s: %s%s%s, %s%s%s%s%s\n", file, line_of(source, e), mangled,
               e ? e->kind : "as it is", e ? " to " : "", e ? e->text : "", gs_verdict_name(j.verdict),
               j.attack.outcome == GS_ATTACK_BREAKS ? ", broken: "
             : j.confirmed                        ? ", shown"
             : j.run                              ? ", holds"
                                                  : ", not run",
               j.attack.outcome == GS_ATTACK_BREAKS ? j.attack.text : "", j.why[0] ? " | " : "", j.why);
      fflush(stdout);
    }
    free(dump);
    free(reason);
    gs_code_free(code);
  }
  return changed;
}

static void remember(const unit *u, original *o) {
  for (uint32_t i = 0; i < gs_ir_kernel_count(u->ir) && o->count < 256; i++) {
    gs_code *code = NULL;
    char *reason = NULL;
    if (gs_ir_decode(u->ir, i, &code, &reason) == GS_OK) {
      o->names[o->count] = gs_ir_kernel_name(u->ir, i);
      o->dumps[o->count++] = gs_code_dump(code);
    }
    gs_code_free(code);
    free(reason);
  }
}

static uint64_t mix(uint64_t x) {
  x += UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}

static void mutate(const settings *s, const char *file, const char *source, const original *before, score *out) {
  fz_edit *edits = NULL;
  size_t n = fz_find_edits(source, &edits);
  // A sample without repetition, the same for the same seed.
  for (size_t i = 0; i + 1 < n; i++) {
    size_t j = i + mix(s->seed * 1000003 + i) % (n - i);
    fz_edit swap = edits[i];
    edits[i] = edits[j];
    edits[j] = swap;
  }
  for (size_t i = 0; i < n && i < s->count; i++) {
    unit u;
    char *mutant = fz_apply_edit(source, &edits[i]);
    out->mutants++;
    if (!mutant || !open_unit(s, file, mutant, &u)) {
      out->invalid++;
    } else {
      out->equivalent += !judge_unit(s, file, mutant, &u, before, &edits[i], out);
      close_unit(&u);
    }
    free(mutant);
  }
  free(edits);
}

static bool work_on(const settings *s, const char *file, score *out) {
  size_t size = 0;
  char *source = read_file(file, &size);
  original before = {0};
  unit u;
  if (!source || !open_unit(s, file, source, &u)) {
    fprintf(stderr, "%s: cannot be compiled as it is\n", file);
    free(source);
    return false;
  }
  remember(&u, &before);
  if (!s->mutants_only)
    judge_unit(s, file, source, &u, NULL, NULL, out);
  mutate(s, file, source, &before, out);
  for (uint32_t i = 0; i < before.count; i++)
    free(before.dumps[i]);
  close_unit(&u);
  free(source);
  return true;
}

// ------------------------------------------------------------------- main ----

static bool parse(char *word, settings *out) {
  char *value = strchr(word, '=');
  size_t length = value ? (size_t)(value++ - word) : strlen(word);
  value = value ? value : (char[]){0};
#define IS(text) (length == strlen(text) && strncmp(word, text, length) == 0)
  if (IS("--clang"))
    out->clang = value;
  else if (IS("--plugin"))
    out->plugin = value;
  else if (IS("--attrs"))
    out->attrs = value;
  else if (IS("--folder"))
    out->folder = value;
  else if (IS("--seed"))
    out->seed = strtoull(value, NULL, 10);
  else if (IS("--count"))
    out->count = (uint32_t)strtoul(value, NULL, 10);
  else if (IS("--runs"))
    out->runs = (uint32_t)strtoul(value, NULL, 10);
  else if (IS("--verbose"))
    out->verbose = true;
  else if (IS("--no-minimise"))
    out->minimise = false;
  else if (IS("--mutants-only"))
    out->mutants_only = true;
  else
    return false;
#undef IS
  return true;
}

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 100.0; }

static void print_tally(const char *what, const tally *t) {
  printf("%s: %" PRIu64 " broken, %.1f %% refused (%" PRIu64 " unknown); %" PRIu64 " not seen broken, %.1f %% proved\n", what,
         t->broken, percent(t->refused, t->broken), t->unknown, t->sound, percent(t->proved, t->sound));
}

int main(int argc, char **argv) {
  settings s = {.clang = "clang", .folder = ".", .seed = 1, .count = 40, .runs = 40, .minimise = true};
  score total = {0};
  int i = 1;
  bool fine = true;
  while (i < argc && strncmp(argv[i], "--", 2) == 0 && fine)
    fine = parse(argv[i++], &s);
  if (!fine || i == argc || !s.plugin || !s.attrs) {
    fprintf(stderr, "usage: see mutants.c\n");
    return 2;
  }
  for (; i < argc; i++)
    fine &= work_on(&s, argv[i], &total);
  printf("seed %" PRIu64 ": %" PRIu64 " mutants, %" PRIu64 " do not compile, %" PRIu64 " change no kernel that can be run, %" PRIu64
         " kernels not run, %" PRIu64 " unsound\n",
         s.seed, total.mutants, total.invalid, total.equivalent, total.unrun, total.bugs);
  print_tally("originals", &total.originals);
  print_tally("mutants with claims", &total.claimed);
  print_tally("mutants without claims", &total.plain);
  return total.bugs || !fine;
}
