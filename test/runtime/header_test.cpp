// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The public headers are C++ as well, alone and in this order.
#include "gpusafe_rt.h"

#include "gs_descriptor.h"

int main() {
  gsrt_config config = gsrt_config_1d(1, 32);
  gsrt_device device;
  return gsrt_device_profile(90, &device) == GSRT_OK &&
                 gsrt_validate(nullptr, 0, &device, &config, nullptr, nullptr) == GSRT_OK
             ? 0
             : 1;
}
