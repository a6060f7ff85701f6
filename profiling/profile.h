// SPDX-License-Identifier: MIT
#ifndef TLW_PROFILING_PROFILE_H
#define TLW_PROFILING_PROFILE_H
#include "platform/base.h"
#endif
