// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run as a CUDA program of its own: the source, the launch of the witness, and a loop
// that makes it again and again and compares what comes out.
#include "story.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_BUFFER = 1 << 24 };

static const char head_text[] =
    "#undef main\n"
    "#include <cstdio>\n"
    "#include <cstdlib>\n"
    "#include <cstring>\n"
    "\n"
    "static void gpusafe_must(cudaError_t error, const char *what) {\n"
    "  if (error == cudaSuccess)\n"
    "    return;\n"
    "  std::fprintf(stderr, \"%s: %s\\n\", what, cudaGetErrorString(error));\n"
    "  std::exit(2);\n"
    "}\n"
    "\n"
    "struct gpusafe_buffer {\n"
    "  const char *name;\n"
    "  size_t size;\n"
    "  unsigned char *device, *start, *first, *now;\n"
    "};\n\n";

static const char loop_text[] =
    "  int runs = argc > 1 ? std::atoi(argv[1]) : 200, different = 0;\n"
    "  for (int run = 0; run < runs; run++) {\n"
    "    for (gpusafe_buffer &b : buffers)\n"
    "      gpusafe_must(cudaMemcpy(b.device, b.start, b.size, cudaMemcpyHostToDevice), \"cudaMemcpy\");\n"
    "    gpusafe_must(cudaLaunchKernel(kernel, grid, block, arguments, smem, 0), \"launch\");\n"
    "    gpusafe_must(cudaDeviceSynchronize(), \"kernel\");\n"
    "    bool same = true;\n"
    "    for (gpusafe_buffer &b : buffers) {\n"
    "      gpusafe_must(cudaMemcpy(b.now, b.device, b.size, cudaMemcpyDeviceToHost), \"cudaMemcpy\");\n"
    "      if (run == 0)\n"
    "        std::memcpy(b.first, b.now, b.size);\n"
    "      for (size_t i = 0; i < b.size && same; i++)\n"
    "        if (b.first[i] != b.now[i]) {\n"
    "          same = false;\n"
    "          if (!different)\n"
    "            std::printf(\"run %d: byte %zu of '%s' is %d, it was %d in the first run\\n\", run, i, b.name,\n"
    "                        b.now[i], b.first[i]);\n"
    "        }\n"
    "    }\n"
    "    different += !same;\n"
    "  }\n"
    "  std::printf(\"%d of %d runs came out differently from the first\\n\", different, runs);\n"
    "  if (!different)\n"
    "    std::printf(\"(a race need not show in the values: run this under compute-sanitizer --tool racecheck)\\n\");\n"
    "  return different ? 1 : 0;\n"
    "}\n";

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static json_int_t number_of(const json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

/// Text as a C string literal.
static void put_literal(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', out);
    if ((unsigned char)*text >= 0x20)
      fputc(*text, out);
  }
  fputc('"', out);
}

/// Text inside of a // comment: one line, that no backslash continues.
static void put_comment(FILE *out, const char *text) {
  for (; *text; text++)
    fputc((unsigned char)*text < 0x20 || *text == '\\' ? ' ' : *text, out);
}

static bool put_source(const gs_story *s, FILE *out) {
  FILE *file = fopen(s->file, "r");
  char buffer[4096];
  size_t got;
  if (!file)
    return false;
  fputs("#define main gpusafe_main_of_the_source\n#line 1 ", out);
  put_literal(out, s->file);
  fputc('\n', out);
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
    fwrite(buffer, 1, got, out);
  fclose(file);
  fputc('\n', out);
  return true;
}

static void put_dim(const gs_story *s, const char *name, FILE *out) {
  const json_t *d = json_object_get(s->trace, name);
  fprintf(out, "  const dim3 %s(%" PRId64 ", %" PRId64 ", %" PRId64 ");\n", name,
          (int64_t)json_integer_value(json_array_get(d, 0)), (int64_t)json_integer_value(json_array_get(d, 1)),
          (int64_t)json_integer_value(json_array_get(d, 2)));
}

/// Is it memory of a buffer that a program can have?
static bool is_storable(const json_t *cell, size_t buffer) {
  const json_int_t most = INT64_C(1) << 32;
  return number_of(cell, "buffer") == (json_int_t)buffer && number_of(cell, "offset") >= 0 &&
         number_of(cell, "offset") < most;
}

/// Room for what was touched, and as much again for the blocks that did not run.
static int64_t buffer_size(const gs_story *s, size_t buffer, const json_t *it) {
  json_int_t size = number_of(it, "extent") * 2;
  size_t i;
  json_t *cell;
  json_array_foreach(json_object_get(s->trace, "memory"), i, cell) {
    if (is_storable(cell, buffer) && size < number_of(cell, "offset") + 8)
      size = number_of(cell, "offset") + 8;
  }
  return size > MIN_BUFFER ? (size + 4095) / 4096 * 4096 : MIN_BUFFER;
}

static void put_buffers(const gs_story *s, FILE *out) {
  const json_t *buffers = json_object_get(s->trace, "buffers"), *memory = json_object_get(s->trace, "memory");
  size_t i;
  json_t *it;
  fputs("  static gpusafe_buffer buffers[] = {\n", out);
  json_array_foreach((json_t *)(uintptr_t)buffers, i, it) {
    fputs("    {", out);
    put_literal(out, text_of(it, "name"));
    fprintf(out, ", %" PRId64 "u, nullptr, nullptr, nullptr, nullptr},\n", buffer_size(s, i, it));
  }
  if (!json_array_size(buffers))
    fputs("    {\"\", 1u, nullptr, nullptr, nullptr, nullptr},\n", out);
  fputs("  };\n"
        "  for (gpusafe_buffer &b : buffers) {\n"
        "    gpusafe_must(cudaMalloc((void **)&b.device, b.size), \"cudaMalloc\");\n"
        "    b.start = (unsigned char *)std::calloc(b.size, 1);\n"
        "    b.first = (unsigned char *)std::calloc(b.size, 1);\n"
        "    b.now = (unsigned char *)std::calloc(b.size, 1);\n"
        "  }\n", out);
  json_array_foreach((json_t *)(uintptr_t)memory, i, it) {
    uint64_t value = strtoull(text_of(it, "value"), NULL, 0);
    bool storable = number_of(it, "buffer") >= 0 && is_storable(it, (size_t)number_of(it, "buffer"));
    for (json_int_t b = 0; storable && b < (number_of(it, "bits") + 7) / 8; b++)
      fprintf(out, "  buffers[%" PRId64 "].start[%" PRId64 "] = %u;\n", (int64_t)number_of(it, "buffer"),
              (int64_t)(number_of(it, "offset") + b), (unsigned)(value >> (8 * b) & 255));
    if (!storable)
      fprintf(out, "  // The witness also wants %s at byte %" PRId64 " of '%s'.\n",
              text_of(it, "value"), (int64_t)number_of(it, "offset"), text_of(it, "name"));
  }
}

static void put_parameters(const gs_story *s, FILE *out) {
  const json_t *parameters = json_object_get(s->trace, "parameters");
  size_t i, j;
  json_t *it, *pointer;
  json_array_foreach((json_t *)(uintptr_t)parameters, i, it) {
    const char *bytes = text_of(it, "bytes");
    fprintf(out, "  alignas(16) static unsigned char argument%zu[] = {", i);
    for (size_t b = 0; bytes[b] && bytes[b + 1]; b += 2)
      fprintf(out, "%s0x%c%c", b ? ", " : "", bytes[b], bytes[b + 1]);
    fputs("}; // ", out);
    put_comment(out, text_of(it, "name"));
    fputc('\n', out);
    json_array_foreach(json_object_get(it, "pointers"), j, pointer) {
      if (number_of(pointer, "buffer") < 0)
        fprintf(out, "  std::memset(argument%zu + %" PRId64 ", 0, sizeof(void *));\n", i,
                (int64_t)number_of(pointer, "offset"));
      else
        fprintf(out, "  { void *p = buffers[%" PRId64 "].device + %" PRId64 "; std::memcpy(argument%zu + %" PRId64 ", &p, sizeof p); }\n",
                (int64_t)number_of(pointer, "buffer"), (int64_t)number_of(pointer, "shift"), i,
                (int64_t)number_of(pointer, "offset"));
    }
  }
  fputs("  void *arguments[] = {", out);
  for (i = 0; i < json_array_size(parameters); i++)
    fprintf(out, "argument%zu, ", i);
  fputs("nullptr};\n", out);
}

const char *gs_story_cuda(const gs_story *s, FILE *out) {
  gs_list head = {0};
  if (gs_ends_with(s->file, ".ll") || gs_ends_with(s->file, ".bc"))
    return "a module has no source to make a program of";
  gs_story_head(s, &head);
  fputs("// Written by `gpusafe replay --cuda`.\n", out);
  for (size_t i = 0; i < head.count; i++) {
    fputs("// ", out);
    put_comment(out, head.items[i]);
    fputc('\n', out);
  }
  fputs("//\n//   nvcc -lineinfo THIS.cu -o race && ./race [runs]      # -I for what the source includes\n"
        "//   compute-sanitizer --tool racecheck ./race 1          # shared memory\n"
        "//   compute-sanitizer --tool memcheck ./race 1           # out of bounds\n"
        "//\n// Ends with 1 when the runs of one launch come out differently.\n", out);
  if (!put_source(s, out))
    return "the source cannot be read";
  fputs(head_text, out);
  fputs("int main(int argc, char **argv) {\n", out);
  put_dim(s, "grid", out);
  put_dim(s, "block", out);
  fprintf(out, "  const size_t smem = %" PRId64 ";\n  const void *kernel = (const void *)%s;\n",
          (int64_t)number_of(s->trace, "dynamic_smem"), s->kernel);
  fputs("  if (smem > 48 * 1024)\n"
        "    gpusafe_must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)smem),\n"
        "                 \"cudaFuncSetAttribute\");\n", out);
  put_buffers(s, out);
  put_parameters(s, out);
  fputs(loop_text, out);
  return NULL;
}
