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
