// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run CUBIN PLAN KERNEL…: makes the launches of some kernels of a batch that replay_fuzz --gpu
// wrote (test/fuzz/gpu.c has the format), in the order of the plan, for compute-sanitizer to watch.
// Ends with 3, and says at which kernel, when one fails or does not end.
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, NAME = 24, KERNELS = 1000, PATIENCE = 8 /* seconds */ };

static unsigned at_kernel;

static void check(CUresult result, const char *what) {
  const char *text = "?";
  if (result == CUDA_SUCCESS)
    return;
  cuGetErrorName(result, &text);
  printf("kernel %u ends it: %s: %s\n", at_kernel, what, text);
  fflush(stdout);
  _exit(3);
}

/// Waits for the launch, for a while.
static void finish(void) {
  time_t begin = time(NULL);
  CUresult now;
  while ((now = cuStreamQuery(NULL)) == CUDA_ERROR_NOT_READY)
    if (time(NULL) - begin > PATIENCE)
      check(CUDA_ERROR_LAUNCH_TIMEOUT, "the kernel");
    else
      usleep(200);
  check(now, "the kernel");
}

typedef struct plan {
  const unsigned char *at, *end;
} plan;

static const unsigned char *take(plan *p, uint64_t size) {
  const unsigned char *data = p->at;
  if (size > (uint64_t)(p->end - p->at)) {
    fprintf(stderr, "the plan is cut off\n");
    exit(2);
  }
  p->at += size;
  return data;
}

static uint64_t number(plan *p) {
  uint64_t value;
  memcpy(&value, take(p, 8), 8);
  return value;
}

static uint64_t count(plan *p) {
  uint64_t n = number(p);
  if (n > MOST) {
    fprintf(stderr, "the plan is damaged\n");
    exit(2);
  }
  return n;
}

typedef struct chunk {
  uint64_t shift, size;
  const unsigned char *data;
  CUdeviceptr device;
} chunk;

static chunk read_chunk(plan *p, int shifted) {
  chunk c = {0};
  c.shift = shifted ? number(p) : 0;
  c.size = number(p);
  c.data = take(p, (c.size + 7) / 8 * 8);
  return c;
}

/// One launch. \returns whether it is one of those that are wanted.
static int launch(plan *p, CUmodule module, const unsigned char *wanted) {
  uint64_t kernel = number(p), size[7], n;
  chunk args[MOST], buffers[MOST];
  static unsigned char bytes[MOST][256];
  void *params[MOST];
  for (int i = 0; i < 7; i++)
    size[i] = number(p);
  uint64_t arg_count = count(p);
  for (uint64_t i = 0; i < arg_count; i++) {
    args[i] = read_chunk(p, 0);
    memcpy(bytes[i], args[i].data, args[i].size < 256 ? args[i].size : 256);
    params[i] = bytes[i];
  }
  uint64_t buffer_count = count(p);
  for (uint64_t i = 0; i < buffer_count; i++)
    buffers[i] = read_chunk(p, 1);
  int mine = kernel < KERNELS && wanted[kernel];
  at_kernel = (unsigned)kernel;
  for (uint64_t i = 0; i < buffer_count && mine; i++) {
    check(cuMemAlloc(&buffers[i].device, buffers[i].size ? buffers[i].size : 1), "cuMemAlloc");
    if (buffers[i].size)
      check(cuMemcpyHtoD(buffers[i].device, buffers[i].data, buffers[i].size), "cuMemcpyHtoD");
  }
  for (n = count(p); n; n--) {
    uint64_t arg = number(p), offset = number(p), b = number(p);
    CUdeviceptr value = mine ? buffers[b].device + buffers[b].shift : 0;
    memcpy(bytes[arg] + offset, &value, 8);
  }
  for (n = count(p); n; n--) {
    uint64_t b = number(p);
    const char *name = (const char *)take(p, NAME);
    CUdeviceptr at = 0;
    size_t room = 0;
    if (mine && cuModuleGetGlobal(&at, &room, module, name) == CUDA_SUCCESS) // unused ones are gone
      check(cuMemcpyHtoD(at, buffers[b].data, room < buffers[b].size ? room : buffers[b].size), name);
  }
  if (!mine)
    return 0;
  char name[16];
  CUfunction function;
  snprintf(name, sizeof name, "k%u", (unsigned)kernel);
  check(cuModuleGetFunction(&function, module, name), name);
  check(cuLaunchKernel(function, (unsigned)size[0], (unsigned)size[1], (unsigned)size[2], (unsigned)size[3],
                       (unsigned)size[4], (unsigned)size[5], (unsigned)size[6], NULL, params, NULL),
        "cuLaunchKernel");
  finish();
  for (uint64_t i = 0; i < buffer_count; i++)
    cuMemFree(buffers[i].device);
  return 1;
}

int main(int argc, char **argv) {
  static unsigned char wanted[KERNELS];
  FILE *f = argc > 3 ? fopen(argv[2], "rb") : NULL;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  if (!f || fseek(f, 0, SEEK_END) != 0) {
    fprintf(stderr, "usage: run CUBIN PLAN KERNEL...\n");
    return 2;
  }
  long size = ftell(f);
  unsigned char *data = malloc((size_t)size + 1);
  rewind(f);
  if (!data || fread(data, 1, (size_t)size, f) != (size_t)size)
    return 2;
  fclose(f);
  for (int i = 3; i < argc; i++)
    wanted[strtoul(argv[i], NULL, 10) % KERNELS] = 1;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuModuleLoad(&module, argv[1]), "cuModuleLoad");
  plan p = {data, data + size};
  unsigned made = 0;
  while (p.at < p.end)
    made += (unsigned)launch(&p, module, wanted);
  printf("%u launches\n", made);
  return 0;
}
