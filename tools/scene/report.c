// SPDX-License-Identifier: MIT
// Prints the time that a scene's frames took, pass by pass, and names the flags of a step. Reads
// the world's report.
#include "tools/scene/scene.h"

#include <string.h>

void tlw_scene_flag_names(tlw_step_flags flags, char* text, size_t room) {
    static const struct {
        uint32_t flag;
        const char* name;
    } names[] = {
#define FLAG_NAME(flag, bit, meaning) {(uint32_t)flag, #flag},
        TLW_STEP_FLAG_TABLE(FLAG_NAME)
#undef FLAG_NAME
    };
    const size_t prefix = strlen("TLW_STEP_");
    size_t used = 0;
    snprintf(text, room, "none");
    for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
        if (!(flags & names[i].flag)) {
            continue;
        }
        for (const char* at = used ? ", " : ""; *at && used + 1 < room; ++at) {
            text[used++] = *at;
        }
        for (const char* at = names[i].name + prefix; *at && used + 1 < room; ++at) {
            text[used++] = *at == '_' ? ' ' : (char)(*at | 0x20);
        }
        text[used] = 0;
    }
}

static void print_row(FILE* out, const char* name, double ms, double all_ms, double budget_ms) {
    fprintf(out, "  %-10s %10.4f %7.1f%% %10.1f%%\n", name, ms,
            all_ms > 0.0 ? ms / all_ms * 100.0 : 0.0, ms / budget_ms * 100.0);
}

void tlw_scene_print_passes(const tlw_scene* scene, FILE* out) {
    tlw_world_report r;
    tlw_world_get_report(scene->world, &r);
    const uint64_t step_count = r.step_count - scene->first_step;
    const double steps = step_count > 0 ? (double)step_count : 1.0;
    double all = 0.0;
    for (int pass = 0; pass < TLW_PASS_COUNT; ++pass) {
        all += (double)r.total_pass_ns[pass] * 1e-6 / steps;
    }
    fprintf(out, "  %-10s %10s %8s %11s\n", "pass", "ms/frame", "share", "of budget");
    for (int pass = 0; pass < TLW_PASS_COUNT; ++pass) {
        print_row(out, tlw_pass_name((tlw_pass)pass), (double)r.total_pass_ns[pass] * 1e-6 / steps,
                  all, r.budget_ms);
    }
    print_row(out, "all", all, all, r.budget_ms);
    print_row(out, "frame", (double)r.total_wall_ns * 1e-6 / steps, all, r.budget_ms);
    fprintf(out, "  %llu of %llu frames over the budget of %.2f ms",
            (unsigned long long)r.over_budget_count, (unsigned long long)step_count, r.budget_ms);
    for (int i = 0; i < 3 && r.worst[i].step != 0; ++i) {
        fprintf(out, "%s %.3f ms (frame %llu)",
                i ? "," : "; worst:", (double)r.worst[i].wall_ns * 1e-6,
                (unsigned long long)(r.worst[i].step - scene->first_step));
    }
    fprintf(out, "\n");
}
