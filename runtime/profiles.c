// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Limits of devices that need not be present.
#include "rt_internal.h"

#include <stdio.h>
#include <string.h>

static const struct {
  int cc;
  uint32_t threads_per_sm, blocks_per_sm, smem_per_sm, smem_optin, clusters;
} rows[] = {
#define GS_DEVICE_PROFILE(cc, threads, blocks, smem, optin, clusters)                                   \
  {cc, threads, blocks, smem, optin, clusters},
#include "device_profiles.def"
};

int gsrt_device_profile_at(size_t index) {
  return index < sizeof rows / sizeof *rows ? rows[index].cc : 0;
}

static gsrt_device make(size_t row) {
  gsrt_device d = {.struct_size = sizeof d, .cc = rows[row].cc, .warp_size = 32};
  snprintf(d.name, sizeof d.name, "profile sm_%d", d.cc);
  d.max_threads_per_block = 1024;
  d.max_block[0] = d.max_block[1] = 1024;
  d.max_block[2] = 64;
  d.max_grid[0] = INT32_MAX;
  d.max_grid[1] = d.max_grid[2] = 65535;
  d.smem_per_block = 48 * 1024;
  d.smem_per_block_optin = rows[row].smem_optin * 1024;
  d.smem_per_sm = rows[row].smem_per_sm * 1024;
  d.smem_reserved = d.cc >= 80 ? 1024 : 0;
  d.regs_per_block = d.regs_per_sm = 65536;
  d.threads_per_sm = rows[row].threads_per_sm;
  d.blocks_per_sm = rows[row].blocks_per_sm;
  d.max_cluster = rows[row].clusters ? 8 : 0; // portable
  d.cooperative = 1;
  return d;
}

gsrt_status gsrt_device_profile(int cc, gsrt_device *device) {
  if (!device)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "gsrt_device_profile: no place for the result");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].cc == cc) {
      *device = make(i);
      return GSRT_OK;
    }
  return gsrt_fail(GSRT_ERROR_NOT_FOUND, "no profile for sm_%d", cc);
}
