// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// gsrt_buffer: sizes, borrowing, order between streams, captures, release.
#include "fake_cuda.h"
#include "fixture.h"

#include <pthread.h>

static seen log_;

/// c[i] = 2 * a[i], the kernel of the fixture.
static void body(void **params) {
  const float *a = *(const float **)params[0];
  float *c = *(float **)params[1];
  for (int i = 0; i < *(const int *)params[2]; i++)
    c[i] = 2 * a[i];
}

/// Everything one case needs.
typedef struct scene {
  fake_kernel kernels[2];
  fake_global globals[2];
  fake_image image;
  void *block;
  gsrt_module *module;
  gsrt_kernel *kernel;
  gsrt_buffer *a, *c;
  int n;
  char p[16];
  void *streams[2];
} scene;

static void set_up(scene *s, const fixture *f) {
  static const float data[4] = {1, 2, 3, 4};
  fake_kernel k = FAKE_KERNEL("_Z1k", body);
  memset(s, 0, sizeof *s);
  memset(&log_, 0, sizeof log_);
  fake_reset();
  s->kernels[0] = k;
  if (f) {
    s->block = fixture_build(f, &s->globals[0].size);
    s->globals[0].name = "__gpusafe_contract__Z1k";
    s->globals[0].bytes = s->block;
  }
  s->image = (fake_image){FAKE_MODULE_MAGIC, s->kernels, s->globals};
  CHECK_NUMBER(gsrt_module_load(&s->image, &s->module), GSRT_OK);
  CHECK_NUMBER(gsrt_kernel_get(s->module, "_Z1k", &s->kernel), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_upload(data, sizeof data, &s->a), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_alloc(sizeof data, &s->c), GSRT_OK);
  s->n = 4;
  s->streams[0] = fake_stream_new(0);
  s->streams[1] = fake_stream_new(0);
}

static void tear_down(scene *s) {
  CHECK_NUMBER(gsrt_buffer_free(s->a), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_free(s->c), GSRT_OK);
  CHECK_NUMBER(fake_live_memory(), 0);
  gsrt_module_unload(s->module);
  free(s->block);
  free(s->streams[0]);
  free(s->streams[1]);
}

/// k(a, c, n, p) in a stream.
static gsrt_status run(scene *s, gsrt_buffer *a, gsrt_buffer *c, void *stream) {
  gsrt_config config = gsrt_config_1d(1, 32);
  gsrt_arg args[] = {gsrt_arg_buffer(a), gsrt_arg_buffer(c), gsrt_arg_value(&s->n),
                     gsrt_arg_value(s->p)};
  config.stream = stream;
  memset(&log_, 0, sizeof log_);
  return gsrt_launch_args(s->kernel, &config, args, 4);
}

static const fixture claims = {.claims = {{GS_DESC_EXTENT, 0, "n"}, {GS_DESC_EXCLUSIVE, 1, "n"}},
                               .claim_count = 2};

static void use(void) {
  scene s;
  float result[4] = {0};
  set_up(&s, &claims);
  unsigned queries = fake_calls("cuMemGetAddressRange_v2");
  CHECK_NUMBER(run(&s, s.a, s.c, NULL), GSRT_OK);
  CHECK_NUMBER(fake_calls("cuMemGetAddressRange_v2"), queries); // buffers know their size
  CHECK_NUMBER(gsrt_buffer_download(s.c, result), GSRT_OK);
  CHECK(result[0] == 2 && result[3] == 8);
  CHECK_NUMBER(gsrt_buffer_read(s.c, 4, result, 4), GSRT_OK);
  CHECK(result[0] == 4);
  result[0] = 9;
  CHECK_NUMBER(gsrt_buffer_write(s.a, 12, result, 4), GSRT_OK);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[0]), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_read(s.c, 12, result, 4), GSRT_OK);
  CHECK(result[0] == 18);
  CHECK_NUMBER(gsrt_buffer_size(s.a), 16);
  CHECK(gsrt_buffer_address(s.a) != 0 && gsrt_buffer_address(NULL) == 0);
  tear_down(&s);
}

static void sizes(void) {
  scene s;
  float data[8] = {0};
  gsrt_buffer *part = NULL;
  set_up(&s, &claims);
  s.n = 5;
  CHECK_NUMBER(run(&s, s.a, s.c, NULL), GSRT_EXTENT);
  s.n = 3;
  // A view of 8 bytes: the allocation has more, the buffer has not.
  CHECK_NUMBER(gsrt_buffer_wrap(gsrt_buffer_address(s.a), 8, &part), GSRT_OK);
  CHECK_NUMBER(run(&s, part, s.c, NULL), GSRT_EXTENT);
  CHECK_NUMBER(log_.count, 1);
  s.n = 2;
  CHECK_NUMBER(run(&s, part, s.c, NULL), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_free(part), GSRT_OK);
  CHECK_NUMBER(fake_live_memory(), 2);
  CHECK_NUMBER(gsrt_buffer_write(s.a, 8, data, 12), GSRT_BUFFER_SIZE);
  CHECK_TEXT(log_.last, "gpusafe: a copy that leaves its buffer [buffer-size]");
  CHECK_NUMBER(gsrt_buffer_read(s.a, SIZE_MAX, data, 2), GSRT_BUFFER_SIZE);
  gsrt_set_policy(GSRT_POLICY_OFF); // never made all the same
  CHECK_NUMBER(gsrt_buffer_write(s.a, 8, data, 12), GSRT_BUFFER_SIZE);
  gsrt_set_policy(GSRT_POLICY_ERROR);
  CHECK_NUMBER(gsrt_buffer_read(s.a, 16, NULL, 0), GSRT_OK);
  tear_down(&s);
}

/// Uses in different streams are ordered; reads are not ordered among themselves.
static void streams(void) {
  scene s;
  set_up(&s, &claims);
  void *one = s.streams[0], *two = s.streams[1];
  gsrt_buffer *other = NULL;
  CHECK_NUMBER(gsrt_buffer_alloc(16, &other), GSRT_OK);
  CHECK_NUMBER(run(&s, s.a, s.c, one), GSRT_OK);
  CHECK_NUMBER(run(&s, s.a, s.c, one), GSRT_OK);
  CHECK_NUMBER(fake_stream_waits(one), 0);
  CHECK_NUMBER(run(&s, s.a, other, two), GSRT_OK); // both only read a
  CHECK_NUMBER(fake_stream_waits(two), 0);
  CHECK_NUMBER(run(&s, s.a, s.c, two), GSRT_OK); // c was written in the other
  CHECK_NUMBER(fake_stream_waits(two), 1);
  CHECK_NUMBER(run(&s, s.c, s.a, one), GSRT_OK); // reads c, writes a: both used in two
  CHECK_NUMBER(fake_stream_waits(one), 2);
  // The per-thread stream is another one in each thread.
  CHECK_NUMBER(run(&s, s.a, s.c, (void *)2), GSRT_OK);
  unsigned waits = fake_calls("cuStreamWaitEvent");
  CHECK_NUMBER(run(&s, s.a, s.c, (void *)2), GSRT_OK);
  CHECK(fake_calls("cuStreamWaitEvent") > waits);
  CHECK_NUMBER(gsrt_buffer_free(other), GSRT_OK);
  // Events are reused: no more of them than uses that are remembered.
  unsigned created = fake_calls("cuEventCreate");
  for (int i = 0; i < 100; i++)
    CHECK_NUMBER(run(&s, s.a, s.c, s.streams[i % 2]), GSRT_OK);
  CHECK(fake_calls("cuEventCreate") - created < 5);
  tear_down(&s);
}

static void refusing(void) {
  scene s;
  set_up(&s, &claims);
  gsrt_set_stream_policy(GSRT_STREAMS_REFUSE);
  fake_stream_hold(s.streams[0], 1);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[0]), GSRT_OK);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[0]), GSRT_OK);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[1]), GSRT_BUFFER_BUSY);
  CHECK_TEXT(log_.first, "gpusafe: kernel 'k': the buffer of argument 1 is in use by an unfinished "
                         "launch [buffer-busy]");
  fake_stream_hold(s.streams[0], 0);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[1]), GSRT_OK);
  gsrt_set_stream_policy((gsrt_stream_policy)9); // ignored
  gsrt_set_stream_policy(GSRT_STREAMS_WAIT);
  fake_stream_hold(s.streams[1], 1);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[1]), GSRT_OK);
  unsigned waited = fake_calls("cuEventSynchronize");
  float x = 1;
  CHECK_NUMBER(gsrt_buffer_write(s.c, 0, &x, 4), GSRT_OK); // waits for the launch
  CHECK(fake_calls("cuEventSynchronize") > waited);
  tear_down(&s);
}

static void twice(void) {
  scene s;
  fixture no_counts = {.claims = {{GS_DESC_EXCLUSIVE, 1, NULL}}, .claim_count = 1};
  set_up(&s, &no_counts);
  CHECK_NUMBER(run(&s, s.a, s.a, NULL), GSRT_BUFFER_TWICE);
  CHECK_TEXT(log_.first, "k.cu:10:5: gpusafe: kernel 'k': one buffer is given to c, which is "
                         "exclusive, and to a [buffer-twice]");
  CHECK_NUMBER(run(&s, s.a, s.c, NULL), GSRT_OK);
  tear_down(&s);
  set_up(&s, &claims); // counts: the halves of one buffer are apart
  gsrt_config config = gsrt_config_1d(1, 32);
  gsrt_arg args[] = {gsrt_arg_buffer(s.a), gsrt_arg_buffer(s.a), gsrt_arg_value(&s.n),
                     gsrt_arg_value(s.p)};
  args[1].offset = 8;
  s.n = 2;
  CHECK_NUMBER(gsrt_launch_args(s.kernel, &config, args, 4), GSRT_OK);
  args[1].offset = 4;
  CHECK_NUMBER(gsrt_launch_args(s.kernel, &config, args, 4), GSRT_OVERLAP);
  tear_down(&s);
  set_up(&s, NULL); // nothing is claimed, so nothing is refused
  CHECK_NUMBER(run(&s, s.a, s.a, NULL), GSRT_OK);
  tear_down(&s);
}

static void captures(void) {
  scene s;
  float x = 0;
  set_up(&s, &claims);
  fake_stream_hold(s.streams[0], 1);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[0]), GSRT_OK);
  fake_stream_capture(s.streams[0], 1);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[0]), GSRT_BUFFER_BUSY); // not even its own stream
  fake_stream_hold(s.streams[0], 0);
  unsigned events = fake_calls("cuEventRecord"), waits = fake_calls("cuStreamWaitEvent");
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[0]), GSRT_OK);
  CHECK_NUMBER(run(&s, s.c, s.a, s.streams[0]), GSRT_OK);
  CHECK_NUMBER(fake_calls("cuEventRecord"), events);
  CHECK_NUMBER(fake_calls("cuStreamWaitEvent"), waits);
  fake_stream_capture(s.streams[0], 0);
  CHECK_NUMBER(gsrt_buffer_write(s.a, 0, &x, 4), GSRT_BUFFER_CAPTURED);
  CHECK_TEXT(log_.last, "gpusafe: a write by the host to a buffer that a captured graph uses "
                        "[buffer-captured]");
  CHECK_NUMBER(gsrt_buffer_read(s.a, 0, &x, 4), GSRT_OK);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[1]), GSRT_BUFFER_CAPTURED);
  CHECK_NUMBER(gsrt_buffer_free(s.a), GSRT_BUFFER_CAPTURED);
  // Whatever the policy: a graph would run over it.
  for (int policy = GSRT_POLICY_WARN; policy <= GSRT_POLICY_OFF; policy += 2) {
    gsrt_set_policy((gsrt_policy)policy);
    CHECK_NUMBER(gsrt_buffer_write(s.a, 0, &x, 4), GSRT_BUFFER_CAPTURED);
    CHECK_NUMBER(run(&s, s.a, s.c, s.streams[1]), GSRT_BUFFER_CAPTURED);
    CHECK_NUMBER(gsrt_buffer_free(s.a), GSRT_BUFFER_CAPTURED);
  }
  gsrt_set_policy(GSRT_POLICY_ERROR);
  gsrt_buffer_release_graphs(s.a);
  gsrt_buffer_release_graphs(s.c);
  gsrt_buffer_release_graphs(NULL);
  CHECK_NUMBER(run(&s, s.a, s.c, s.streams[1]), GSRT_OK);
  tear_down(&s);
}

static void devices(void) {
  scene s;
  set_up(&s, &claims);
  fake_set_current(1);
  CHECK_NUMBER(run(&s, s.a, s.c, NULL), GSRT_BUFFER_DEVICE);
  float x = 0;
  CHECK_NUMBER(gsrt_buffer_read(s.a, 0, &x, 4), GSRT_OK); // copies find the right context
  CHECK(x == 1);
  gsrt_buffer *here = NULL;
  CHECK_NUMBER(gsrt_buffer_alloc(4, &here), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_free(here), GSRT_OK);
  fake_set_current(0);
  tear_down(&s);
}

static void misuse(void) {
  scene s;
  gsrt_buffer *buffer = NULL;
  gsrt_config config = gsrt_config_1d(1, 32);
  set_up(&s, &claims);
  gsrt_arg args[] = {gsrt_arg_buffer(s.a), gsrt_arg_buffer(s.c), gsrt_arg_value(&s.n),
                     gsrt_arg_value(s.p)};
  CHECK_NUMBER(gsrt_launch_args(s.kernel, &config, args, 3), GSRT_ERROR_ARGUMENT);
  CHECK_TEXT(gsrt_last_message(), "3 arguments for the 4 parameters of '_Z1k'");
  CHECK_NUMBER(gsrt_launch_args(s.kernel, &config, args, 1000), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_launch_args(NULL, &config, args, 4), GSRT_ERROR_ARGUMENT);
  args[2] = gsrt_arg_buffer(s.a);
  CHECK_NUMBER(gsrt_launch_args(s.kernel, &config, args, 4), GSRT_ERROR_ARGUMENT);
  CHECK_TEXT(gsrt_last_message(), "argument 2 is a buffer, but 'n' is no pointer");
  args[2] = gsrt_arg_value(NULL);
  CHECK_NUMBER(gsrt_launch_args(s.kernel, &config, args, 4), GSRT_ERROR_ARGUMENT);
  args[2] = gsrt_arg_value(&s.n);
  args[0].offset = 17;
  CHECK_NUMBER(gsrt_launch_args(s.kernel, &config, args, 4), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_buffer_alloc(0, &buffer), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_buffer_alloc(1, NULL), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_buffer_wrap(0, 4, &buffer), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_buffer_read(NULL, 0, &buffer, 4), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_buffer_write(s.a, 0, NULL, 4), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_buffer_free(NULL), GSRT_OK);
  fake_fail("cuMemAlloc_v2", 2);
  CHECK_NUMBER(gsrt_buffer_upload(&s, 4, &buffer), GSRT_ERROR_DRIVER);
  CHECK_TEXT(gsrt_last_message(), "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)");
  CHECK(buffer == NULL);
  fake_fail("cuMemAlloc_v2", 0);
  fake_fail("cuMemcpyHtoDAsync_v2", 1);
  CHECK_NUMBER(gsrt_buffer_upload(&s, 4, &buffer), GSRT_ERROR_DRIVER);
  CHECK(buffer == NULL);
  fake_fail("cuMemcpyHtoDAsync_v2", 0);
  fake_fail("cuEventRecord", 1); // what cannot be remembered is waited for
  unsigned waits = fake_calls("cuStreamSynchronize");
  CHECK_NUMBER(run(&s, s.a, s.c, NULL), GSRT_OK);
  CHECK_NUMBER(fake_calls("cuStreamSynchronize") - waits, 1);
  fake_fail("cuEventRecord", 0);
  fake_fail("cuLaunchKernel", 1);
  CHECK_NUMBER(run(&s, s.a, s.c, NULL), GSRT_ERROR_DRIVER);
  fake_fail("cuLaunchKernel", 0);
  fake_fail("cuEventCreate", 2);
  CHECK_NUMBER(run(&s, s.a, s.c, NULL), GSRT_OK);
  tear_down(&s);
}

typedef struct worker {
  scene *s;
  void *stream;
} worker;

static void *hammer(void *user) {
  worker *w = user;
  uintptr_t wrong = 0;
  float x = 1;
  fake_set_current(0);
  for (int i = 0; i < 500; i++) {
    gsrt_config config = gsrt_config_1d(1, 32);
    int n = 4;
    gsrt_arg args[] = {gsrt_arg_buffer(w->s->a), gsrt_arg_buffer(w->s->c), gsrt_arg_value(&n),
                       gsrt_arg_value(w->s->p)};
    config.stream = w->stream;
    wrong += gsrt_launch_args(w->s->kernel, &config, args, 4) != GSRT_OK;
    if (i % 16 == 0)
      wrong += gsrt_buffer_write(w->s->a, 0, &x, 4) != GSRT_OK;
    if (i % 16 == 8)
      wrong += gsrt_buffer_read(w->s->c, 0, &x, 4) != GSRT_OK || x != 2;
    x = 1;
  }
  return (void *)wrong;
}

static void threads(void) {
  scene s;
  pthread_t ids[4];
  worker workers[4];
  set_up(&s, &claims);
  for (int i = 0; i < 4; i++) {
    workers[i] = (worker){&s, s.streams[i % 2]};
    CHECK_NUMBER(pthread_create(&ids[i], NULL, hammer, &workers[i]), 0);
  }
  for (int i = 0; i < 4; i++) {
    void *wrong = &s;
    pthread_join(ids[i], &wrong);
    CHECK(wrong == NULL);
  }
  tear_down(&s);
}

int main(void) {
  gsrt_set_callback(fixture_see, &log_);
  use();
  sizes();
  streams();
  refusing();
  twice();
  captures();
  devices();
  misuse();
  threads();
  return check_result("buffer_test");
}
