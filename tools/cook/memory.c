// SPDX-License-Identifier: MIT
// The cook's memory as one chain (RULES 12): every block is counted against the recipe's limit and
// linked into cook->allocations, so that the end of a cook, good or bad, frees whatever is left.
#include "platform/checked.h"
#include "platform/handlers.h"
#include "tools/cook/stages.h"

#include <stdlib.h>

// In front of every block. Not counted against the limit.
typedef struct tlw_cook_allocation {
    struct tlw_cook_allocation* next; // newest first
    uint64_t bytes;                   // without this header
} tlw_cook_allocation;
TLW_STATIC_ASSERT(sizeof(tlw_cook_allocation) == 16, "blocks stay aligned as the heap aligns them");

void* tlw_cook_allocate(tlw_cook* cook, uint64_t count, size_t element_bytes) {
    uint64_t bytes, all, with_header;
    size_t size;
    count = count > 0 ? count : 1;
    if (!tlw_mul_u64(count, element_bytes, &bytes) ||
        !tlw_add_u64(bytes, cook->memory_bytes, &all) || all > cook->recipe->max_memory_bytes ||
        !tlw_add_u64(bytes, sizeof(tlw_cook_allocation), &with_header) ||
        !tlw_size_from_u64(with_header, &size)) {
        tlw_cook_blame(cook, "limits.memory_mb");
        tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                      "%llu more elements of %zu bytes pass the limit of %llu bytes",
                      (unsigned long long)count, element_bytes,
                      (unsigned long long)cook->recipe->max_memory_bytes);
        return NULL;
    }
    tlw_cook_allocation* block = calloc(1, size);
    if (block == NULL) {
        tlw_cook_fail(cook, TLW_ERROR_OUT_OF_MEMORY, "the system refuses %zu bytes", size);
        return NULL;
    }
    *block = (tlw_cook_allocation){cook->allocations, bytes};
    cook->allocations = block;
    cook->memory_bytes = all;
    cook->peak_memory_bytes = all > cook->peak_memory_bytes ? all : cook->peak_memory_bytes;
    return block + 1;
}

// The search is short: there are never more than a few dozen blocks, and the newest go first.
void tlw_cook_free(tlw_cook* cook, void* memory) {
    if (memory == NULL) {
        return;
    }
    tlw_cook_allocation* block = (tlw_cook_allocation*)memory - 1;
    tlw_cook_allocation** at = &cook->allocations;
    while (*at != NULL && *at != block) {
        at = &(*at)->next;
    }
    TLW_ASSERT(*at == block);
    *at = block->next;
    cook->memory_bytes -= block->bytes;
    free(block);
}

void tlw_cook_free_stages(tlw_cook* cook) {
    while (cook->allocations != NULL) {
        tlw_cook_free(cook, cook->allocations + 1);
    }
    tlw_cook_free_blob(cook->blob);
    cook->blob = NULL;
}
