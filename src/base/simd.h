// Marks a hot function to be compiled twice, for AVX2 and for any machine; the loader picks one at start-up.
//
// Such functions use integers only, so both versions give the same result.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define THICKET_SIMD __attribute__((target_clones("avx2", "default")))
#else
#define THICKET_SIMD
#endif

// The body that the versions share; must be inlined to be compiled for each of them.
#define THICKET_INLINE inline __attribute__((always_inline))
