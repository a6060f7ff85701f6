// SPDX-License-Identifier: MIT
// Writes the recipe with the values that were changed.
#include "tools/view/panels.h"

#include <stdio.h>

void tlw_view_save_recipe(tlw_view_panels* panels, tlw_view_app* app) {
    (void)app;
    snprintf(panels->saved, sizeof panels->saved, "saving is not built yet");
}
