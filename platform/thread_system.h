// SPDX-License-Identifier: MIT
// Private to platform: the part of starting a thread that is the same on every system, for
// thread_posix.c and thread_win32.c.
#ifndef TLW_PLATFORM_THREAD_SYSTEM_H
#define TLW_PLATFORM_THREAD_SYSTEM_H

#include "platform/thread.h"

// Checks `def` and fills *thread from it, all but the handle. Returns TLW_OK or TLW_ERROR_BAD_DEF.
tlw_result tlw_thread_prepare(tlw_thread* thread, const tlw_thread_def* def);

#endif
