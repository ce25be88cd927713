// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Device modules for programs on the driver's interface.
#include "kernel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  struct entry *next;
  gsrt_kernel *kernel;
} entry;

struct gsrt_module {
  void *handle;
  pthread_mutex_t lock; ///< of the list
  entry *kernels;
};

// --------------------------------------------------------------------- loading ----

/// A program that made no context gets the one that the CUDA runtime would use.
gsrt_status gsrt_need_context(const gsrt_driver *driver) {
  void *context = NULL;
  int error = driver->ctx_get_current(&context);
  if (error == CU_OK && !context) {
    error = driver->primary_ctx_retain(&context, 0);
    if (error == CU_OK)
      error = driver->ctx_set_current(context);
  }
  return error == CU_OK ? GSRT_OK : gsrt_driver_failed(driver, "no context", error);
}

gsrt_status gsrt_module_load(const void *image, gsrt_module **out) {
  if (!image || !out)
    return gsrt_fail(GSRT_ERROR_ARGUMENT, "gsrt_module_load: no image, or no place for the result");
  *out = NULL;
  const gsrt_driver *driver = gsrt_driver_get();
  if (!driver)
    return GSRT_ERROR_NO_DRIVER;
  gsrt_status status = gsrt_need_context(driver);
  if (status != GSRT_OK)
    return status;
  gsrt_module *module = calloc(1, sizeof *module);
  if (!module)
    return gsrt_fail(GSRT_ERROR_MEMORY, "out of memory");
  int error = driver->module_load_data(&module->handle, image);
  if (error != CU_OK) {
    free(module);
    return gsrt_driver_failed(driver, "cuModuleLoadData", error);
  }
  pthread_mutex_init(&module->lock, NULL);
  *out = module;
  return GSRT_OK;
}

/// Reads a whole file; the text gets a NUL behind it, which PTX needs.
static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t length = 0, capacity = 0, more = 1;
  while (file && more > 0) {
    if (capacity - length < 4096) {
      capacity = capacity ? capacity * 2 : 65536;
      char *larger = realloc(text, capacity);
      if (!larger) {
        free(text);
        fclose(file);
        return NULL;
      }
      text = larger;
    }
    more = fread(text + length, 1, capacity - length - 1, file);
    length += more;
  }
  if (text)
    text[length] = '\0';
  if (file && ferror(file)) {
    free(text);
    text = NULL;
  }
  if (file)
    fclose(file);
  return text;
}

gsrt_status gsrt_module_load_file(const char *path, gsrt_module **out) {
  if (!path || !out)
    return gsrt_fail(GSRT_ERROR_ARGUMENT,
                     "gsrt_module_load_file: no path, or no place for the result");
  *out = NULL;
  char *image = read_file(path);
  if (!image)
    return gsrt_fail(GSRT_ERROR_NOT_FOUND, "cannot read '%s'", path);
  gsrt_status status = gsrt_module_load(image, out);
  free(image);
  return status;
}

void gsrt_module_unload(gsrt_module *module) {
  const gsrt_driver *driver = gsrt_driver_get();
  if (!module)
    return;
  while (module->kernels) {
    entry *first = module->kernels;
    module->kernels = first->next;
    gsrt_kernel_free(first->kernel);
    free(first);
  }
  if (driver)
    driver->module_unload(module->handle);
  pthread_mutex_destroy(&module->lock);
  free(module);
}

// --------------------------------------------------------------------- kernels ----

/// Copies the descriptor of a kernel out of the module.
/// \param block receives it, or NULL when the module has none; free with free().
static gsrt_status read_contract(const gsrt_driver *driver, void *module, const char *name,
                                 void **block, size_t *size) {
  size_t length = strlen(name);
  uint64_t address = 0;
  char *symbol = malloc(sizeof GS_DESCRIPTOR_PREFIX + length);
  *block = NULL;
  if (!symbol)
    return gsrt_fail(GSRT_ERROR_MEMORY, "out of memory");
  memcpy(symbol, GS_DESCRIPTOR_PREFIX, sizeof GS_DESCRIPTOR_PREFIX - 1);
  memcpy(symbol + sizeof GS_DESCRIPTOR_PREFIX - 1, name, length + 1);
  int error = driver->module_get_global(&address, size, module, symbol);
  free(symbol);
  if (error == CU_NOT_FOUND)
    return GSRT_OK;
  if (error != CU_OK)
    return gsrt_driver_failed(driver, "cuModuleGetGlobal", error);
  *block = malloc(*size ? *size : 1);
  if (!*block)
    return gsrt_fail(GSRT_ERROR_MEMORY, "out of memory");
  error = driver->memcpy_dtoh(*block, address, *size, NULL);
  if (error == CU_OK)
    error = driver->stream_synchronize(NULL);
  if (error == CU_OK)
    return GSRT_OK;
  free(*block);
  *block = NULL;
  return gsrt_driver_failed(driver, "reading a contract", error);
}

static gsrt_status add_kernel(const gsrt_driver *driver, gsrt_module *module, const char *name,
                              gsrt_kernel **out) {
  void *function = NULL, *block = NULL;
  size_t size = 0;
  int error = driver->module_get_function(&function, module->handle, name);
  if (error == CU_NOT_FOUND)
    return gsrt_fail(GSRT_ERROR_NOT_FOUND, "the module has no kernel '%s'", name);
  if (error != CU_OK)
    return gsrt_driver_failed(driver, "cuModuleGetFunction", error);
  gsrt_status status = read_contract(driver, module->handle, name, &block, &size);
  if (status == GSRT_OK)
    status = gsrt_kernel_new(function, name, block, size, out);
  free(block);
  if (status != GSRT_OK)
    return status;
  entry *first = malloc(sizeof *first);
  if (!first) {
    gsrt_kernel_free(*out);
    *out = NULL;
    return gsrt_fail(GSRT_ERROR_MEMORY, "out of memory");
  }
  *first = (entry){module->kernels, *out};
  module->kernels = first;
  return GSRT_OK;
}

gsrt_status gsrt_kernel_get(gsrt_module *module, const char *name, gsrt_kernel **out) {
  if (!module || !name || !out)
    return gsrt_fail(GSRT_ERROR_ARGUMENT,
                     "gsrt_kernel_get: no module, name or place for the result");
  *out = NULL;
  const gsrt_driver *driver = gsrt_driver_get();
  if (!driver)
    return GSRT_ERROR_NO_DRIVER;
  gsrt_status status = GSRT_OK;
  pthread_mutex_lock(&module->lock);
  for (entry *e = module->kernels; e && !*out; e = e->next)
    if (strcmp(e->kernel->name, name) == 0)
      *out = e->kernel;
  if (!*out)
    status = add_kernel(driver, module, name, out);
  pthread_mutex_unlock(&module->lock);
  return status;
}
