// SPDX-License-Identifier: MIT
// The rod, the smallest character: a strip of four vertices on two joints with one clip, as JSON
// text and bytes that a test edits before it loads them. Also makes GLB files. Used by tests and
// fuzzers.
#ifndef TLW_TESTS_ASSET_ROD_H
#define TLW_TESTS_ASSET_ROD_H

#include "tools/asset/asset.h"

// Offsets in the bytes.
enum {
    TLW_ROD_POSITIONS = 0,   // 4 of 3 floats: (-1,0,0) (1,0,0) (1,3,0) (-1,3,0)
    TLW_ROD_JOINTS = 48,     // 4 of 4 bytes: hip 0, knee 1
    TLW_ROD_WEIGHTS = 64,    // 4 of 4 floats: hip, hip, knee, 1/4 hip + 3/4 knee
    TLW_ROD_INDICES = 128,   // 6 shorts: 0 1 2, 0 2 3
    TLW_ROD_BINDS = 140,     // 2 of 16 floats
    TLW_ROD_TIMES = 268,     // 2 floats: 0, 1
    TLW_ROD_ROTATIONS = 276, // 2 of 4 floats: identity, 90 degrees about z
    TLW_ROD_SPARE = 308,     // bufferViews 7 (4 bytes) and 8 (48): nothing reads them
    TLW_ROD_BYTES = 360
};

// Nodes: 0 body (mesh 0, skin 0), 1 hip at (0,1,0), 2 knee at (0,2,0). The bind pose is the rest
// pose.
typedef struct tlw_rod {
    char* json;
    uint8_t bin[TLW_ROD_BYTES];
} tlw_rod;

tlw_rod tlw_rod_make(void);
void tlw_rod_free(tlw_rod* rod);
// Replaces the first `from` in the JSON and aborts if there is none. ' stands for ".
void tlw_rod_edit(tlw_rod* rod, const char* from, const char* to);
void tlw_rod_float(tlw_rod* rod, size_t byte, float value);
tlw_asset_code tlw_rod_load(const tlw_rod* rod, tlw_asset** asset, tlw_asset_error* error);

// The caller frees it. Without a BIN chunk if `bin` is null.
uint8_t* tlw_make_glb(const char* json, const void* bin, size_t bin_size, size_t* size);
// The rod's JSON with its bytes as a data URI; the caller frees it.
char* tlw_rod_as_text(const tlw_rod* rod);

#endif
