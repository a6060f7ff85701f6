// SPDX-License-Identifier: MIT
// The stop test: a copy of the character moves at a constant speed until nothing lags, stops dead,
// and its tissue rings. Measures how fast and how long, for each layer of each part, on a thread of
// its own while the window goes on.
#ifndef TLW_TOOLS_VIEW_STOP_H
#define TLW_TOOLS_VIEW_STOP_H

#include "tools/view/values.h"

// Element part * layer_count + layer, and the same without a layer in element 0 of a part: all its
// soft layers together. hertz 0: it does not ring, or there are no voxels.
typedef struct tlw_view_stop_numbers {
    uint32_t part_count, layer_count;
    tlw_motion_place_numbers* rows;
} tlw_view_stop_numbers;

typedef struct tlw_view_stop tlw_view_stop;

// Null: out of memory.
tlw_view_stop* tlw_view_stop_create(void);
// Waits for a test that runs.
void tlw_view_stop_free(tlw_view_stop* stop);
// Begins a test of a model with values, both of which are shared or copied. Nothing while one runs.
void tlw_view_stop_begin(tlw_view_stop* stop, tlw_view_model* model, const tlw_view_values* values);
bool tlw_view_stop_runs(const tlw_view_stop* stop);
// Call it once per frame. Numbers of the last test that ended, or null.
const tlw_view_stop_numbers* tlw_view_stop_poll(tlw_view_stop* stop);
// Whether these are the values with which the last numbers were measured.
bool tlw_view_stop_is_of(const tlw_view_stop* stop, const tlw_view_model* model,
                         const tlw_view_values* values);
// Forgets the numbers, as for another model.
void tlw_view_stop_forget(tlw_view_stop* stop);

#endif
