// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// libFuzzer's entry: text_fuzz -max_total_time=600 corpus/ test/flow/text/
#include "text_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_kernel_text(data, size);
  return 0;
}
