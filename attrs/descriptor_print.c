// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Descriptors as C source.
#include "gs_descriptor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
  char *buffer;
  size_t capacity, length;
} writer;

static void put(writer *w, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (int i = 0; i < n && i < (int)sizeof text - 1; i++, w->length++)
    if (w->length + 1 < w->capacity)
      w->buffer[w->length] = text[i];
}

/// The words of the block; the last is filled up with zeros.
static void put_words(writer *w, const unsigned char *block, size_t size) {
  for (size_t i = 0; i < size; i += 4) {
    uint32_t word = 0;
    memcpy(&word, block + i, size - i < 4 ? size - i : 4);
    put(w, "%s0x%08xu,", i % 32 == 0 ? "\n    " : " ", word);
  }
}

size_t gs_descriptor_print_c(const void *block, size_t size, const char *stub, unsigned index,
                             char *buffer, size_t capacity) {
  writer w = {buffer, capacity, 0};
  put(&w, "// Contract of %.400s.\n", stub);
  put(&w, "static const unsigned int gpusafe_contract_%u[] = {", index);
  put_words(&w, block, size);
  put(&w, "\n};\nextern const char %.400s[];\n", stub);
  put(&w, "static const struct {\n  const void *stub, *descriptor;\n  unsigned long size;\n");
  put(&w, "} gpusafe_entry_%u __attribute__((aligned(8), section(\"%s\"), used)) = {\n", index,
      GS_DESCRIPTOR_SECTION);
  put(&w, "    %.400s, gpusafe_contract_%u, %zuu};\n", stub, index, size);
  if (capacity > 0)
    buffer[w.length < capacity ? w.length : capacity - 1] = '\0';
  return w.length;
}
