// SPDX-License-Identifier: MIT
// XXH64, the hash of a blob's layout and content (MODEL 9.1), as its author Yann Collet specifies
// it (github.com/Cyan4973/xxHash, doc/xxhash_spec.md). Freestanding; expects a little-endian
// machine.
#include "runtime/blob.h"

#include <string.h>

#define PRIME_1 0x9E3779B185EBCA87u
#define PRIME_2 0xC2B2AE3D27D4EB4Fu
#define PRIME_3 0x165667B19E3779F9u
#define PRIME_4 0x85EBCA77C2B2AE63u
#define PRIME_5 0x27D4EB2F165667C5u

static uint64_t rotate(uint64_t value, int by) {
    return value << by | value >> (64 - by);
}

static uint64_t read_u64(const uint8_t* at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint32_t read_u32(const uint8_t* at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t hash_round(uint64_t lane, uint64_t input) {
    return rotate(lane + input * PRIME_2, 31) * PRIME_1;
}

static uint64_t merge_lane(uint64_t hash, uint64_t lane) {
    return (hash ^ hash_round(0, lane)) * PRIME_1 + PRIME_4;
}

uint64_t tlw_xxh64(const void* bytes, size_t size, uint64_t seed) {
    const uint8_t* at = bytes;
    const uint8_t* end = at + size;
    uint64_t hash;
    if (size >= 32) {
        uint64_t lanes[4] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};
        for (; end - at >= 32; at += 32) {
            for (int i = 0; i < 4; ++i) {
                lanes[i] = hash_round(lanes[i], read_u64(at + i * 8));
            }
        }
        hash =
            rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
        for (int i = 0; i < 4; ++i) {
            hash = merge_lane(hash, lanes[i]);
        }
    } else {
        hash = seed + PRIME_5;
    }
    hash += size;
    for (; end - at >= 8; at += 8) {
        hash = rotate(hash ^ hash_round(0, read_u64(at)), 27) * PRIME_1 + PRIME_4;
    }
    if (end - at >= 4) {
        hash = rotate(hash ^ read_u32(at) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        at += 4;
    }
    for (; at < end; ++at) {
        hash = rotate(hash ^ *at * PRIME_5, 11) * PRIME_1;
    }
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}
