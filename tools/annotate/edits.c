// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "edits.h"

#include "temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool gs_patch_open(gs_mem *mem, const char *path, const char *shown, gs_patch *out) {
  *out = (gs_patch){.path = path, .shown = shown};
  FILE *file = fopen(path, "rb");
  struct stat info;
  if (!file)
    return false;
  bool fine = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
  out->size = fine ? (size_t)info.st_size : 0;
  char *text = gs_mem_alloc(mem, out->size + 1);
  fine = fine && fread(text, 1, out->size, file) == out->size;
  fclose(file);
  out->before = text;
  return fine;
}

bool gs_patch_add(gs_mem *mem, gs_patch *patch, size_t offset, const char *text, const void *owner) {
  for (size_t i = 0; i < patch->count; i++)
    if (patch->edits[i].offset == offset)
      return strcmp(patch->edits[i].text, text) == 0;
  if (patch->count == patch->capacity) {
    patch->capacity = patch->capacity ? 2 * patch->capacity : 16;
    gs_edit *more = gs_mem_alloc(mem, patch->capacity * sizeof *more);
    if (patch->count)
      memcpy(more, patch->edits, patch->count * sizeof *more);
    patch->edits = more;
  }
  patch->edits[patch->count++] = (gs_edit){.offset = offset, .text = text, .owner = owner};
  return true;
}

static bool has_crlf(const gs_patch *patch) {
  const char *end = memchr(patch->before, '\n', patch->size);
  return end && end > patch->before && end[-1] == '\r';
}

/// Lines end as they do in the file.
static const char *with_ends(gs_mem *mem, const char *text, bool crlf) {
  if (!crlf || !strchr(text, '\n'))
    return text;
  char *out = gs_mem_alloc(mem, 2 * strlen(text) + 1), *to = out;
  for (const char *c = text; *c; c++) {
    if (*c == '\n')
      *to++ = '\r';
    *to++ = *c;
  }
  return out;
}

/// Does some line include the header?
static bool includes_header(const gs_patch *patch) {
  const char *at = patch->before;
  while ((at = strstr(at, "gpusafe.h"))) {
    const char *line = at;
    while (line > patch->before && line[-1] != '\n')
      line--;
    line += strspn(line, " \t");
    if (*line == '#' && !strncmp(line + 1 + strspn(line + 1, " \t"), "include", 7))
      return true;
    at++;
  }
  return false;
}

static int by_offset(const void *a, const void *b) {
  const gs_edit *x = a, *y = b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

void gs_patch_finish(gs_mem *mem, gs_patch *patch) {
  bool crlf = has_crlf(patch), blank;
  if (patch->count && !includes_header(patch)) {
    size_t place = gs_include_place(patch->before, patch->size, &blank);
    bool open = place && patch->before[place - 1] != '\n';
    // A contract may stand at the same place: it comes behind.
    const char *text = gs_mem_printf(mem, "%s#include <gpusafe.h>\n%s", open ? "\n" : "", blank ? "\n" : "");
    size_t at = 0;
    while (at < patch->count && patch->edits[at].offset != place)
      at++;
    if (at < patch->count)
      patch->edits[at].text = gs_mem_printf(mem, "%s%s", text, patch->edits[at].text);
    else
      gs_patch_add(mem, patch, place, text, NULL);
  }
  if (patch->count)
    qsort(patch->edits, patch->count, sizeof *patch->edits, by_offset);
  size_t size = patch->size;
  for (size_t i = 0; i < patch->count; i++) {
    patch->edits[i].text = with_ends(mem, patch->edits[i].text, crlf);
    size += strlen(patch->edits[i].text);
  }
  char *after = gs_mem_alloc(mem, size + 1), *to = after;
  size_t from = 0;
  for (size_t i = 0; i <= patch->count; i++) {
    size_t until = i < patch->count ? patch->edits[i].offset : patch->size;
    memcpy(to, patch->before + from, until - from);
    to += until - from;
    from = until;
    size_t length = i < patch->count ? strlen(patch->edits[i].text) : 0;
    memcpy(to, i < patch->count ? patch->edits[i].text : "", length);
    to += length;
  }
  patch->after = after;
  patch->after_size = size;
}

// --------------------------------------------------------------------- diff ----

typedef struct line {
  const char *text;
  size_t length; ///< with its end
} line;

typedef struct lines {
  line *items;
  size_t count;
} lines;

/// A line of the diff: ' ', '-' or '+'.
typedef struct change {
  char sign;
  const line *what;
} change;

static lines cut(gs_mem *mem, const char *text, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++)
    count += text[i] == '\n';
  lines out = {.items = gs_mem_alloc(mem, (count + 1) * sizeof *out.items)};
  for (size_t at = 0; at < size;) {
    const char *end = memchr(text + at, '\n', size - at);
    size_t length = end ? (size_t)(end - text) + 1 - at : size - at;
    out.items[out.count++] = (line){text + at, length};
    at += length;
  }
  return out;
}

static bool same(const line *a, const line *b) {
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/// How many lines are new in front of the old line; 0: it was changed.
static size_t added_before(const lines *a, size_t i, const lines *b, size_t j) {
  enum { MOST = 8 };
  for (size_t k = 1; i < a->count && k <= MOST && j + k < b->count; k++)
    if (same(&a->items[i], &b->items[j + k]))
      return k;
  return 0;
}

/// There are insertions only, so no better match is to be looked for.
static size_t compare(const lines *a, const lines *b, change *out) {
  size_t i = 0, j = 0, n = 0;
  while (i < a->count || j < b->count) {
    if (i < a->count && j < b->count && same(&a->items[i], &b->items[j])) {
      out[n++] = (change){' ', &a->items[i++]};
      j++;
      continue;
    }
    size_t added = i == a->count ? b->count - j : added_before(a, i, b, j);
    if (!added && i < a->count)
      out[n++] = (change){'-', &a->items[i++]};
    if (!added && j < b->count)
      added = 1;
    for (; added; added--)
      out[n++] = (change){'+', &b->items[j++]};
  }
  return n;
}

static void print_line(const change *c, FILE *out) {
  fputc(c->sign, out);
  fwrite(c->what->text, 1, c->what->length, out);
  if (c->what->text[c->what->length - 1] != '\n')
    fputs("\n\\ No newline at end of file\n", out);
}

/// What goes comes before what is new, as is the custom.
static void print_changes(const change *all, size_t from, size_t to, FILE *out) {
  for (size_t i = from; i < to;) {
    size_t end = i;
    while (end < to && all[end].sign != ' ')
      end++;
    for (size_t k = i; k < end; k++)
      if (all[k].sign == '-')
        print_line(&all[k], out);
    for (size_t k = i; k < end; k++)
      if (all[k].sign == '+')
        print_line(&all[k], out);
    if (end < to)
      print_line(&all[end++], out);
    i = end;
  }
}

void gs_patch_diff(gs_mem *mem, const gs_patch *patch, FILE *out) {
  enum { AROUND = 3 };
  lines a = cut(mem, patch->before, patch->size), b = cut(mem, patch->after, patch->after_size);
  change *all = gs_mem_alloc(mem, (a.count + b.count + 1) * sizeof *all);
  size_t count = compare(&a, &b, all), old_line = 1, new_line = 1;
  bool absolute = patch->shown[0] == '/';
  fprintf(out, "--- %s%s\n+++ %s%s\n", absolute ? "" : "a/", patch->shown, absolute ? "" : "b/", patch->shown);
  for (size_t at = 0; at < count;) {
    size_t first = at;
    while (first < count && all[first].sign == ' ')
      first++;
    if (first == count)
      return;
    size_t begin = first > at + AROUND ? first - AROUND : at, end = first, quiet = 0;
    for (; end < count && quiet <= 2 * AROUND; end++)
      quiet = all[end].sign == ' ' ? quiet + 1 : 0;
    end -= quiet > AROUND ? quiet - AROUND : 0;
    old_line += begin - at;
    new_line += begin - at;
    size_t removed = 0, added = 0;
    for (size_t i = begin; i < end; i++) {
      removed += all[i].sign != '+';
      added += all[i].sign != '-';
    }
    fprintf(out, "@@ -%zu,%zu +%zu,%zu @@\n", removed ? old_line : old_line - 1, removed, new_line, added);
    print_changes(all, begin, end, out);
    old_line += removed;
    new_line += added;
    at = end;
  }
}

// ------------------------------------------------------------- other outputs ----

static void yaml_text(const char *text, FILE *out) {
  fputc('"', out);
  for (const char *c = text; *c; c++)
    if (*c == '\n')
      fputs("\\n", out);
    else if (*c == '\r')
      fputs("\\r", out);
    else if (*c == '\t')
      fputs("\\t", out);
    else
      fprintf(out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
  fputc('"', out);
}

void gs_patch_yaml(const gs_patch *patch, FILE *out) {
  for (size_t i = 0; i < patch->count; i++) {
    fputs("  - FilePath: ", out);
    yaml_text(patch->path, out);
    fprintf(out, "\n    Offset: %zu\n    Length: 0\n    ReplacementText: ", patch->edits[i].offset);
    yaml_text(patch->edits[i].text, out);
    fputc('\n', out);
  }
}

/// A new file in place of the old one, so that nobody sees half of it.
bool gs_patch_write(gs_mem *mem, const gs_patch *patch, const char *path) {
  struct stat info;
  char *name = gs_mem_printf(mem, "%s.XXXXXX", path);
  int descriptor = mkstemp(name);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
  if (!file)
    return false;
  bool fine = fwrite(patch->after, 1, patch->after_size, file) == patch->after_size;
  fine = fclose(file) == 0 && fine;
  if (fine && stat(path, &info) == 0)
    fine = chmod(name, info.st_mode & 07777) == 0;
  fine = fine && rename(name, path) == 0;
  int error = errno;
  if (!fine)
    unlink(name);
  errno = error;
  return fine;
}
