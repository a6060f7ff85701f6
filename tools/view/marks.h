// SPDX-License-Identifier: MIT
// Lines, dots and words over the picture of a character: title, legend, skeleton, action lines, the
// pull of the mouse, the links of a picked voxel.
#ifndef TLW_TOOLS_VIEW_MARKS_H
#define TLW_TOOLS_VIEW_MARKS_H

#include "tools/view/app.h"
#include "tools/view/overlay.h"
#include "tools/view/picture.h"

// Adds the marks of a pane to an overlay that is measured in pixels of the picture.
void tlw_view_mark(const tlw_view_app* app, const tlw_view_pane* pane, float scale,
                   tlw_overlay* overlay);

#endif
