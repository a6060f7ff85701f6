// SPDX-License-Identifier: MIT
// The implementation of stb_image_write, alone in its file, as system header: its warnings are not
// ours.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
