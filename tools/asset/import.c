// SPDX-License-Identifier: MIT
// Reads a file in a child process. Damaged files can make Assimp loop, crash or take any amount of
// memory; a child can be killed, and what it took is free again. The child sends a head and then
// the asset (wire.h) through a pipe. Assimp starts no threads, so a copy of a process with threads
// can run it.
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "tools/asset/import.h"
#include "platform/clock.h"
#include "tools/asset/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if TLW_OS_WINDOWS

bool tlw_import(tlw_gltf* g, const char* path, tlw_import_reader* reader) {
    tlw_gltf_note(g, NULL,
                  "read without limits of time and memory, which need a process of its own");
    return reader(g, path);
}

#else

#    include <errno.h>
#    include <fcntl.h>
#    include <poll.h>
#    include <signal.h>
#    include <sys/resource.h>
#    include <sys/wait.h>
#    include <unistd.h>
#    if TLW_OS_LINUX
#        include <sys/prctl.h>
#    endif

#    define POLL_MILLISECONDS 10

// Sent first.
typedef struct tlw_import_head {
    uint64_t bytes; // of the asset that follows; 0 after an error
    tlw_asset_error error;
} tlw_import_head;

// The child
// ------------------------------------------------------------------------------------------------

static bool send_bytes(int to, const void* bytes, uint64_t size) {
    const uint8_t* at = bytes;
    while (size > 0) {
        const size_t piece = size < (1u << 20) ? (size_t)size : 1u << 20;
        const ssize_t sent = write(to, at, piece);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        at += sent > 0 ? sent : 0;
        size -= sent > 0 ? (uint64_t)sent : 0;
    }
    return true;
}

// What the parent does when it ends early, and what it has set up to do about crashes, is not to
// happen in the child: it dies with the parent, and of a crash, without leaving a core file.
static void prepare_child(const tlw_gltf* g, pid_t parent) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPIPE, SIGXCPU};
    for (size_t i = 0; i < TLW_COUNT_OF(fatal); ++i) {
        signal(fatal[i], SIG_DFL);
    }
    const struct rlimit no_core = {0, 0};
    const rlim_t seconds = (rlim_t)g->limits.import_seconds + 1; // for a parent that is stopped
    const struct rlimit cpu = {seconds, seconds};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)setrlimit(RLIMIT_CPU, &cpu);
#    if TLW_OS_LINUX
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#    endif
    if (getppid() != parent) {
        _exit(EXIT_FAILURE);
    }
}

static void run_child(tlw_gltf* g, const char* path, tlw_import_reader* reader, int to) {
    tlw_import_head head = {0};
    uint8_t* bytes = NULL;
    if (reader(g, path)) {
        head.bytes = tlw_wire_bytes(g->asset);
        bytes = malloc((size_t)head.bytes);
        if (bytes) {
            tlw_wire_write(g->asset, bytes);
        } else {
            tlw_gltf_no_memory(g, NULL, head.bytes, 1);
        }
    }
    head.error = *g->error;
    head.bytes = bytes && head.error.code == TLW_ASSET_OK ? head.bytes : 0;
    const bool is_sent = send_bytes(to, &head, sizeof head) && send_bytes(to, bytes, head.bytes);
    // Neither flushes what the parent has not yet printed nor runs what it does at its end.
    _exit(is_sent ? EXIT_SUCCESS : EXIT_FAILURE);
}

// The parent
// ------------------------------------------------------------------------------------------------

// What is resident, 0 where the system does not tell.
static uint64_t memory_of(pid_t process) {
    uint64_t pages = 0;
#    if TLW_OS_LINUX
    char path[64], text[128] = "";
    unsigned long long all, resident;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        const ssize_t got = read(file, text, sizeof text - 1);
        close(file);
        pages = got > 0 && sscanf(text, "%llu %llu", &all, &resident) == 2 ? resident : 0;
    }
#    else
    (void)process;
#    endif
    const long page = sysconf(_SC_PAGESIZE);
    return page > 0 ? pages * (uint64_t)page : 0;
}

typedef enum tlw_import_end {
    TLW_IMPORT_SENT, // everything has arrived
    TLW_IMPORT_DIED,
    TLW_IMPORT_TOO_LONG,
    TLW_IMPORT_TOO_LARGE,
    TLW_IMPORT_NO_ROOM, // what it sends exceeds limits.memory_bytes
} tlw_import_end;

typedef struct tlw_import_state {
    tlw_gltf* g;
    pid_t child;
    int from;
    uint64_t start_ns;
    uint64_t shared_bytes; // memory that the child had from the start
    tlw_import_head head;
    uint8_t* bytes;
    uint64_t got; // of head and bytes together
} tlw_import_state;

static bool has_ended(const tlw_import_state* s) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)s->child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == s->child;
}

// Takes what the pipe has. False if it has nothing more at the moment.
static bool receive(tlw_import_state* s) {
    const uint64_t head_bytes = sizeof s->head;
    const bool is_head = s->got < head_bytes;
    uint8_t* to = is_head ? (uint8_t*)&s->head + s->got : s->bytes + (s->got - head_bytes);
    const uint64_t room = is_head ? head_bytes - s->got : head_bytes + s->head.bytes - s->got;
    const ssize_t got = read(s->from, to, room < (1u << 20) ? (size_t)room : 1u << 20);
    s->got += got > 0 ? (uint64_t)got : 0;
    return got > 0;
}

static tlw_import_end wait_for_child(tlw_import_state* s) {
    const tlw_asset_limits* limits = &s->g->limits;
    for (;;) {
        struct pollfd pipe = {.fd = s->from, .events = POLLIN};
        (void)poll(&pipe, 1, POLL_MILLISECONDS);
        // Asked before the pipe is emptied: what a child sent before it ended is then seen. Another
        // process may hold the pipe open, so that its end says nothing.
        const bool is_over = has_ended(s);
        while (s->got < sizeof s->head || s->got < sizeof s->head + s->head.bytes) {
            if (!receive(s)) {
                break;
            }
            if (s->got == sizeof s->head && s->head.bytes > 0 && !s->bytes) {
                s->bytes = tlw_gltf_allocate(s->g, NULL, TLW_KEPT, s->head.bytes, 1);
                if (!s->bytes) {
                    return TLW_IMPORT_NO_ROOM;
                }
            }
        }
        if (s->got >= sizeof s->head && s->got == sizeof s->head + s->head.bytes) {
            return TLW_IMPORT_SENT;
        }
        if (is_over) {
            return TLW_IMPORT_DIED;
        }
        if (tlw_clock_ns() - s->start_ns > (uint64_t)limits->import_seconds * 1000000000u) {
            return TLW_IMPORT_TOO_LONG;
        }
        if (memory_of(s->child) > s->shared_bytes + limits->import_bytes) {
            return TLW_IMPORT_TOO_LARGE;
        }
    }
}

static bool take(tlw_import_state* s, const char* path) {
    if (s->head.error.code != TLW_ASSET_OK) {
        s->head.error.message[sizeof s->head.error.message - 1] = 0;
        *s->g->error = s->head.error;
        return false;
    }
    return tlw_wire_read(s->g, s->bytes, s->head.bytes) ||
           tlw_gltf_cannot_read(s->g, NULL,
                                "cannot read '%.300s': the importer's process sent what "
                                "is no asset",
                                path);
}

static bool conclude(tlw_import_state* s, const char* path, tlw_import_end end, int status) {
    const unsigned long long megabytes = s->g->limits.import_bytes >> 20;
    switch (end) {
    case TLW_IMPORT_SENT:
        return take(s, path);
    case TLW_IMPORT_TOO_LONG:
        return tlw_gltf_cannot_read(
            s->g, NULL,
            "cannot read '%.300s': the importer took more than %u s and was "
            "stopped; the file may be damaged (tallow-cook --import-seconds)",
            path, s->g->limits.import_seconds);
    case TLW_IMPORT_TOO_LARGE:
        return tlw_gltf_cannot_read(
            s->g, NULL,
            "cannot read '%.300s': the importer took more than %llu MB of "
            "memory and was stopped; the file may be damaged (tallow-cook --import-mb)",
            path, megabytes);
    case TLW_IMPORT_NO_ROOM: // reported
        return false;
    default:
        return WIFSIGNALED(status)
                   ? tlw_gltf_cannot_read(
                         s->g, NULL,
                         "cannot read '%.300s': the importer crashed on it (signal "
                         "%d); the file may be damaged",
                         path, WTERMSIG(status))
                   : tlw_gltf_cannot_read(s->g, NULL,
                                          "cannot read '%.300s': the importer gave up on it (exit "
                                          "code %d); the file may be damaged",
                                          path, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    }
}

bool tlw_import(tlw_gltf* g, const char* path, tlw_import_reader* reader) {
    int ends[2];
    if (pipe(ends) != 0) {
        return tlw_gltf_cannot_read(g, NULL, "cannot read '%.300s': no pipe to another process",
                                    path);
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    tlw_import_state s = {.g = g, .from = ends[0], .start_ns = tlw_clock_ns()};
    s.shared_bytes = memory_of(getpid());
    const pid_t parent = getpid();
    s.child = fork();
    if (s.child == 0) {
        close(ends[0]);
        prepare_child(g, parent);
        run_child(g, path, reader, ends[1]);
    }
    close(ends[1]);
    if (s.child < 0) {
        close(ends[0]);
        return tlw_gltf_cannot_read(g, NULL, "cannot read '%.300s': no process to read it in",
                                    path);
    }
    const tlw_import_end end = wait_for_child(&s);
    int status = 0;
    if (end != TLW_IMPORT_DIED) {
        (void)kill(s.child, SIGKILL); // it has nothing to do any more
    }
    close(ends[0]);
    while (waitpid(s.child, &status, 0) < 0 && errno == EINTR) {
    }
    return conclude(&s, path, end, status);
}

#endif
