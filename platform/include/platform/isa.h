// SPDX-License-Identifier: MIT
// Instruction sets: which exist, which this CPU supports, and how a kernel file gives its symbols
// the suffix of the set that it is compiled for.
#ifndef TLW_PLATFORM_ISA_H
#define TLW_PLATFORM_ISA_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// enumerator, name, in order of preference (the last supported one is the best)
#define TLW_ISA_TABLE(X)      \
    X(TLW_ISA_SCALAR, scalar) \
    X(TLW_ISA_SSE2, sse2)     \
    X(TLW_ISA_AVX2, avx2)     \
    X(TLW_ISA_NEON, neon)

typedef enum tlw_isa {
#define TLW_ISA_ENUM(enumerator, name) enumerator,
    TLW_ISA_TABLE(TLW_ISA_ENUM)
#undef TLW_ISA_ENUM
        TLW_ISA_COUNT
} tlw_isa;

const char* tlw_isa_name(tlw_isa isa);
// False for an unknown name.
bool tlw_isa_from_name(const char* name, tlw_isa* out);

// Like TLW_ISA_TABLE, but only the sets for which this build has kernels.
#define TLW_KERNEL_TABLE(X)   \
    TLW_IF_KERNELS_SCALAR_(X) \
    TLW_IF_KERNELS_SSE2_(X) TLW_IF_KERNELS_AVX2_(X) TLW_IF_KERNELS_NEON_(X)

#if defined(TLW_HAVE_KERNELS_SCALAR)
#    define TLW_IF_KERNELS_SCALAR_(X) X(TLW_ISA_SCALAR, scalar)
#else
#    define TLW_IF_KERNELS_SCALAR_(X)
#endif
#if defined(TLW_HAVE_KERNELS_SSE2)
#    define TLW_IF_KERNELS_SSE2_(X) X(TLW_ISA_SSE2, sse2)
#else
#    define TLW_IF_KERNELS_SSE2_(X)
#endif
#if defined(TLW_HAVE_KERNELS_AVX2)
#    define TLW_IF_KERNELS_AVX2_(X) X(TLW_ISA_AVX2, avx2)
#else
#    define TLW_IF_KERNELS_AVX2_(X)
#endif
#if defined(TLW_HAVE_KERNELS_NEON)
#    define TLW_IF_KERNELS_NEON_(X) X(TLW_ISA_NEON, neon)
#else
#    define TLW_IF_KERNELS_NEON_(X)
#endif

// Whether this CPU and its operating system support it. Asks the CPU each time, so keep the answer.
bool tlw_isa_is_supported(tlw_isa isa);
// Whether this build has kernels for it.
bool tlw_isa_is_built(tlw_isa isa);
// The best set that is both supported and built; TLW_ISA_COUNT if there is none, which means that
// the build is for another CPU.
tlw_isa tlw_isa_best(void);

// In a file that tallow_kernels() compiles: void TLW_KERNEL(tlw_pass_predict)(...) becomes
// tlw_pass_predict_avx2 and so on. TLW_ISA_OF_KERNEL is the enumerator of that set.
#if defined(TLW_SIMD_SCALAR)
#    define TLW_ISA_SUFFIX    _scalar
#    define TLW_ISA_OF_KERNEL TLW_ISA_SCALAR
#elif defined(TLW_SIMD_SSE2)
#    define TLW_ISA_SUFFIX    _sse2
#    define TLW_ISA_OF_KERNEL TLW_ISA_SSE2
#elif defined(TLW_SIMD_AVX2)
#    define TLW_ISA_SUFFIX    _avx2
#    define TLW_ISA_OF_KERNEL TLW_ISA_AVX2
#elif defined(TLW_SIMD_NEON)
#    define TLW_ISA_SUFFIX    _neon
#    define TLW_ISA_OF_KERNEL TLW_ISA_NEON
#elif defined(TLW_SIMD_COUNT)
#    define TLW_ISA_SUFFIX    _count
#    define TLW_ISA_OF_KERNEL TLW_ISA_SCALAR
#endif
#define TLW_KERNEL(name) TLW_CONCAT(name, TLW_ISA_SUFFIX)

TLW_EXTERN_C_END

#endif
