// SPDX-License-Identifier: MIT
// What threads of all systems have in common: their def and its check. Starting them is in
// thread_posix.c and thread_win32.c.
#include "platform/thread.h"

#include "platform/handlers.h"
#include "platform/thread_system.h"

#include <string.h>

#define THREAD_COOKIE 0x54485244u

tlw_thread_def tlw_default_thread_def(void) {
    return (tlw_thread_def){.core_hint = TLW_ANY_CORE, .cookie = THREAD_COOKIE};
}

tlw_result tlw_thread_prepare(tlw_thread* thread, const tlw_thread_def* def) {
    TLW_ASSERT(thread != NULL && def != NULL);
    if (def->cookie != THREAD_COOKIE || def->main == NULL) {
        return TLW_ERROR_BAD_DEF;
    }
    *thread = (tlw_thread){.main = def->main, .user = def->user, .core_hint = def->core_hint};
    if (def->name) {
        strncpy(thread->name, def->name, TLW_THREAD_NAME_MAX - 1);
    }
    return TLW_OK;
}
