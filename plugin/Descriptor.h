// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The contract of a kernel as the bytes that an object carries (gs_descriptor.h).
#ifndef GPUSAFE_PLUGIN_DESCRIPTOR_H
#define GPUSAFE_PLUGIN_DESCRIPTOR_H

#include "gs.h"

#include "clang/AST/Decl.h"

#include <array>
#include <optional>
#include <string>

namespace gpusafe {

/// What the proof of a kernel says about its launches.
struct ProofSummary {
  uint32_t Assumed = 0;            ///< GS_DESC_ASSUME_…
  uint32_t Verdict = 0xFFFFFFFFu;  ///< gs_verdict; this: not checked
  unsigned Sm = 0;                 ///< lowest target, 90 for sm_90; 0 = unknown
  std::array<uint32_t, 8> Identity = {}; ///< gs_kernel_result.proof; of several targets the sum
};

/// Passes of one compile hand a summary over as one number (CompileSession). Of several
/// targets everything that one of them assumed holds, with the worst verdict.
uint32_t packSummary(const ProofSummary &Summary);
void addSummary(uint32_t Packed, ProofSummary &To);

/// \param Kernel the function that \p Desc describes
/// \returns nothing when the descriptor's format has no room for the kernel.
std::optional<std::string> buildDescriptor(const clang::FunctionDecl &Kernel,
                                           const gs_kernel_desc &Desc,
                                           const ProofSummary &Proof);

} // namespace gpusafe
#endif
