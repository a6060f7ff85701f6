// SPDX-License-Identifier: MIT
// The demo's first part: a sample character, cooked in memory, dances for ten seconds and stops
// dead once.
#ifndef TLW_TOOLS_DEMO_DANCE_H
#define TLW_TOOLS_DEMO_DANCE_H

// Prints what every pass took of the budget and leaves dance.png in `folder`. An exit code.
int tlw_demo_dance(const char* folder);

#endif
