// SPDX-License-Identifier: MIT
// tallow-view: shows a character in motion, in a window or as pictures.
#include "tools/view/app.h"

int main(int argc, char** argv) {
    static tlw_view_options options;
    static tlw_view_app app;
    tlw_exit_code code;
    if (!tlw_view_parse(argc, argv, &options, &code)) {
        return code;
    }
    code = tlw_view_open(&app, &options);
    if (code == TLW_EXIT_OK) {
        code = options.png ? tlw_view_run_windowless(&app) : tlw_view_run_window(&app);
    }
    tlw_view_close(&app);
    return code;
}
