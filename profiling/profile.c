// SPDX-License-Identifier: MIT
#include "profiling/profile.h"
typedef int tlw_profile_placeholder;
