// SPDX-License-Identifier: MIT
// Private to runtime: running the stages of the stage table (kernels.h) over a character's blocks,
// on one thread or with a team. The bits are the same either way (MODEL 7.2).
#ifndef TLW_RUNTIME_STEP_SUBSTEP_H
#define TLW_RUNTIME_STEP_SUBSTEP_H

#include "runtime/output/embed.h"
#include "runtime/passes/kernels.h"
#include "runtime/step/team.h"
#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

// How stages are run.
typedef struct tlw_runner {
    const tlw_kernels* kernels;
    tlw_team* team;   // null: on this thread alone
    tlw_clock* clock; // null: no times are measured
    void* clock_user;
    uint64_t* pass_ns; // this thread's time in each pass; added to
} tlw_runner;

// Runs an ordinary substep: skin, unless is_skinned says that it ran, and, where volume is kept,
// bends; the stages of phase BEFORE, then those of REPEATED `repeats` times, then those of AFTER,
// CONTACT where anything can touch, and END.
void tlw_run_substep(const tlw_runner* runner, const tlw_substep* substep, uint32_t repeats);
// Runs skin and, where volume is kept, bends.
void tlw_run_skin(const tlw_runner* runner, const tlw_substep* substep);
// Runs one stage alone.
void tlw_run_stage(const tlw_runner* runner, tlw_stage stage, const tlw_substep* substep);
// Moves the action lines (passes/lines.h), on this thread.
void tlw_run_lines(const tlw_runner* runner, const struct tlw_lines* lines);
// Runs one output stage on items [0, count).
void tlw_run_embed(const tlw_runner* runner, tlw_embed_function* stage, const tlw_embed* embed,
                   uint32_t count);

TLW_EXTERN_C_END

#endif
