// SPDX-License-Identifier: MIT
// The left panel: values of the chosen character, presets, undo, the stop test, saving.
#ifndef TLW_TOOLS_VIEW_PANEL_TISSUE_H
#define TLW_TOOLS_VIEW_PANEL_TISSUE_H

#include "tools/view/panels.h"

void tlw_view_show_tissue(tlw_view_panels* panels, tlw_view_app* app, tlw_ui* ui);

#endif
