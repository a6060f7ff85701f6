// SPDX-License-Identifier: MIT
// The implementation of stb_ds, alone in its file: where another archive brings one too, the linker
// takes the first and has no reason to look at the second.
#define STB_DS_IMPLEMENTATION
#include <stb/stb_ds.h>
