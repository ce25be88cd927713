// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe,gpusafe_extra.leak -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// Owners, guards and macros that check errors are code like all other: they do not blind.
extern "C" void exit(int);
__global__ void kernel(float *p, int n) { p[threadIdx.x] = n; }
#define THROWING(call)                                                                             \
  do {                                                                                             \
    cudaError_t status_ = (call);                                                                  \
    if (status_ != cudaSuccess)                                                                    \
      throw 1;                                                                                     \
  } while (0)
#define RETURNING(call)                                                                            \
  if (cudaError_t status_ = (call))                                                                \
  return status_
static void check(cudaError_t status, const char *file, int line, bool stop = true) {
  if (status != cudaSuccess && stop)
    exit(int(status) + line);
}
#define CHECKED(call) check((call), __FILE__, __LINE__)
template <class T> void typed_check(T result, const char *text) {
  if (result)
    exit(static_cast<int>(result));
}

template <class T> class Buffer {
public:
  explicit Buffer(size_t count) : count_(count) { CHECKED(cudaMalloc(&data_, count * sizeof(T))); }
  ~Buffer() { cudaFree(data_); } // expected-warning {{'data_' is freed a second time}}
  Buffer(const Buffer &) = delete;
  Buffer(Buffer &&o) : data_(o.data_), count_(o.count_) { o.data_ = nullptr; }
  T *get() const { return data_; }
  T *release() {
    T *p = data_;
    data_ = nullptr;
    return p;
  }
  void upload(const T *from) {
    CHECKED(cudaMemcpy(data_, from, count_ * sizeof(T), cudaMemcpyHostToDevice));
  }

private:
  T *data_ = nullptr;
  size_t count_;
};
struct Stream {
  cudaStream_t s;
  Stream() { CHECKED(cudaStreamCreate(&s)); }
  ~Stream() { cudaStreamDestroy(s); }
  operator cudaStream_t() const { return s; }
};
template <class F> struct Cleanup {
  F f;
  Cleanup(F f) : f(f) {}
  ~Cleanup() { f(); }
};

// -------------------------------------------------------------------- found ----
void after_the_owner(int n) {
  float *kept;
  {
    Buffer<float> b(n);
    kept = b.get();
  }
  kernel<<<1, 32>>>(kept, n); // expected-warning {{'kept' is given to a kernel after it was freed}}
}
void owner_frees_again(int n) {
  Buffer<float> b(n);
  cudaFree(b.get());
} // the destructor's call is what is reported
void through_a_macro(int n) {
  float *d;
  THROWING(cudaMalloc(&d, n));
  THROWING(cudaFree(d));
  THROWING(cudaMemset(d, 0, 1)); // expected-warning {{'d' is used after it was freed}}
}
cudaError_t through_returns(int n) {
  float *d;
  RETURNING(cudaMalloc(&d, n));
  RETURNING(cudaFree(d));
  RETURNING(cudaMemset(d, 0, 1)); // expected-warning {{'d' is used after it was freed}}
  return cudaSuccess;
}
void through_a_template(int n) {
  float *d;
  typed_check(cudaMalloc(&d, n), "malloc");
  typed_check(cudaFree(d), "free");
  typed_check(cudaMemset(d, 0, 1), "memset"); // expected-warning {{'d' is used after it was freed}}
}
void two_owned_streams(float *d, int n) {
  Stream a, b;
  kernel<<<1, 32, 0, a>>>(d, n);
  kernel<<<1, 32, 0, b>>>(d, n); // expected-warning {{two streams use 'd' with no order between them}}
}
void lost_by_a_throw(int n) {
  float *d;
  THROWING(cudaMalloc(&d, n));
  if (n == 3)
    return; // expected-warning {{device memory is lost here without being freed}}
  THROWING(cudaFree(d));
}

// -------------------------------------------------------------------- right ----
void owned(int n, const float *h) {
  Buffer<float> b(n);
  b.upload(h);
  kernel<<<1, 32>>>(b.get(), n);
  if (n > 3)
    return;
  kernel<<<1, 32>>>(b.get(), n);
}
void moved(int n) {
  Buffer<float> a(n);
  Buffer<float> b(static_cast<Buffer<float> &&>(a));
  kernel<<<1, 32>>>(b.get(), n);
}
void released(int n) {
  Buffer<float> a(n);
  float *d = a.release();
  kernel<<<1, 32>>>(d, n);
  cudaFree(d);
}
void guarded(int n) {
  float *d;
  CHECKED(cudaMalloc(&d, n));
  auto free_it = [&] { cudaFree(d); };
  Cleanup<decltype(free_it)> cleanup(free_it);
  kernel<<<1, 32>>>(d, n);
}
