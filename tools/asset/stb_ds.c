// SPDX-License-Identifier: MIT
// The implementation of stb_ds, alone in its file. If another archive has one too, the linker takes
// the first and never opens the second.
#define STB_DS_IMPLEMENTATION
#include <stb/stb_ds.h>
