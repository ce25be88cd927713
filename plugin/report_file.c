// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static gs_status fail(char *message, size_t size, gs_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(message, size, format, args);
  va_end(args);
  return status;
}

static bool same_text(const json_t *a, const json_t *b, const char *key) {
  const char *x = json_string_value(json_object_get(a, key));
  const char *y = json_string_value(json_object_get(b, key));
  return x && y && strcmp(x, y) == 0;
}

static bool is_kin(const json_t *old, const json_t *entry) {
  return same_text(old, entry, "file") &&
         json_equal(json_object_get(old, "version"), json_object_get(entry, "version"));
}

/// The reports of an earlier file for the same source: a new reference to an array,
/// empty when there is nothing to keep; NULL when memory is short.
static json_t *earlier_reports(json_t *old, const json_t *entry) {
  json_t *reports = old ? json_object_get(old, "reports") : NULL;
  bool kin = old && is_kin(old, entry);
  if (kin && json_is_array(reports))
    return json_incref(reports);
  json_t *out = json_array();
  bool alone = kin && json_string_value(json_object_get(old, "target"));
  if (out && alone && json_array_append(out, old) != 0) {
    json_decref(out);
    return NULL;
  }
  return out;
}

/// `reports` with `entry` in its place by the name of its target.
static json_t *insert(const json_t *reports, json_t *entry) {
  json_t *out = json_array(), *other;
  const char *target = json_string_value(json_object_get(entry, "target"));
  bool placed = false, good = out != NULL;
  size_t i;
  json_array_foreach(reports, i, other) {
    const char *name = json_string_value(json_object_get(other, "target"));
    int order = name ? strcmp(name, target) : 0;
    if (!placed && order >= 0)
      good = good && json_array_append(out, entry) == 0;
    placed = placed || order >= 0;
    if (order != 0)
      good = good && json_array_append(out, other) == 0;
  }
  if (!placed)
    good = good && json_array_append(out, entry) == 0;
  if (good)
    return out;
  json_decref(out);
  return NULL;
}

/// One report stands alone, several are wrapped. Takes over `reports`.
static json_t *wrap(json_t *reports, json_t *entry) {
  json_t *whole = json_array_size(reports) == 1 ? json_incref(entry) : json_object();
  bool good = whole != NULL;
  if (good && whole != entry)
    good = json_object_set(whole, "version", json_object_get(entry, "version")) == 0 &&
           json_object_set(whole, "file", json_object_get(entry, "file")) == 0 &&
           json_object_set(whole, "reports", reports) == 0;
  json_decref(reports);
  if (good)
    return whole;
  json_decref(whole);
  return NULL;
}

/// The whole file as it will be; NULL when memory is short. `old` may be NULL.
static json_t *merge(json_t *old, json_t *entry) {
  json_t *earlier = earlier_reports(old, entry);
  json_t *reports = earlier ? insert(earlier, entry) : NULL;
  json_decref(earlier);
  return reports ? wrap(reports, entry) : NULL;
}

static bool write_all(int file, const char *text, size_t length) {
  while (length > 0) {
    ssize_t n = write(file, text, length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    text += n;
    length -= (size_t)n;
  }
  return true;
}

/// Replaces what is in `file`, which is locked if it is a regular one.
static gs_status rewrite(int file, bool regular, json_t *entry, char *message, size_t size) {
  json_t *old = regular ? json_loadfd(file, 0, NULL) : NULL; // NULL: empty or not JSON
  json_t *whole = merge(old, entry);
  char *text = whole ? json_dumps(whole, JSON_INDENT(2)) : NULL;
  json_decref(whole);
  json_decref(old);
  if (!text)
    return fail(message, size, GS_ERROR_MEMORY, "out of memory");
  bool good = !regular || (ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
  good = good && write_all(file, text, strlen(text)) && write_all(file, "\n", 1);
  free(text);
  return good ? GS_OK : fail(message, size, GS_ERROR_IO, "%s", strerror(errno));
}

static gs_status update(const char *path, json_t *entry, char *message, size_t size) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return fail(message, size, GS_ERROR_IO, "%s", strerror(errno));
  struct stat info;
  bool regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  gs_status status;
  if (regular && flock(file, LOCK_EX) != 0)
    status = fail(message, size, GS_ERROR_IO, "cannot be locked: %s", strerror(errno));
  else
    status = rewrite(file, regular, entry, message, size);
  if (close(file) != 0 && status == GS_OK)
    status = fail(message, size, GS_ERROR_IO, "%s", strerror(errno));
  return status;
}

gs_status gs_report_file_update(const char *path, const char *json, char *message, size_t size) {
  json_error_t error;
  json_t *entry = json_loads(json, 0, &error);
  if (!entry)
    return fail(message, size, GS_ERROR_INPUT, "not JSON: %s (line %d)", error.text, error.line);
  gs_status status;
  if (!json_string_value(json_object_get(entry, "target")) ||
      !json_string_value(json_object_get(entry, "file")))
    status = fail(message, size, GS_ERROR_INPUT, "a report without \"file\" or \"target\"");
  else
    status = update(path, entry, message, size);
  json_decref(entry);
  return status;
}
