// SPDX-License-Identifier: MIT
// The implementation of stb_image_write, alone in its file. It is included as a system header, so
// that its warnings do not stop the build.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
