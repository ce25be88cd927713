// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The gpusafe runtime: launches that are checked against their contracts.
///
/// No CUDA is needed to compile or link; the driver is looked up when it is first
/// needed. Thread-safe unless a function says otherwise. Structures that callers
/// fill start with their size, so that later versions can add fields.
///
/// A violation is reported (callback, log, or stderr) and, by policy, fails the
/// call with its code, aborts, or lets the launch go on.
#ifndef GPUSAFE_RT_H
#define GPUSAFE_RT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GSRT_API __attribute__((visibility("default")))
#else
#define GSRT_API
#endif

/// Result codes; README.md documents each.
typedef enum gsrt_status {
#define GSRT_STATUS(name, number, id, text) GSRT_##name = number,
#include "gsrt_status.def"
#undef GSRT_STATUS
  GSRT_FIRST_VIOLATION = 100
} gsrt_status;

/// \returns the short name ("extent"), or "?" for an unknown number.
GSRT_API const char *gsrt_status_name(gsrt_status status);
/// \returns a sentence without a full stop.
GSRT_API const char *gsrt_status_text(gsrt_status status);

// --------------------------------------------------------------- behaviour ----

/// What a violation does. From GPUSAFE_POLICY=error|warn|abort|off unless set.
typedef enum gsrt_policy {
  GSRT_POLICY_ERROR = 0, ///< the launch is not made, its code is returned
  GSRT_POLICY_WARN = 1,  ///< the launch is made
  GSRT_POLICY_ABORT = 2, ///< the process ends with abort()
  GSRT_POLICY_OFF = 3    ///< nothing is checked
} gsrt_policy;

/// What the process does about violations from here on, and what it does now.
GSRT_API void gsrt_set_policy(gsrt_policy policy);
GSRT_API gsrt_policy gsrt_get_policy(void);

/// One violation. Texts live until the callback returns; none is NULL.
typedef struct gsrt_violation {
  size_t struct_size;
  gsrt_status code;
  const char *kernel;
  const char *file; ///< of the clause or claim; "" when unknown
  uint32_t line, column;
  const char *clause;  ///< as written; "" for a limit
  const char *message; ///< complete, one line
  uint32_t grid[3], block[3], cluster[3], dynamic_smem;
} gsrt_violation;

/// Called from the launching thread. With a callback nothing is written to stderr. It
/// must not launch, and must not use buffers.
typedef void (*gsrt_callback)(void *user, const gsrt_violation *violation);
GSRT_API void gsrt_set_callback(gsrt_callback callback, void *user);

/// Appends violations to a file as JSON lines; NULL stops. From GPUSAFE_LOG unless set.
/// \returns GSRT_ERROR_NOT_FOUND when it cannot be opened.
GSRT_API gsrt_status gsrt_set_log(const char *path);

/// The last violation or failure of this thread; "" when there was none. Valid
/// until the thread's next call.
GSRT_API const char *gsrt_last_message(void);

/// Whether the facts about data in contracts (injective, monotone, strictly_monotone,
/// in_range) are verified on the device before each launch, which then waits for the device:
/// for debugging. From GPUSAFE_CHECK_DATA=1 unless set; otherwise they are taken on trust.
GSRT_API void gsrt_set_data_checks(int on);

/// Counts since the start of the process.
typedef struct gsrt_counters {
  size_t struct_size;
  uint64_t launches;   ///< launches that were checked
  uint64_t cache_hits; ///< of those, with a configuration seen before
  uint64_t violations;
  uint64_t refused;   ///< launches not made
  uint64_t pointers;  ///< pointers verified against their allocation
  uint64_t unchecked; ///< checks that could not be made (see README.md)
} gsrt_counters;
GSRT_API void gsrt_get_counters(gsrt_counters *counters);

// ------------------------------------------------------------------ launches ----

/// A launch configuration.
typedef struct gsrt_config {
  size_t struct_size;
  uint32_t grid[3], block[3];
  uint32_t cluster[3];   ///< zeros: no clusters
  uint32_t dynamic_smem; ///< bytes per block
  uint32_t cooperative;  ///< 0 or 1
  void *stream;          ///< CUstream; NULL is the default stream
} gsrt_config;

/// A one-dimensional configuration.
static inline gsrt_config gsrt_config_1d(uint32_t grid, uint32_t block) {
  gsrt_config config = {sizeof config, {grid, 1, 1}, {block, 1, 1}, {0, 0, 0}, 0, 0, NULL};
  return config;
}

// ---------------------------------------------------- validation, no device ----

/// What limits a launch on a device.
typedef struct gsrt_device {
  size_t struct_size;
  char name[64];
  int32_t cc; ///< compute capability times ten
  uint32_t warp_size;
  uint32_t max_threads_per_block, max_block[3], max_grid[3];
  uint32_t smem_per_block;             ///< bytes without opting in
  uint32_t smem_per_block_optin;       ///< bytes at most
  uint32_t smem_per_sm, smem_reserved; ///< bytes; reserved for the system in each block
  uint32_t regs_per_block, regs_per_sm;
  uint32_t threads_per_sm, blocks_per_sm;
  uint32_t sm_count;    ///< 0: unknown, residency of whole grids is then not checked
  uint32_t max_cluster; ///< blocks; 0: no clusters
  uint32_t cooperative; ///< 0 or 1
  uint64_t memory;      ///< bytes of global memory; 0: unknown
} gsrt_device;

/// Limits of a compute capability (90 for sm_90), from 70 to 121.
/// \returns GSRT_ERROR_NOT_FOUND when it is not in the table.
GSRT_API gsrt_status gsrt_device_profile(int cc, gsrt_device *device);
/// The compute capabilities of the table, in ascending order; 0 past the end.
GSRT_API int gsrt_device_profile_at(size_t index);

/// Checks a configuration for a kernel on a device that need not exist: limits and
/// those clauses and counts that the arguments decide. Pointers are not looked at.
/// \param descriptor the kernel's contract (attrs/gs_descriptor.h), aligned to 4
///                   bytes; NULL checks the limits only
/// \param params     address of each argument, as cudaLaunchKernel takes them; NULL
///                   when unknown: clauses that need them are left out
/// \param unchecked  receives how many checks were left out; may be NULL
/// \returns GSRT_OK, or the first violation; the policy is not applied, and violations
///          are reported to a callback only.
GSRT_API gsrt_status gsrt_validate(const void *descriptor, size_t size, const gsrt_device *device,
                                   const gsrt_config *config, const void *const *params,
                                   uint32_t *unchecked);

// ------------------------------------------------------- the driver's interface ----

typedef struct gsrt_module gsrt_module; ///< a loaded device module
typedef struct gsrt_kernel gsrt_kernel; ///< a kernel with its contract, if it has one

/// Loads a module into the current context; without one, the primary context of
/// device 0 is made current.
/// \param image a cubin, a fatbin or NUL-terminated PTX
/// \param out   release with gsrt_module_unload
GSRT_API gsrt_status gsrt_module_load(const void *image, gsrt_module **out);
/// The same from a file.
GSRT_API gsrt_status gsrt_module_load_file(const char *path, gsrt_module **out);
/// Unloads the module; its kernels must not be used any more. NULL is ignored.
GSRT_API void gsrt_module_unload(gsrt_module *module);

/// Finds a kernel by its name in the module (mangled, for C++) and reads its contract
/// from the module, if there is one. The module owns the kernel; the same name gives
/// the same object. \returns GSRT_ERROR_NOT_FOUND when the module has no such kernel.
GSRT_API gsrt_status gsrt_kernel_get(gsrt_module *module, const char *name, gsrt_kernel **out);
/// Wraps a CUfunction that the program got itself. The descriptor is copied; NULL
/// checks limits only. Release with gsrt_kernel_free.
GSRT_API gsrt_status gsrt_kernel_wrap(void *function, const void *descriptor, size_t size,
                                      gsrt_kernel **out);
GSRT_API void gsrt_kernel_free(gsrt_kernel *kernel);
/// Gives a contract to a kernel whose module has none. The descriptor is copied. Not
/// thread-safe: before the kernel's first launch.
/// \returns GSRT_ERROR_ARGUMENT when it has a contract already.
GSRT_API gsrt_status gsrt_kernel_attach(gsrt_kernel *kernel, const void *descriptor, size_t size);
/// \returns 1 when the kernel has a contract.
GSRT_API int gsrt_kernel_has_contract(const gsrt_kernel *kernel);
/// Lets launches use that much dynamic shared memory: sets the attribute that sizes
/// above the default need.
GSRT_API gsrt_status gsrt_kernel_allow_smem(gsrt_kernel *kernel, uint32_t bytes);

/// Checks a launch without making it. The policy applies: GSRT_POLICY_WARN gives GSRT_OK.
/// \param params address of each argument, as cuLaunchKernel takes them
GSRT_API gsrt_status gsrt_launch_check(gsrt_kernel *kernel, const gsrt_config *config,
                                       const void *const *params);
/// Checks a launch and makes it, asynchronously in config->stream.
GSRT_API gsrt_status gsrt_launch(gsrt_kernel *kernel, const gsrt_config *config, void **params);

// --------------------------------------------------------------------- buffers ----

/// Device memory that knows its size and who uses it. A launch borrows its buffers:
/// those behind `const` parameters to read, the others to write. Uses in different
/// streams are ordered by events; memory is freed and written by the host only after
/// the last use. A buffer may be used from several threads, but not while it is freed.
typedef struct gsrt_buffer gsrt_buffer;

/// Allocates `bytes` (more than 0) in the current context (see gsrt_module_load). The
/// contents are undefined. Release with gsrt_buffer_free.
GSRT_API gsrt_status gsrt_buffer_alloc(size_t bytes, gsrt_buffer **out);
/// Allocates and copies from the host.
GSRT_API gsrt_status gsrt_buffer_upload(const void *data, size_t bytes, gsrt_buffer **out);
/// Describes memory that somebody else owns, of the current context's device;
/// gsrt_buffer_free then leaves the memory alone.
GSRT_API gsrt_status gsrt_buffer_wrap(uint64_t address, size_t bytes, gsrt_buffer **out);

/// Copies from the host, after all uses of the buffer have finished; synchronous.
GSRT_API gsrt_status gsrt_buffer_write(gsrt_buffer *buffer, size_t offset, const void *data,
                                       size_t bytes);
/// Copies to the host, after the last write has finished; synchronous.
GSRT_API gsrt_status gsrt_buffer_read(gsrt_buffer *buffer, size_t offset, void *data, size_t bytes);
/// Copies the whole buffer to the host.
GSRT_API gsrt_status gsrt_buffer_download(gsrt_buffer *buffer, void *data);

/// Frees, after all uses have finished. Refused (and the buffer lives on) while a
/// captured graph may use it. NULL is ignored.
GSRT_API gsrt_status gsrt_buffer_free(gsrt_buffer *buffer);
/// Says that no graph that was captured with this buffer will run any more.
GSRT_API void gsrt_buffer_release_graphs(gsrt_buffer *buffer);

/// Device address and bytes of a buffer.
GSRT_API uint64_t gsrt_buffer_address(const gsrt_buffer *buffer);
GSRT_API size_t gsrt_buffer_size(const gsrt_buffer *buffer);

/// What a launch does when a buffer is still in use in another stream.
typedef enum gsrt_stream_policy {
  GSRT_STREAMS_WAIT = 0,  ///< the launch's stream waits for it (default)
  GSRT_STREAMS_REFUSE = 1 ///< GSRT_BUFFER_BUSY
} gsrt_stream_policy;
GSRT_API void gsrt_set_stream_policy(gsrt_stream_policy policy);

/// An argument: a buffer, or the address of a value of the parameter's type.
typedef struct gsrt_arg {
  gsrt_buffer *buffer;
  size_t offset; ///< bytes from the start of the buffer
  const void *value;
} gsrt_arg;
static inline gsrt_arg gsrt_arg_buffer(gsrt_buffer *buffer) {
  gsrt_arg arg = {buffer, 0, NULL};
  return arg;
}
static inline gsrt_arg gsrt_arg_value(const void *value) {
  gsrt_arg arg = {NULL, 0, value};
  return arg;
}

enum { GSRT_MAX_ARGS = 128 };
/// Like gsrt_launch, over buffers. Extents are checked against the buffers' sizes.
/// \param count number of the kernel's parameters, at most GSRT_MAX_ARGS
GSRT_API gsrt_status gsrt_launch_args(gsrt_kernel *kernel, const gsrt_config *config,
                                      const gsrt_arg *args, size_t count);

// ------------------------------------------- the CUDA runtime's interface ----
// For generated code and the hooks in libgpusafe_cuda; programs need none of it.

struct gs_descriptor_entry;

/// Makes kernels known by the address that cudaLaunchKernel gets. A descriptor that
/// is malformed makes every launch of its kernel fail, so that it is not missed; the
/// same kernel may be registered again (templates in several units), and is then known
/// until it is unregistered as often.
/// \returns the first failure; all entries are registered.
GSRT_API gsrt_status gsrt_register(const struct gs_descriptor_entry *begin,
                                   const struct gs_descriptor_entry *end);
/// Forgets kernels whose code is about to be unloaded.
GSRT_API void gsrt_unregister(const struct gs_descriptor_entry *begin,
                              const struct gs_descriptor_entry *end);
/// Makes `handle` (a cudaKernel_t) stand for a kernel that is registered as `stub`.
GSRT_API void gsrt_register_alias(const void *handle, const void *stub);

/// Checks a launch of the kernel that is registered as `stub`; GSRT_OK when there is
/// none, or no driver that could answer: the CUDA runtime will then say so itself.
/// \param get_function cudaGetFuncBySymbol
GSRT_API gsrt_status gsrt_check_stub(const void *stub, const gsrt_config *config,
                                     const void *const *params,
                                     int (*get_function)(void **function, const void *stub));

#ifdef __cplusplus
}
#endif
#endif
