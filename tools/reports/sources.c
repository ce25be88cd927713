// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sources.h"

#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gs_source {
  gs_source *next;
  const char *path;
  const char **lines;
  json_int_t count;
};

void gs_sources_init(gs_mem *mem, const char *root, gs_sources *out) {
  *out = (gs_sources){.mem = mem};
  char *real = realpath(root ? root : ".", NULL);
  out->root = real ? gs_mem_copy(mem, real) : "/";
  free(real);
}

/// Takes "." and ".." and doubled slashes out of an absolute path, by its letters alone.
static const char *normal(gs_mem *mem, const char *path) {
  char *out = gs_mem_alloc(mem, strlen(path) + 2), *end = out;
  while (*path) {
    while (*path == '/')
      path++;
    size_t length = strcspn(path, "/");
    if (length == 2 && path[0] == '.' && path[1] == '.') {
      while (end > out && *--end != '/') {
      }
    } else if (length && !(length == 1 && *path == '.')) {
      *end++ = '/';
      memcpy(end, path, length);
      end += length;
    }
    path += length;
  }
  if (end == out)
    *end++ = '/';
  *end = '\0';
  return out;
}

const char *gs_sources_path(gs_sources *sources, const char *directory, const char *file) {
  if (!*file || *file == '<') // <stdin>, <command line>
    return file;
  const char *full = gs_words_path(sources->mem, directory ? directory : sources->root, file);
  full = gs_words_path(sources->mem, sources->root, full);
  char *real = realpath(full, NULL);
  full = real ? gs_mem_copy(sources->mem, real) : normal(sources->mem, full);
  free(real);
  size_t length = strlen(sources->root);
  if (length > 1 && !strncmp(full, sources->root, length) && full[length] == '/')
    return full + length + 1;
  return full;
}

/// Cuts a text into lines, in place.
static void cut(gs_mem *mem, char *text, gs_source *out) {
  size_t count = 1;
  for (const char *p = text; (p = strchr(p, '\n')); p++)
    count++;
  out->lines = gs_mem_alloc(mem, count * sizeof *out->lines);
  for (char *p = text; p && *p;) {
    char *end = strchr(p, '\n');
    if (end)
      *end = '\0';
    size_t length = strlen(p);
    if (length && p[length - 1] == '\r')
      p[length - 1] = '\0';
    out->lines[out->count++] = p;
    p = end ? end + 1 : NULL;
  }
}

const char *gs_sources_line(gs_sources *sources, const char *path, json_int_t line) {
  gs_source *source = sources->first;
  while (source && strcmp(source->path, path))
    source = source->next;
  if (!source) {
    source = gs_mem_alloc(sources->mem, sizeof *source);
    *source = (gs_source){.next = sources->first, .path = gs_mem_copy(sources->mem, path)};
    sources->first = source;
    char *text = *path && *path != '<'
                     ? gs_words_read_file(sources->mem,
                                          gs_words_path(sources->mem, sources->root, path))
                     : NULL;
    if (text)
      cut(sources->mem, text, source);
  }
  return line >= 1 && line <= source->count ? source->lines[line - 1] : NULL;
}

json_t *gs_json_text(gs_mem *mem, const char *text) {
  json_t *string = json_string(text);
  if (string)
    return string;
  char *copy = gs_mem_copy(mem, text);
  for (char *p = copy; *p; p++)
    if ((unsigned char)*p >= 0x80)
      *p = '?';
  return json_string(copy);
}

json_t *gs_json_optional(gs_mem *mem, const char *text) {
  return text ? gs_json_text(mem, text) : json_null();
}
