// SPDX-License-Identifier: MIT
// The memory of one asset: two lists of blocks, and a count of bytes against a limit.
#include "tools/asset/memory.h"
#include "platform/checked.h"

#include <stdlib.h>
#include <string.h>

struct tlw_asset_block {
    tlw_asset_block* next;
    uint64_t bytes; // with this header
};

TLW_STATIC_ASSERT(sizeof(tlw_asset_block) % 16 == 0,
                  "memory after the header has malloc's alignment");

void* tlw_asset_allocate(tlw_asset_memory* memory, tlw_asset_lifetime lifetime, uint64_t count,
                         size_t element_bytes) {
    uint64_t bytes;
    size_t size;
    if (!tlw_mul_u64(count, element_bytes, &bytes) ||
        !tlw_add_u64(bytes, sizeof(tlw_asset_block), &bytes) || !tlw_size_from_u64(bytes, &size) ||
        !tlw_asset_charge(memory, bytes)) {
        return NULL;
    }
    tlw_asset_block* block = calloc(1, size);
    if (!block) {
        tlw_asset_discharge(memory, bytes);
        return NULL;
    }
    tlw_asset_block** list = lifetime == TLW_KEPT ? &memory->kept : &memory->scratch;
    block->bytes = bytes;
    block->next = *list;
    *list = block;
    return block + 1;
}

bool tlw_asset_charge(tlw_asset_memory* memory, uint64_t bytes) {
    if (bytes > tlw_asset_memory_left(memory)) {
        return false;
    }
    memory->used_bytes += bytes;
    if (memory->used_bytes > memory->most_bytes) {
        memory->most_bytes = memory->used_bytes;
    }
    return true;
}

void tlw_asset_discharge(tlw_asset_memory* memory, uint64_t bytes) {
    memory->used_bytes -= bytes;
}

uint64_t tlw_asset_memory_left(const tlw_asset_memory* memory) {
    return memory->limit_bytes - memory->used_bytes;
}

char* tlw_asset_copy_string(tlw_asset_memory* memory, const char* text) {
    size_t bytes = strlen(text) + 1;
    char* copy = tlw_asset_allocate(memory, TLW_KEPT, bytes, 1);
    if (copy) {
        memcpy(copy, text, bytes);
    }
    return copy;
}

static void free_list(tlw_asset_memory* memory, tlw_asset_block** list) {
    while (*list) {
        tlw_asset_block* block = *list;
        *list = block->next;
        memory->used_bytes -= block->bytes;
        free(block);
    }
}

void tlw_asset_free_scratch(tlw_asset_memory* memory) {
    free_list(memory, &memory->scratch);
}

void tlw_asset_free_all(tlw_asset_memory* memory) {
    free_list(memory, &memory->scratch);
    free_list(memory, &memory->kept);
}

// The length of the UTF-8 sequence at `at`, or 0. The table of RFC 3629: neither overlong forms nor
// surrogates.
static size_t sequence_length(const unsigned char* at) {
    static const struct {
        unsigned char first, last, second_from, second_to, length;
    } rows[] = {
        {0x01, 0x7F, 0x00, 0xFF, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (size_t i = 0; i < TLW_COUNT_OF(rows); ++i) {
        if (at[0] < rows[i].first || at[0] > rows[i].last) {
            continue;
        }
        size_t good = 1;
        if (rows[i].length > 1 && at[1] >= rows[i].second_from && at[1] <= rows[i].second_to) {
            good = 2;
            while (good < rows[i].length && at[good] >= 0x80 && at[good] <= 0xBF) {
                ++good;
            }
        }
        return good == rows[i].length ? good : 0;
    }
    return 0;
}

void tlw_asset_make_utf8(char* text) {
    for (size_t i = 0; text[i];) {
        const size_t length = sequence_length((const unsigned char*)text + i);
        text[i] = length > 0 ? text[i] : '?';
        i += length > 0 ? length : 1;
    }
}
