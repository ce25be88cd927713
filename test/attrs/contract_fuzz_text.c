// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// libFuzzer target: clause texts.
#include "contract_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_text(data, size);
  return 0;
}
