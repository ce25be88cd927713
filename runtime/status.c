// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Names and texts of result codes.
#include "gpusafe_rt.h"

static const struct {
  int number;
  const char *name, *text;
} rows[] = {
#define GSRT_STATUS(name, number, id, text) {number, id, text},
#include "gsrt_status.def"
};

const char *gsrt_status_name(gsrt_status status) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].number == (int)status)
      return rows[i].name;
  return "?";
}

const char *gsrt_status_text(gsrt_status status) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].number == (int)status)
      return rows[i].text;
  return "an unknown result code";
}
