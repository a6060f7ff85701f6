// SPDX-License-Identifier: MIT
// Private to tools/asset: the memory of one asset. Blocks are counted against a limit before they
// are allocated, and freed together.
#ifndef TLW_TOOLS_ASSET_MEMORY_H
#define TLW_TOOLS_ASSET_MEMORY_H

#include "platform/base.h"

typedef struct tlw_asset_block tlw_asset_block;

typedef struct tlw_asset_memory {
    tlw_asset_block* kept;
    tlw_asset_block* scratch; // freed when loading ends
    uint64_t used_bytes;
    uint64_t most_bytes;
    uint64_t limit_bytes;
} tlw_asset_memory;

typedef enum tlw_asset_lifetime { TLW_KEPT, TLW_SCRATCH } tlw_asset_lifetime;

// Zeroed. Null beyond the limit, or if the system has no memory. 0 elements give a valid address.
void* tlw_asset_allocate(tlw_asset_memory* memory, tlw_asset_lifetime lifetime, uint64_t count,
                         size_t element_bytes);
// Counts bytes that were allocated elsewhere, or subtracts them again. False beyond the limit.
bool tlw_asset_charge(tlw_asset_memory* memory, uint64_t bytes);
void tlw_asset_discharge(tlw_asset_memory* memory, uint64_t bytes);
uint64_t tlw_asset_memory_left(const tlw_asset_memory* memory);
// Null beyond the limit.
char* tlw_asset_copy_string(tlw_asset_memory* memory, const char* text);
// Replaces every byte that is not UTF-8 by '?'. FBX files have names in the code page of whoever
// made them, and reports, which are JSON, cannot.
void tlw_asset_make_utf8(char* text);
void tlw_asset_free_scratch(tlw_asset_memory* memory);
void tlw_asset_free_all(tlw_asset_memory* memory);

#endif
