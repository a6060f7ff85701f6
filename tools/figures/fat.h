// SPDX-License-Identifier: MIT
// The table of what fat costs (fat.c), as Markdown, to stdout.
#ifndef TLW_TOOLS_FIGURES_FAT_H
#define TLW_TOOLS_FIGURES_FAT_H

#include "tools/figures/figures.h"

tlw_exit_code tlw_figures_print_fat(tlw_figures* figures);

#endif
