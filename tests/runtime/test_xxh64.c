// SPDX-License-Identifier: MIT
// tlw_xxh64 against libxxhash where it is installed, and against hashes that libxxhash computed.
#include "runtime/blob.h"
#include "tests/test.h"

#include <stdlib.h>
#if TLW_HAVE_XXHASH
#    include <xxhash.h>
#endif

// Bytes of a splitmix64 sequence: not all zero, and not periodic in 32 bytes, a round of the hash.
static uint8_t* make_bytes(size_t size) {
    uint8_t* bytes = malloc(size);
    uint64_t state = 1;
    CHECK(bytes != NULL);
    for (size_t i = 0; i < size; ++i) {
        bytes[i] = (uint8_t)(tlw_test_random(&state) >> 56);
    }
    return bytes;
}

static const struct {
    size_t size;
    uint64_t seed, hash;
} vectors[] = {
#include "tests/runtime/xxh64_vectors.inl"
};

TLW_TEST(xxh64_gives_the_numbers_of_the_reference) {
    uint8_t* bytes = make_bytes(100000);
    for (size_t i = 0; i < TLW_COUNT_OF(vectors); ++i) {
        CHECK_EQ(tlw_xxh64(bytes, vectors[i].size, vectors[i].seed), vectors[i].hash);
    }
    free(bytes);
}

TLW_TEST(xxh64_is_that_of_libxxhash_for_all_sizes_seeds_and_starts) {
#if TLW_HAVE_XXHASH
    static const uint64_t seeds[] = {0, 1, 0x9E3779B185EBCA87u, UINT64_MAX};
    static const size_t large[] = {1000, 4095, 4096, 65537, 1000003};
    uint8_t* bytes = make_bytes(1000003 + 16);
    for (size_t s = 0; s < TLW_COUNT_OF(seeds); ++s) {
        for (size_t start = 0; start < 9; ++start) {
            for (size_t size = 0; size <= 300; ++size) {
                CHECK_EQ(tlw_xxh64(bytes + start, size, seeds[s]),
                         (uint64_t)XXH64(bytes + start, size, seeds[s]));
            }
            for (size_t i = 0; i < TLW_COUNT_OF(large); ++i) {
                CHECK_EQ(tlw_xxh64(bytes + start, large[i], seeds[s]),
                         (uint64_t)XXH64(bytes + start, large[i], seeds[s]));
            }
        }
    }
    free(bytes);
#else
    tlw_test_skip(__FILE__, __LINE__, "libxxhash is not installed");
#endif
}
