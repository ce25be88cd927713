// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as CUDA text.
#include "kernel.h"

#include <inttypes.h>
#include <string.h>

const char *const fz_binaries[20] = {"=", "+", "-", "*", "/", "%", "<<", ">>", "&", "|",
                                     "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "?"};
const char *const fz_unaries[3] = {"-", "~", "!"};
const char *const fz_sregs[12] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x",
                                  "blockIdx.y",  "blockIdx.z",  "blockDim.x",  "blockDim.y",
                                  "blockDim.z",  "gridDim.x",   "gridDim.y",   "gridDim.z"};
const char *const fz_calls[8] = {"min", "max", "abs", "__popc", "__brev", "__clz", "half_of", "pick"};
const char *const fz_atomics[8] = {"atomicAdd", "atomicMax", "atomicExch", "atomicAdd_block",
                                   "atomicCAS", "atomicOr_block", "atomicInc", "atomicMin"};
const char *const fz_loops[6] = {"up", "down", "halve", "double", "times", "do"};

static const struct {
  const char *name;
  uint32_t size;
  bool is_signed;
} types[FZ_TYPES] = {{"signed char", 1, true}, {"unsigned char", 1, false}, {"short", 2, true},
                     {"unsigned short", 2, false}, {"int", 4, true}, {"unsigned", 4, false},
                     {"long long", 8, true}, {"unsigned long long", 8, false}, {"float", 4, true},
                     {"double", 8, true}};

const char *fz_type_name(fz_type type) { return types[type].name; }
uint32_t fz_type_size(fz_type type) { return types[type].size; }
bool fz_type_signed(fz_type type) { return types[type].is_signed; }

static void print_expr(const fz_kernel *k, const fz_node *n, FILE *f);

static void print_array(const fz_kernel *k, uint32_t a, FILE *f) {
  switch (k->arrays[a].space) {
  case FZ_FIELD: fprintf(f, "p.a%u", a); break;
  case FZ_GLOBAL:
  case FZ_CONSTANT:
  case FZ_DYNAMIC: fprintf(f, "a%u_%u", a, k->index); break;
  case FZ_PARAM:
  case FZ_SHARED:
  case FZ_LOCAL: fprintf(f, "a%u", a); break;
  }
}

static void print_element(const fz_kernel *k, const fz_node *n, FILE *f) {
  bool cast = (n->kind == FZ_LOAD || n->kind == FZ_STORE) && n->type != FZ_I32;
  if (cast)
    fprintf(f, "*(%s%s *)&", k->arrays[n->value].is_volatile ? "volatile " : "", fz_type_name(n->type));
  print_array(k, (uint32_t)n->value, f);
  fputc('[', f);
  print_expr(k, n->kid[0], f);
  fputc(']', f);
  if (n->kid[1]) {
    fputc('[', f);
    print_expr(k, n->kid[1], f);
    fputc(']', f);
  }
}

static void print_const(const fz_node *n, FILE *f) {
  const char *suffix = n->type == FZ_U32   ? "u"
                       : n->type == FZ_I64 ? "ll"
                       : n->type == FZ_U64 ? "ull" : "";
  if (n->type >= FZ_F32)
    fprintf(f, "%" PRId64 ".0%s", n->value, n->type == FZ_F32 ? "f" : "");
  else if (n->value < 0)
    fprintf(f, "(%s)(%" PRId64 "%s)", fz_type_name(n->type), n->value, n->type >= FZ_I64 ? "ll" : "");
  else
    fprintf(f, "%" PRId64 "%s", n->value, suffix);
}

static void print_binary(const fz_kernel *k, const fz_node *n, FILE *f) {
  fputc('(', f);
  print_expr(k, n->kid[0], f);
  fprintf(f, " %s ", fz_binaries[n->op]);
  print_expr(k, n->kid[1], f);
  fputc(')', f);
}

static void print_expr(const fz_kernel *k, const fz_node *n, FILE *f) {
  switch ((int)n->kind) {
  case FZ_CONST: print_const(n, f); break;
  case FZ_VAR: fprintf(f, "v%" PRId64, n->value); break;
  case FZ_SCALAR:
    fprintf(f, "%sn%" PRId64, k->scalars[n->value].is_field ? "p." : "", n->value);
    break;
  case FZ_SREG: fputs(fz_sregs[n->value], f); break;
  case FZ_BINARY: print_binary(k, n, f); break;
  case FZ_UNARY:
    fprintf(f, "(%s", fz_unaries[n->op]);
    print_expr(k, n->kid[0], f);
    fputc(')', f);
    break;
  case FZ_CAST:
    fprintf(f, "((%s)", fz_type_name(n->type));
    print_expr(k, n->kid[0], f);
    fputc(')', f);
    break;
  case FZ_CHOOSE:
    fputc('(', f);
    print_expr(k, n->kid[0], f);
    fputs(" ? ", f);
    print_expr(k, n->kid[1], f);
    fputs(" : ", f);
    print_expr(k, n->kid[2], f);
    fputc(')', f);
    break;
  case FZ_LOAD:
    fputs(k->arrays[n->value].elem >= FZ_F32 || n->type != FZ_I32 ? "((int)" : "(", f);
    print_element(k, n, f);
    fputc(')', f);
    break;
  case FZ_DEREF:
    fprintf(f, "(%sq%" PRId64 "[", k->pointer_elem[n->value] >= FZ_F32 ? "(int)" : "", n->value);
    print_expr(k, n->kid[0], f);
    fputs("])", f);
    break;
  case FZ_CALL:
    fprintf(f, "%s((int)", fz_calls[n->op]);
    print_expr(k, n->kid[0], f);
    if (n->op < 2 || n->op >= 6) {
      fputs(", (int)", f);
      print_expr(k, n->kid[1], f);
    }
    fputc(')', f);
    break;
  default: fputs("?", f); break;
  }
}

static void print_list(const fz_kernel *k, const fz_node *n, int depth, FILE *f);

static void indent(int depth, FILE *f) { fprintf(f, "%*s", depth * 2, ""); }

static void print_body(const fz_kernel *k, const fz_node *n, int depth, FILE *f) {
  fputs(" {\n", f);
  print_list(k, n, depth + 1, f);
  indent(depth, f);
  fputs("}", f);
}

static void print_for(const fz_kernel *k, const fz_node *n, int depth, FILE *f) {
  static const char *const tests[] = {"<", ">=", ">", "<", "<"};
  static const char *const steps[] = {"+=", "-=", ">>=", "<<=", "*="};
  int v = (int)n->value;
  if (n->op == FZ_DO) {
    fprintf(f, "v%d = ", v);
    print_expr(k, n->kid[0], f);
    fputs("; do", f);
    print_body(k, n->kid[3], depth, f);
    fprintf(f, " while ((v%d += ", v);
    print_expr(k, n->kid[2], f);
    fputs(") < ", f);
    print_expr(k, n->kid[1], f);
    fputs(");\n", f);
    return;
  }
  fprintf(f, "for (v%d = ", v);
  print_expr(k, n->kid[0], f);
  fprintf(f, "; v%d %s ", v, tests[n->op]);
  print_expr(k, n->kid[1], f);
  fprintf(f, "; v%d %s ", v, steps[n->op]);
  print_expr(k, n->kid[2], f);
  fputc(')', f);
  print_body(k, n->kid[3], depth, f);
  fputc('\n', f);
}

static void print_assignment(const fz_kernel *k, const fz_node *n, FILE *f) {
  fprintf(f, " %s%s ", n->op ? fz_binaries[n->op] : "", "=");
  print_expr(k, n->kid[2], f);
  fputs(";\n", f);
}

static void print_aim(const fz_kernel *k, const fz_node *n, FILE *f) {
  fprintf(f, "q%" PRId64 " = ", n->value);
  if (n->kid[1]) {
    print_expr(k, n->kid[1], f);
    fprintf(f, " ? q%" PRId64 " : ", n->value);
  }
  print_array(k, n->op, f);
  fputs(" + ", f);
  print_expr(k, n->kid[0], f);
  fputs(";\n", f);
}

static void print_atomic(const fz_kernel *k, const fz_node *n, FILE *f) {
  fprintf(f, "%s(&", fz_atomics[n->op]);
  print_element(k, n, f);
  fprintf(f, ", (%s)", fz_type_name(k->arrays[n->value].elem));
  if (strcmp(fz_atomics[n->op], "atomicCAS") == 0)
    fprintf(f, "0, (%s)", fz_type_name(k->arrays[n->value].elem));
  print_expr(k, n->kid[2], f);
  fputs(");\n", f);
}

static void print_barrier(const fz_kernel *k, const fz_node *n, FILE *f) {
  static const struct {
    const char *before, *after;
    bool has_result, has_operand;
  } forms[FZ_SYNCS] = {{"__syncthreads(", ");\n", false, false},
                       {"__syncthreads_count(", ");\n", true, true},
                       {"__syncwarp(", ");\n", false, false},
                       {"__syncwarp((unsigned)", ");\n", false, true},
                       {"__any_sync(~0u, ", ");\n", true, true},
                       {"(int)__ballot_sync(~0u, ", ");\n", true, true},
                       {"__shfl_sync(~0u, (int)", ", 0);\n", true, true},
                       {"__shfl_xor_sync(~0u, (int)", ", 1);\n", true, true},
                       {"bar.sync", NULL, false, true},
                       {"bar.arrive", NULL, false, true},
                       {"cooperative_groups::__v1::details::grid::sync(", "0);\n", false, false}};
  if (n->op == FZ_SYNC_NAMED || n->op == FZ_ARRIVE) {
    fprintf(f, "asm volatile(\"%s %d, %%0;\" :: \"r\"((int)", forms[n->op].before, (int)n->value);
    print_expr(k, n->kid[0], f);
    fputs(") : \"memory\");\n", f);
    return;
  }
  if (forms[n->op].has_result)
    fprintf(f, "v%" PRId64 " = ", n->value);
  fputs(forms[n->op].before, f);
  if (forms[n->op].has_operand)
    print_expr(k, n->kid[0], f);
  fputs(forms[n->op].after, f);
}

static void print_switch(const fz_kernel *k, const fz_node *n, int depth, FILE *f) {
  static const char *const labels[] = {"case 0:", "case 1:", "default:"};
  fputs("switch (", f);
  print_expr(k, n->kid[0], f);
  fputs(") {\n", f);
  for (int i = 0; i < 3; i++) {
    indent(depth, f);
    fputs(labels[i], f);
    print_body(k, n->kid[i + 1], depth, f);
    fputs(i == 1 && n->op ? "\n" : " break;\n", f); // falls through
  }
  indent(depth, f);
  fputs("}\n", f);
}

static void print_statement(const fz_kernel *k, const fz_node *n, int depth, FILE *f) {
  indent(depth, f);
  switch ((int)n->kind) {
  case FZ_ASSIGN:
    fprintf(f, "v%" PRId64, n->value);
    print_assignment(k, n, f);
    break;
  case FZ_STORE:
    print_element(k, n, f);
    print_assignment(k, n, f);
    break;
  case FZ_POKE:
    fprintf(f, "q%" PRId64 "[", n->value);
    print_expr(k, n->kid[0], f);
    fputc(']', f);
    print_assignment(k, n, f);
    break;
  case FZ_AIM: print_aim(k, n, f); break;
  case FZ_MOVE:
    fprintf(f, "q%" PRId64 " += ", n->value);
    print_expr(k, n->kid[0], f);
    fputs(";\n", f);
    break;
  case FZ_ATOMIC: print_atomic(k, n, f); break;
  case FZ_IF:
    fputs("if (", f);
    print_expr(k, n->kid[0], f);
    fputc(')', f);
    print_body(k, n->kid[1], depth, f);
    if (n->kid[2]) {
      fputs(" else", f);
      print_body(k, n->kid[2], depth, f);
    }
    fputc('\n', f);
    break;
  case FZ_FOR: print_for(k, n, depth, f); break;
  case FZ_SWITCH: print_switch(k, n, depth, f); break;
  case FZ_BARRIER: print_barrier(k, n, f); break;
  case FZ_RETURN: fputs("return;\n", f); break;
  case FZ_BREAK: fputs("break;\n", f); break;
  case FZ_CONTINUE: fputs("continue;\n", f); break;
  case FZ_BLOCK:
    fputs("{", f);
    print_list(k, n->kid[1], depth + 1, f);
    fputs("}\n", f);
    break;
  default: fputs(";\n", f); break;
  }
}

static void print_list(const fz_kernel *k, const fz_node *n, int depth, FILE *f) {
  for (; n; n = n->next)
    print_statement(k, n, depth, f);
}

// -------------------------------------------------------------- outside ----

static void print_dims(const fz_array *a, FILE *f) {
  if (a->rows)
    fprintf(f, "[%u]", a->rows);
  fprintf(f, "[%u]", a->cols);
}

static void print_outside(const fz_kernel *k, FILE *f) {
  bool fields = false;
  for (uint32_t i = 0; i < k->array_count; i++) {
    const fz_array *a = &k->arrays[i];
    fields |= a->space == FZ_FIELD;
    if (a->space == FZ_DYNAMIC) {
      fprintf(f, "extern __shared__ %s a%u_%u[];\n", fz_type_name(a->elem), i, k->index);
    } else if (a->space == FZ_GLOBAL || a->space == FZ_CONSTANT) {
      fprintf(f, "%s %s a%u_%u", a->space == FZ_GLOBAL ? "__device__" : "__constant__",
              fz_type_name(a->elem), i, k->index);
      print_dims(a, f);
      fputs(";\n", f);
    }
  }
  for (uint32_t i = 0; i < k->scalar_count; i++)
    fields |= k->scalars[i].is_field;
  if (!fields)
    return;
  fprintf(f, "struct P%u {", k->index);
  for (uint32_t i = 0; i < k->scalar_count; i++)
    if (k->scalars[i].is_field)
      fprintf(f, " %s n%u;", fz_type_name(k->scalars[i].type), i);
  for (uint32_t i = 0; i < k->array_count; i++)
    if (k->arrays[i].space == FZ_FIELD)
      fprintf(f, " %s *a%u;", fz_type_name(k->arrays[i].elem), i);
  fputs(" };\n", f);
}

static void print_params(const fz_kernel *k, FILE *f) {
  const char *comma = "";
  bool fields = false;
  for (uint32_t i = 0; i < k->array_count; i++) {
    const fz_array *a = &k->arrays[i];
    fields |= a->space == FZ_FIELD;
    if (a->space != FZ_PARAM)
      continue;
    fprintf(f, "%s%s%s%s *a%u", comma, a->is_const ? "const " : "", a->is_volatile ? "volatile " : "",
            fz_type_name(a->elem), i);
    if (a->claim)
      fprintf(f, " /* %s(%s) */", a->claim == FZ_EXTENT ? "extent" : "disjoint", a->count);
    comma = ", ";
  }
  for (uint32_t i = 0; i < k->scalar_count; i++) {
    fields |= k->scalars[i].is_field;
    if (k->scalars[i].is_field)
      continue;
    fprintf(f, "%s%s n%u", comma, fz_type_name(k->scalars[i].type), i);
    comma = ", ";
  }
  if (fields)
    fprintf(f, "%sP%u p", comma, k->index);
}

static void print_locals(const fz_kernel *k, FILE *f) {
  for (uint32_t i = 0; i < k->array_count; i++) {
    const fz_array *a = &k->arrays[i];
    if (a->space != FZ_SHARED && a->space != FZ_LOCAL)
      continue;
    fprintf(f, "  %s%s%s a%u", a->space == FZ_SHARED ? "__shared__ " : "",
            a->is_volatile ? "volatile " : "", fz_type_name(a->elem), i);
    print_dims(a, f);
    fputs(";\n", f);
  }
  for (uint32_t i = 0; i < k->var_count; i++) {
    fprintf(f, "  %s v%u", fz_type_name(k->vars[i].type), i);
    if (k->vars[i].init) {
      fputs(" = ", f);
      print_expr(k, k->vars[i].init, f);
    }
    fputs(";\n", f);
  }
  for (uint32_t i = 0; i < k->pointer_count; i++)
    fprintf(f, "  %s *q%u = 0;\n", fz_type_name(k->pointer_elem[i]), i);
}

void fz_print(const fz_kernel *k, FILE *f) {
  print_outside(k, f);
  for (uint32_t i = 0; i < k->fact_count; i++)
    fprintf(f, "// contract: %s\n", k->facts[i]);
  fprintf(f, "extern \"C\" __global__ void k%u(", k->index);
  print_params(k, f);
  fputs(") {\n", f);
  print_locals(k, f);
  print_list(k, k->body, 1, f);
  fputs("}\n\n", f);
}
