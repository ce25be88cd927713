// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// gpusafe's annotations, for CUDA, C++ and C.
///
///     GS_LAUNCH_CONTRACT(block.x == 256, grid.x * block.x >= n, n >= 0)
///     __global__ void vector_add(const float *a GS_EXTENT(n),
///                                const float *b GS_EXTENT(n),
///                                float *c GS_DISJOINT(n), int n);
///
/// The arguments are expanded by the preprocessor and then handed over as text,
/// so a macro such as BLOCK may stand in them. A compiler that has no gpusafe
/// plugin (nvcc, gcc, a plain clang) sees nothing: one source builds everywhere.
/// attrs/README.md describes each annotation and the language of the clauses.
#ifndef GPUSAFE_H
#define GPUSAFE_H

#define GS_TEXT_(...) #__VA_ARGS__
/// The arguments after macro expansion, as one string literal.
#define GS_TEXT(...) GS_TEXT_(__VA_ARGS__)

#if defined(__has_attribute)
#if __has_attribute(gpusafe_disjoint)
#define GS_ATTRIBUTE_(...) __attribute__((__VA_ARGS__))
#define GPUSAFE_ACTIVE 1
#endif
#endif
#ifndef GPUSAFE_ACTIVE
#define GS_ATTRIBUTE_(...)
/// 0: the annotations are not seen. The plugin refuses a precompiled header or module
/// that was made without it, since what is annotated there would be lost in silence.
#define GPUSAFE_ACTIVE 0
#endif

/// On a pointer parameter: a byte of p[0..count) that is written during a
/// launch is accessed by one thread only. GS_DISJOINT() gives no count.
#define GS_DISJOINT(...) GS_ATTRIBUTE_(gpusafe_disjoint(GS_TEXT(__VA_ARGS__)))

/// On a pointer parameter: p[0..count) overlaps no other argument, and a byte
/// written by one block (GS_EXCLUSIVE(count, scope=warp|block|cluster|grid)) is
/// not accessed by another.
#define GS_EXCLUSIVE(...) GS_ATTRIBUTE_(gpusafe_exclusive(GS_TEXT(__VA_ARGS__)))

/// On a pointer parameter: every access through it lies in p[0..count).
#define GS_EXTENT(...) GS_ATTRIBUTE_(gpusafe_extent(GS_TEXT(__VA_ARGS__)))

/// On a kernel: what holds of every launch; clauses separated by commas.
#define GS_LAUNCH_CONTRACT(...) GS_ATTRIBUTE_(gpusafe_launch_contract(GS_TEXT(__VA_ARGS__)))

/// On a parameter, a kernel or a statement: the programmer vouches for `rule`
/// there, for `reason` (a string literal).
#define GS_TRUSTED(rule, reason) GS_ATTRIBUTE_(gpusafe_trusted(GS_TEXT(rule), reason))

#endif
