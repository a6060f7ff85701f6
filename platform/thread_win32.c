// SPDX-License-Identifier: MIT
// Threads and waiting on Win32 (Windows 8 and later: WaitOnAddress).
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0A00
#include "platform/handlers.h"
#include "platform/thread_system.h"

#include <process.h>
#include <string.h>
#include <windows.h>

// Looked up at run time, because Windows 10 and later have it but older import libraries do not.
static void set_name(const char* name) {
    typedef HRESULT(WINAPI * set_description)(HANDLE, PCWSTR);
    HMODULE kernel = GetModuleHandleW(L"kernel32.dll");
    FARPROC found = kernel ? GetProcAddress(kernel, "SetThreadDescription") : NULL;
    set_description set = NULL;
    TLW_STATIC_ASSERT(sizeof set == sizeof found, "one kind of code pointer");
    memcpy(&set, &found, sizeof set);
    wchar_t wide[TLW_THREAD_NAME_MAX];
    if (set && MultiByteToWideChar(CP_UTF8, 0, name, -1, wide, TLW_THREAD_NAME_MAX) > 0) {
        set(GetCurrentThread(), wide);
    }
}

static unsigned __stdcall thread_entry(void* argument) {
    tlw_thread* thread = argument;
    if (thread->name[0]) {
        set_name(thread->name);
    }
    if (thread->core_hint != TLW_ANY_CORE) {
        (void)tlw_thread_pin(thread->core_hint);
    }
    thread->main(thread->user);
    return 0;
}

tlw_result tlw_thread_start(tlw_thread* thread, const tlw_thread_def* def) {
    const tlw_result result = tlw_thread_prepare(thread, def);
    if (result != TLW_OK) {
        return result;
    }
    unsigned stack = def->stack_bytes > UINT32_MAX ? UINT32_MAX : (unsigned)def->stack_bytes;
    uintptr_t handle = _beginthreadex(NULL, stack, thread_entry, thread, 0, NULL);
    if (handle == 0) {
        return TLW_ERROR_SYSTEM;
    }
    thread->handle = handle;
    return TLW_OK;
}

void tlw_thread_join(tlw_thread* thread) {
    HANDLE handle = (HANDLE)(uintptr_t)thread->handle;
    DWORD waited = WaitForSingleObject(handle, INFINITE);
    TLW_ASSERT_MESSAGE(waited == WAIT_OBJECT_0, "joining a thread that was not started");
    (void)waited;
    CloseHandle(handle);
}

uint32_t tlw_core_count(void) {
    DWORD_PTR process, system;
    if (GetProcessAffinityMask(GetCurrentProcess(), &process, &system) && process != 0) {
        return (uint32_t)__builtin_popcountll(process);
    }
    return 1;
}

uint32_t tlw_system_core_count(void) {
    const DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return count > 0 ? count : 1;
}

uint32_t tlw_system_running_threads(void) {
    return 0;
}

bool tlw_thread_pin(uint32_t core) {
    return core < 64 && SetThreadAffinityMask(GetCurrentThread(), (DWORD_PTR)1 << core) != 0;
}

// Windows can change a thread's set of cores but not report it, so both are left out.
uint32_t tlw_thread_current_core(void) {
    return TLW_ANY_CORE;
}

bool tlw_thread_get_cores(tlw_core_set* cores) {
    memset(cores, 0, sizeof *cores);
    return false;
}

bool tlw_thread_get_cores_of(uint64_t thread_id, tlw_core_set* cores) {
    (void)thread_id;
    return tlw_thread_get_cores(cores);
}

bool tlw_thread_set_cores(uint64_t thread_id, const tlw_core_set* cores, uint32_t except) {
    (void)thread_id;
    (void)cores;
    (void)except;
    return false;
}

uint64_t tlw_thread_current_id(void) {
    return GetCurrentThreadId();
}

void tlw_thread_yield(void) {
    SwitchToThread();
}

// Milliseconds, rounded up, and never the value that means no limit.
static DWORD milliseconds(uint64_t ns) {
    uint64_t ms = ns / 1000000u + (ns % 1000000u != 0);
    return ms < INFINITE - 1 ? (DWORD)ms : INFINITE - 1;
}

void tlw_thread_sleep_ns(uint64_t ns) {
    Sleep(milliseconds(ns));
}

tlw_result tlw_wait(tlw_atomic_u32* word, uint32_t expected, uint64_t timeout_ns) {
    DWORD limit = timeout_ns == TLW_WAIT_FOREVER ? INFINITE : milliseconds(timeout_ns);
    if (!WaitOnAddress((volatile void*)word, &expected, sizeof expected, limit) &&
        GetLastError() == ERROR_TIMEOUT) {
        return TLW_ERROR_TIMEOUT;
    }
    return TLW_OK;
}

void tlw_wake_one(tlw_atomic_u32* word) {
    WakeByAddressSingle((void*)word);
}

void tlw_wake_all(tlw_atomic_u32* word) {
    WakeByAddressAll((void*)word);
}
