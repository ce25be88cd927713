// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One validation: its set-up, and gsrt_validate, which needs no device.
#include "rt_internal.h"

#include <string.h>

bool gsrt_config_ok(const gsrt_config *config) {
  return config && config->struct_size == sizeof *config && config->cooperative <= 1;
}

void gsrt_cluster_of(const gsrt_config *config, const gsrt_function *function, uint32_t out[3]) {
  bool given = config->cluster[0] | config->cluster[1] | config->cluster[2];
  for (unsigned i = 0; i < 3; i++)
    out[i] = given ? config->cluster[i] : function->required_cluster[i];
}

static void fill_env(gsrt_check *check, const void *const *params) {
  gs_eval_env *env = &check->env;
  uint32_t cluster[3];
  gsrt_cluster_of(check->config, check->function, cluster);
  for (unsigned i = 0; i < 3; i++) {
    env->block[i] = check->config->block[i];
    env->grid[i] = check->config->grid[i];
    env->cluster[i] = cluster[i] ? cluster[i] : 1;
  }
  env->dynamic_smem = check->config->dynamic_smem;
  env->cc = check->device->cc;
  env->warp_size = check->device->warp_size;
  env->cooperative = check->config->cooperative;
  env->params = params;
  env->param_count = check->contract ? check->contract->header->param_count : 0;
  env->query = gsrt_pointer_query;
  env->user = check;
}

void gsrt_check_init(gsrt_check *check, const gs_descriptor *contract, const gsrt_device *device,
                     const gsrt_function *function, const gsrt_config *config,
                     const void *const *params) {
  check->contract = contract;
  check->counts = NULL;
  check->kernel = contract ? gs_desc_text(contract, contract->header->name) : "?";
  check->config = config;
  check->device = device;
  check->function = function;
  check->memory = NULL;
  check->silent = false;
  check->fact_name = NULL;
  check->first = GSRT_OK;
  check->violations = check->unchecked = check->pointers = 0;
  fill_env(check, params);
}

gsrt_status gsrt_validate(const void *descriptor, size_t size, const gsrt_device *device,
                          const gsrt_config *config, const void *const *params,
                          uint32_t *unchecked) {
  gs_descriptor contract;
  gsrt_function function;
  gsrt_check check;
  const char *problem = NULL;
  if (unchecked)
    *unchecked = 0;
  if (!gsrt_config_ok(config) || !device || device->struct_size != sizeof *device)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "gsrt_validate: a structure without its size");
  if (device->warp_size == 0)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "gsrt_validate: a device without a warp size");
  if (descriptor && gs_descriptor_open(descriptor, size, &contract, &problem) != GS_OK)
    return gsrt_fail(GSRT_ERROR_DESCRIPTOR, "gsrt_validate: %s", problem);
  const gs_descriptor *given = descriptor ? &contract : NULL;
  gsrt_function_from(given, &function);
  gsrt_check_init(&check, given, device, &function, config, params);
  check.silent = true;
  gsrt_check_limits(&check);
  for (uint32_t i = 0; given && i < contract.header->clause_count; i++)
    gsrt_check_clause(&check, i);
  if (given)
    gsrt_check_claims(&check);
  if (unchecked)
    *unchecked = check.unchecked;
  return check.violations ? check.first : GSRT_OK;
}
