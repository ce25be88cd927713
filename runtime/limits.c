// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Limits of devices and of compiled kernels, and what the proof assumed of
/// every configuration.
#include "rt_internal.h"

#include <string.h>

static const char axes[] = "xyz";

static uint64_t product(const uint32_t v[3]) {
  // Three 32-bit factors can exceed 64 bits; what matters is "more than any limit".
  uint64_t xy = (uint64_t)v[0] * v[1];
  return v[2] && xy > UINT64_MAX / v[2] ? UINT64_MAX : xy * v[2];
}

static uint32_t round_up(uint64_t value, uint32_t unit) {
  uint64_t rounded = (value + unit - 1) / unit * unit;
  return rounded > UINT32_MAX ? UINT32_MAX : (uint32_t)rounded;
}

void gsrt_function_from(const gs_descriptor *contract, gsrt_function *function) {
  memset(function, 0xFF, sizeof *function); // GSRT_UNKNOWN everywhere
  memset(function->required_cluster, 0, sizeof function->required_cluster);
  function->non_portable_cluster = 0;
  if (!contract)
    return;
  const gs_desc_header *h = contract->header;
  function->static_smem = h->static_smem;
  if (h->max_threads)
    function->max_threads = h->max_threads;
  if (h->registers)
    function->registers = h->registers;
  memcpy(function->required_cluster, h->required_cluster, sizeof function->required_cluster);
}

uint32_t gsrt_occupancy(const gsrt_device *device, const gsrt_function *function, uint32_t threads,
                        uint32_t dynamic_smem) {
  // Each of an SM's four partitions allocates registers per warp, in units of
  // 256, and shared memory goes to blocks in units of 128 bytes.
  enum { PARTITIONS = 4, REGISTER_UNIT = 256, SHARED_UNIT = 128 };
  uint32_t warps = (threads + device->warp_size - 1) / device->warp_size;
  uint32_t blocks = device->blocks_per_sm;
  uint32_t by_threads = device->threads_per_sm / (warps * device->warp_size);
  if (by_threads < blocks)
    blocks = by_threads;
  if (function->registers != GSRT_UNKNOWN && function->registers > 0) {
    uint32_t per_warp = round_up((uint64_t)function->registers * device->warp_size, REGISTER_UNIT);
    uint32_t resident = device->regs_per_sm / PARTITIONS / per_warp * PARTITIONS;
    if (resident / warps < blocks)
      blocks = resident / warps;
  }
  uint64_t smem = (uint64_t)dynamic_smem + device->smem_reserved;
  smem += function->static_smem == GSRT_UNKNOWN ? 0 : function->static_smem;
  if (smem > 0 && device->smem_per_sm / round_up(smem, SHARED_UNIT) < blocks)
    blocks = device->smem_per_sm / round_up(smem, SHARED_UNIT);
  return blocks;
}

// ----------------------------------------------------------------- dimensions ----

static bool check_axes(gsrt_check *check) {
  const gsrt_config *c = check->config;
  const gsrt_device *d = check->device;
  uint32_t before = check->violations;
  for (unsigned i = 0; i < 3; i++) {
    if (c->grid[i] == 0)
      gsrt_violate(check, GSRT_ZERO_DIMENSION, NULL, "grid.%c is 0", axes[i]);
    else if (c->grid[i] > d->max_grid[i])
      gsrt_violate(check, GSRT_GRID_LIMIT, NULL, "grid.%c is %u; %s allows %u", axes[i], c->grid[i],
                   d->name, d->max_grid[i]);
    if (c->block[i] == 0)
      gsrt_violate(check, GSRT_ZERO_DIMENSION, NULL, "block.%c is 0", axes[i]);
    else if (c->block[i] > d->max_block[i])
      gsrt_violate(check, GSRT_BLOCK_LIMIT, NULL, "block.%c is %u; %s allows %u", axes[i],
                   c->block[i], d->name, d->max_block[i]);
  }
  return check->violations == before;
}

static void check_threads(gsrt_check *check) {
  const gsrt_device *d = check->device;
  const gsrt_function *f = check->function;
  uint64_t threads = product(check->config->block);
  if (threads > d->max_threads_per_block) {
    gsrt_violate(check, GSRT_THREADS_DEVICE, NULL, "a block of %llu threads; %s allows %u",
                 (unsigned long long)threads, d->name, d->max_threads_per_block);
    return;
  }
  uint32_t warps = ((uint32_t)threads + d->warp_size - 1) / d->warp_size;
  uint32_t needed = 0;
  if (f->registers != GSRT_UNKNOWN)
    needed = warps * round_up((uint64_t)f->registers * d->warp_size, 256);
  if (needed > d->regs_per_block)
    gsrt_violate(check, GSRT_REGISTERS, NULL,
                 "a block of %u threads with %u registers each needs %u registers; %s has %u",
                 (uint32_t)threads, f->registers, needed, d->name, d->regs_per_block);
  else if (f->max_threads != GSRT_UNKNOWN && threads > f->max_threads)
    gsrt_violate(check, GSRT_THREADS_FUNCTION, NULL,
                 "a block of %u threads; the kernel was compiled for at most %u", (uint32_t)threads,
                 f->max_threads);
}

static void check_required_block(gsrt_check *check) {
  if (!check->contract)
    return;
  const uint32_t *want = check->contract->header->required_block;
  const uint32_t *have = check->config->block;
  if (want[0] && memcmp(want, have, 3 * sizeof *want) != 0)
    gsrt_violate(check, GSRT_REQUIRED_BLOCK, NULL,
                 "block is (%u, %u, %u); the kernel was compiled for (%u, %u, %u)", have[0],
                 have[1], have[2], want[0], want[1], want[2]);
}

// -------------------------------------------------------------- shared memory ----

static void check_shared(gsrt_check *check) {
  const gsrt_device *d = check->device;
  const gsrt_function *f = check->function;
  uint32_t dynamic = check->config->dynamic_smem;
  uint32_t fixed = f->static_smem == GSRT_UNKNOWN ? 0 : f->static_smem;
  uint64_t total = (uint64_t)dynamic + fixed;
  if (total > d->smem_per_block_optin) {
    gsrt_violate(check, GSRT_SHARED_DEVICE, NULL,
                 "%u bytes of static and %u of dynamic shared memory; %s allows %u in all", fixed,
                 dynamic, d->name, d->smem_per_block_optin);
    return;
  }
  if (f->max_dynamic_smem == GSRT_UNKNOWN)
    check->unchecked += total > d->smem_per_block; // whether the program opts in
  else if (dynamic > f->max_dynamic_smem)
    gsrt_violate(check, GSRT_SHARED_OPT_IN, NULL,
                 "%u bytes of dynamic shared memory; the kernel is set to at most %u: raise its "
                 "MaxDynamicSharedMemorySize attribute first (%s allows %u)",
                 dynamic, f->max_dynamic_smem, d->name, d->smem_per_block_optin - fixed);
}

// ----------------------------------------------------- clusters, whole grids ----

static bool check_cluster_size(gsrt_check *check, const uint32_t cluster[3]) {
  const gsrt_function *f = check->function;
  uint32_t portable = check->device->max_cluster;
  uint64_t blocks = product(cluster), most = portable;
  if (check->contract && check->contract->header->max_cluster_blocks)
    most = check->contract->header->max_cluster_blocks;
  // What exceeds the portable size is up to the device: residency tells.
  else if (f->non_portable_cluster)
    most = 2 * (uint64_t)portable;
  if (blocks > most) {
    gsrt_violate(check, GSRT_CLUSTER_SIZE, NULL,
                 "a cluster of %llu blocks; at most %llu are allowed", (unsigned long long)blocks,
                 (unsigned long long)most);
    return false;
  }
  if (f->required_cluster[0] && memcmp(f->required_cluster, cluster, 3 * sizeof *cluster) != 0) {
    gsrt_violate(check, GSRT_CLUSTER_SIZE, NULL,
                 "cluster is (%u, %u, %u); the kernel was compiled for (%u, %u, %u)", cluster[0],
                 cluster[1], cluster[2], f->required_cluster[0], f->required_cluster[1],
                 f->required_cluster[2]);
    return false;
  }
  return true;
}

static void check_cluster(gsrt_check *check) {
  uint32_t cluster[3];
  gsrt_cluster_of(check->config, check->function, cluster);
  if (!(cluster[0] | cluster[1] | cluster[2]))
    return;
  for (unsigned i = 0; i < 3; i++)
    if (cluster[i] == 0) {
      gsrt_violate(check, GSRT_ZERO_DIMENSION, NULL, "cluster.%c is 0", axes[i]);
      return;
    }
  if (check->device->max_cluster == 0) {
    if (product(cluster) > 1)
      gsrt_violate(check, GSRT_CLUSTER_UNSUPPORTED, NULL, "%s has no clusters",
                   check->device->name);
    return;
  }
  if (!check_cluster_size(check, cluster))
    return;
  for (unsigned i = 0; i < 3; i++)
    if (check->config->grid[i] % cluster[i] != 0) {
      gsrt_violate(check, GSRT_CLUSTER_DIVIDES, NULL,
                   "grid.%c is %u, which cluster.%c = %u does not divide", axes[i],
                   check->config->grid[i], axes[i], cluster[i]);
      return;
    }
  if (check->function->resident_clusters == 0)
    gsrt_violate(check, GSRT_CLUSTER_RESIDENCY, NULL,
                 "no cluster of (%u, %u, %u) such blocks fits onto %s", cluster[0], cluster[1],
                 cluster[2], check->device->name);
}

static void check_cooperative(gsrt_check *check) {
  const gsrt_device *d = check->device;
  const gsrt_config *c = check->config;
  if (!c->cooperative)
    return;
  if (!d->cooperative) {
    gsrt_violate(check, GSRT_COOPERATIVE_UNSUPPORTED, NULL, "%s has no cooperative launch",
                 d->name);
    return;
  }
  uint32_t per_sm = check->function->blocks_per_sm;
  if (per_sm == GSRT_UNKNOWN)
    per_sm = gsrt_occupancy(d, check->function, (uint32_t)product(c->block), c->dynamic_smem);
  if (d->sm_count == 0) {
    check->unchecked++;
    return;
  }
  if (product(c->grid) > (uint64_t)per_sm * d->sm_count)
    gsrt_violate(check, GSRT_COOPERATIVE_RESIDENCY, NULL,
                 "a cooperative grid of %llu blocks; %s holds %llu of them at once (%u on each of "
                 "%u multiprocessors)",
                 (unsigned long long)product(c->grid), d->name,
                 (unsigned long long)per_sm * d->sm_count, per_sm, d->sm_count);
}

static void check_local(gsrt_check *check) {
  const gsrt_device *d = check->device;
  uint32_t local = check->function->local;
  if (local == GSRT_UNKNOWN || d->memory == 0)
    return;
  uint64_t threads = (uint64_t)d->threads_per_sm * d->sm_count;
  if (threads * local > d->memory)
    gsrt_violate(check, GSRT_LOCAL_MEMORY, NULL,
                 "%u bytes of local memory for each of %llu resident threads exceed the %llu "
                 "bytes of %s",
                 local, (unsigned long long)threads, (unsigned long long)d->memory, d->name);
}

// -------------------------------------------------------- the proof's premises ----

static void check_flat(gsrt_check *check, const char *what, unsigned axis, uint32_t size) {
  if (size != 1)
    gsrt_violate(check, GSRT_AXIS, NULL,
                 "%s.%c is %u; the kernel does not read that axis of the %s, so the proof holds "
                 "for 1 only",
                 what, axes[axis], size, what);
}

static void check_assumed(gsrt_check *check) {
  const gs_desc_header *h = check->contract->header;
  const gsrt_config *c = check->config;
  if (h->target > (uint32_t)check->device->cc)
    gsrt_violate(check, GSRT_CAPABILITY, NULL, "compiled for sm_%u; %s is sm_%d", h->target,
                 check->device->name, check->device->cc);
  for (unsigned i = 1; i < 3; i++) {
    uint32_t block = i == 1 ? GS_DESC_ASSUME_BLOCK_Y_ONE : GS_DESC_ASSUME_BLOCK_Z_ONE;
    uint32_t grid = i == 1 ? GS_DESC_ASSUME_GRID_Y_ONE : GS_DESC_ASSUME_GRID_Z_ONE;
    check_flat(check, "block", i, h->assumptions & block ? c->block[i] : 1);
    check_flat(check, "grid", i, h->assumptions & grid ? c->grid[i] : 1);
  }
  for (unsigned i = 0; i < 3; i++)
    if ((h->assumptions & GS_DESC_ASSUME_INDEX) && (uint64_t)c->grid[i] * c->block[i] > INT32_MAX)
      gsrt_violate(check, GSRT_INDEX_RANGE, NULL,
                   "grid.%c * block.%c is %llu; the proof holds up to 2^31 - 1", axes[i], axes[i],
                   (unsigned long long)c->grid[i] * c->block[i]);
}

void gsrt_check_limits(gsrt_check *check) {
  if (check->contract)
    check_assumed(check);
  if (!check_axes(check))
    return; // the rest would only repeat it
  check_threads(check);
  check_required_block(check);
  check_shared(check);
  check_cluster(check);
  if (product(check->config->block) <= check->device->max_threads_per_block)
    check_cooperative(check);
  check_local(check);
}
