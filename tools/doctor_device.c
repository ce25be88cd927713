// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `gpusafe doctor` says of CUDA: the toolkit, the driver, the devices.
#include "doctor.h"

#include "child.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- toolkit ----

/// CUDA_VERSION of a toolkit's cuda.h; 0 when it does not say.
static int version_of(gs_mem *mem, const char *toolkit) {
  static const char define[] = "#define CUDA_VERSION ";
  char line[256];
  int version = 0;
  FILE *file = fopen(gs_mem_printf(mem, "%s/include/cuda.h", toolkit), "r");
  while (file && !version && fgets(line, sizeof line, file))
    if (gs_starts_with(line, define))
      version = atoi(line + sizeof define - 1);
  if (file)
    fclose(file);
  return version;
}

/// What clang says of the toolkit's version; "" when it has nothing to say.
static const char *clang_says(gs_doctor *d) {
  gs_list argv = {0};
  gs_child child;
  const char *const words[] = {"-x", "cuda", "--cuda-device-only", "--offload-arch=sm_90", "-fsyntax-only",
                               "-nocudainc", "-fno-color-diagnostics", "/dev/null"};
  gs_list_add(d->mem, &argv, d->tools.clang);
  gs_list_addf(d->mem, &argv, "--cuda-path=%s", d->tools.cuda);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    gs_list_add(d->mem, &argv, words[i]);
  gs_child_run(d->mem, &argv, &child);
  const char *warning = child.errors ? strstr(child.errors, "warning: ") : NULL;
  if (!warning)
    return "";
  warning += strlen("warning: ");
  size_t length = strcspn(warning, "[");
  while (length && warning[length - 1] == ' ')
    length--;
  return gs_mem_printf(d->mem, "%.*s", (int)length, warning);
}

static void look_at_libdevice(gs_doctor *d) {
  const char *path = gs_mem_printf(d->mem, "%s/nvvm/libdevice/libdevice.10.bc", d->tools.cuda);
  FILE *file = fopen(path, "r");
  if (file) {
    fclose(file);
    gs_doctor_row(d, GS_HEALTH_OK, "libdevice", path, NULL);
  } else {
    gs_doctor_row(d, GS_HEALTH_NOTE, "libdevice",
                  gs_mem_printf(d->mem, "no %s: clang makes no programs with this toolkit", path),
                  "install the toolkit's package of libnvvm");
  }
}

void gs_doctor_toolkit(gs_doctor *d) {
  const char *problem = gs_find_cuda(d->mem, d->cuda_path, &d->tools);
  if (problem || !d->tools.cuda) {
    gs_doctor_row(d, problem ? GS_HEALTH_BROKEN : GS_HEALTH_NOTE, "CUDA",
                  problem ? problem
                          : "no toolkit: kernels are checked on the bundled declarations, and no programs are made",
                  problem ? "gpusafe doctor --cuda-path=DIR"
                          : "install the CUDA toolkit, or say where it is: export CUDA_PATH=DIR");
    return;
  }
  int version = d->toolkit = version_of(d->mem, d->tools.cuda);
  const char *text = gs_mem_printf(d->mem, "%s: CUDA %d.%d", d->tools.cuda, version / 1000, version % 1000 / 10);
  const char *says = d->tools.clang ? clang_says(d) : "";
  // clang uses a newer toolkit as the newest that it knows; gpusafe runs it without the warning.
  if (*says)
    text = gs_mem_printf(d->mem, "%s; %s, and clang takes it for that", text, says);
  gs_doctor_row(d, version ? GS_HEALTH_OK : GS_HEALTH_NOTE, "CUDA",
                version ? text : gs_mem_printf(d->mem, "%s: no version in include/cuda.h", d->tools.cuda),
                version ? NULL : "install the toolkit's package of the driver's header");
  look_at_libdevice(d);
}

// ----------------------------------------------------------------- driver ----

/// The driver's functions that are asked, as NVIDIA's driver API has them; NULL when missing.
typedef struct gs_driver {
  int (*init)(unsigned flags);
  int (*version)(int *version);
  int (*count)(int *count);
  int (*name)(char *name, int length, int device);
  int (*attribute)(int *value, int attribute, int device);
  int (*memory)(size_t *bytes, int device);
} gs_driver;

static bool find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

/// \returns false when a function that every driver has is missing.
static bool find_all(void *library, gs_driver *out) {
  find(library, "cuDriverGetVersion", &out->version);
  return find(library, "cuInit", &out->init) && find(library, "cuDeviceGetCount", &out->count) &&
         find(library, "cuDeviceGetName", &out->name) && find(library, "cuDeviceGetAttribute", &out->attribute) &&
         find(library, "cuDeviceTotalMem_v2", &out->memory);
}

static void show_device(gs_doctor *d, const gs_driver *driver, int device) {
  enum { THREADS = 1, GRID_Y = 6, SHARED = 8, PROCESSORS = 16, MAJOR = 75, MINOR = 76, SHARED_OPT_IN = 97 };
  static const int asked[] = {MAJOR, MINOR, PROCESSORS, THREADS, GRID_Y, SHARED, SHARED_OPT_IN};
  int values[sizeof asked / sizeof *asked] = {0};
  char name[256] = "?";
  size_t bytes = 0;
  driver->name(name, sizeof name, device);
  driver->memory(&bytes, device);
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    driver->attribute(&values[i], asked[i], device);
  gs_doctor_row(d, GS_HEALTH_OK, gs_mem_printf(d->mem, "GPU %d", device),
                gs_mem_printf(d->mem,
                              "%s: sm_%d%d, %zu MiB, %d multiprocessors, %d threads in a block, grid.y up to %d, "
                              "%d bytes of shared memory, %d by opting in",
                              name, values[0], values[1], bytes >> 20, values[2], values[3], values[4], values[5],
                              values[6]),
                NULL);
}

static void ask_driver(gs_doctor *d, const gs_driver *driver) {
  int version = 0, count = 0, code = driver->init(0);
  if (code) {
    gs_doctor_row(d, GS_HEALTH_NOTE, "driver",
                  gs_mem_printf(d->mem, "cuInit gives %d%s: no program runs here", code,
                                code == 100 ? " (no device)" : ""),
                  "nvidia-smi, which says more");
    return;
  }
  if (driver->version)
    driver->version(&version);
  bool old = version && d->toolkit / 1000 > version / 1000;
  gs_doctor_row(d, old ? GS_HEALTH_NOTE : GS_HEALTH_OK, "driver",
                gs_mem_printf(d->mem, "for CUDA up to %d.%d%s", version / 1000, version % 1000 / 10,
                              old ? ": programs of this toolkit do not run" : ""),
                old ? "install a driver as new as the toolkit" : NULL);
  driver->count(&count);
  for (int i = 0; i < count; i++)
    show_device(d, driver, i);
}

void gs_doctor_driver(gs_doctor *d) {
  gs_driver driver = {0};
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    gs_doctor_row(d, GS_HEALTH_NOTE, "driver", "no libcuda.so.1: no program runs here; checks need none",
                  "install NVIDIA's driver, where there is a GPU");
  else if (!find_all(library, &driver))
    gs_doctor_row(d, GS_HEALTH_NOTE, "driver", "libcuda.so.1 is no driver, or one too old",
                  "install NVIDIA's driver");
  else
    ask_driver(d, &driver);
  // The driver stays loaded: some do not survive being unloaded.
}
