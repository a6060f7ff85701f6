// SPDX-License-Identifier: MIT
// Reads the sections BENDS to FIELD of a blob, window by window.
#include "tests/runtime/oracle/blob_bends.h"

#include "runtime/blob.h"
#include "tests/test.h"

#include <stdlib.h>

static void read_voxel(const tlw_blob_lattice* lattice, const tlw_blob_contents* c, uint32_t slot,
                       uint32_t voxel, voxel_arrays* arrays) {
    const tlw_blob_bend_window* windows = c->first[TLW_SECTION_BEND_WINDOWS];
    const uint16_t* entries = c->first[TLW_SECTION_BEND_ENTRY];
    const float* shares = c->first[TLW_SECTION_BEND_SHARE];
    const float* field = c->first[TLW_SECTION_FIELD];
    const uint32_t window = slot / TLW_BLOB_LANES, lane = slot % TLW_BLOB_LANES;
    uint32_t count = 0;
    for (uint32_t e = windows[window].first_entry; e < windows[window + 1].first_entry; ++e) {
        const double share = (double)shares[(size_t)e * TLW_BLOB_LANES + lane];
        if (share != 0) {
            CHECK_LT(count, (uint32_t)ORACLE_BEND_SHARES);
            arrays->bend[voxel][count] = entries[e];
            arrays->bend_share[voxel][count++] = share;
        }
    }
    for (uint32_t a = 0; a < 3; ++a) { // lane, row and plane lie along these model axes
        const size_t at = ((size_t)window * 3 + a) * TLW_BLOB_LANES + lane;
        arrays->field[voxel][(lattice->lane_axis + a) % 3] = (double)field[at];
    }
}

oracle_bend* blob_bends_read(const void* blob, const uint32_t* oracle_voxel, voxel_arrays* arrays,
                             oracle_input* input) {
    tlw_blob_contents c;
    tlw_blob_find_all(blob, &c);
    const tlw_blob_lattice* lattice = c.first[TLW_SECTION_LATTICE];
    const tlw_blob_bend* list = c.first[TLW_SECTION_BENDS];
    const uint32_t* voxel_slot = c.first[TLW_SECTION_VOXEL_SLOT];
    input->skinning =
        lattice->skinning == TLW_SKINNING_DUAL ? ORACLE_SKINNING_DUAL : ORACLE_SKINNING_LINEAR;
    input->bend_count = (uint32_t)c.count[TLW_SECTION_BENDS];
    if (input->bend_count == 0) {
        return NULL;
    }
    oracle_bend* bends = calloc(input->bend_count, sizeof *bends);
    CHECK(bends != NULL);
    for (uint32_t k = 0; k < input->bend_count; ++k) {
        bends[k] = (oracle_bend){.rest_volume = (double)list[k].rest_volume,
                                 .rest_slope = (double)list[k].rest_slope,
                                 .reach = (double)list[k].reach};
    }
    for (uint32_t i = 0; i < lattice->voxel_count; ++i) {
        read_voxel(lattice, &c, voxel_slot[i], oracle_voxel[i], arrays);
    }
    input->bends = bends;
    return bends;
}
