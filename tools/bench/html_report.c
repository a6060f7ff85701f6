// SPDX-License-Identifier: MIT
// The frame report: one HTML file with inline charts that needs no other file. It can be read
// without its script, which only shows the values under the pointer below the charts.
#include "tools/bench/html_chart.h"

static const char style[] =
    ":root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--ink:#1b1f27;--soft:#667085;"
    "--line:#e4e7ec;--accent:#2e6bd6;--bad:#c9302c;--good:#1a7f4b;--warn:#a15c00;"
    "--outside:#c3c9d3;--over:#e0655f;--hover:rgba(46,107,214,.16)}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#12151b;--card:#1b2029;--ink:#e6e9ef;"
    "--soft:#98a2b3;--line:#2d3440;--accent:#7aa9ff;--bad:#ff7b72;--good:#56d08d;--warn:#f0b354;"
    "--outside:#4d5666;--over:#ff7b72;--hover:rgba(122,169,255,.2)}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}\n"
    "main{max-width:1140px;margin:0 auto;padding:28px 20px 48px}h1{font-size:28px;margin:0;"
    "line-height:1.2}h2{font-size:17px;margin:0 0 2px}p{margin:0}\n"
    ".sub{color:var(--soft);margin-top:4px}.note{color:var(--soft);font-size:13px;"
    "margin-bottom:10px}.soft{color:var(--soft)}\n"
    ".badges{display:flex;flex-wrap:wrap;gap:8px;margin:14px 0 18px}.badge{border:1px solid "
    "currentColor;border-radius:999px;padding:2px 12px;font-size:13px;font-weight:600}\n"
    ".good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px}"
    ".tile,section{background:var(--card);border:1px solid var(--line);border-radius:10px}"
    ".tile{padding:12px 16px}.tile b{display:block;font-size:23px;line-height:1.25;"
    "font-variant-numeric:tabular-nums}.tile b small{font-size:13px;font-weight:500;"
    "color:var(--soft)}.tile span{color:var(--soft);font-size:13px}\n"
    "section{padding:18px 20px;margin-top:16px}.chart{overflow-x:auto}svg{display:block;"
    "width:100%;height:auto;min-width:480px}#frames,#passes,#histogram{min-width:820px}.two{"
    "display:grid;"
    "grid-template-columns:repeat(auto-fit,minmax(420px,1fr));gap:20px}\n"
    "svg text{font-size:12px;fill:var(--soft);font-variant-numeric:tabular-nums}svg .unit{"
    "font-weight:600}svg .value{fill:var(--ink);font-weight:600}svg .value,svg .label,svg "
    "text.off{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}.grid{"
    "stroke:var(--line)}.axis{"
    "stroke:var(--soft)}\n"
    ".line{fill:none;stroke:var(--accent);stroke-width:1.6;stroke-linejoin:round}.point{"
    "fill:var(--accent)}.ideal{stroke:var(--soft);stroke-dasharray:5 4}\n"
    ".mark{stroke:var(--soft);stroke-dasharray:2 3}.lead{stroke:var(--soft)}svg .label{"
    "fill:var(--ink)}.mark.budget,.lead.budget{stroke:var(--bad)}.mark.budget{stroke-width:1.6;"
    "stroke-dasharray:7 4}svg .label.budget{fill:var(--bad);font-weight:700}\n"
    "path.off,.disturbed{fill:var(--warn)}svg "
    "text.off{fill:var(--warn);font-weight:600}.layer.outside{"
    "fill:var(--outside)}.hit{fill:transparent}.hit:hover,.hit.on{fill:var(--hover)}\n"
    "rect.bar{fill:var(--accent)}rect.bar.over{fill:var(--over)}rect.bar.rest{fill:var(--warn)}\n"
    ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 16px;margin:0 0 8px;padding:0;"
    "font-size:13px}.legend i,td i.chip{display:inline-block;width:11px;height:11px;"
    "border-radius:3px;margin-right:6px}i.outside{background:var(--outside)}\n"
    ".readout{min-height:20px;color:var(--soft);font-size:13px;font-variant-numeric:tabular-nums}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{"
    "text-align:right;padding:5px 10px;border-top:1px solid var(--line);white-space:nowrap}"
    "th{border:0;color:var(--soft);font-size:13px;font-weight:600}th:first-child,"
    "td:first-child,td.what,th.what{text-align:left}td.what{color:var(--soft);"
    "white-space:normal}.part{display:inline-block;width:52px}.meter{display:inline-block;width:"
    "110px;height:9px;"
    "border-radius:3px;background:var(--line);margin-right:10px;vertical-align:middle}.meter i{"
    "display:block;height:100%;border-radius:3px;background:var(--outside)}tr.all td{"
    "font-weight:600}.table{overflow-x:auto}\n"
    "details.frame{border-top:1px solid var(--line);padding:6px 0}summary{cursor:pointer;"
    "padding:3px 0}summary span{margin-left:12px;font-variant-numeric:tabular-nums}"
    ".row{display:grid;grid-template-columns:240px 1fr 88px 62px;gap:10px;align-items:center;"
    "font-size:14px;padding:1.5px 0}.row .bar{height:10px;border-radius:3px;"
    "background:var(--line);overflow:hidden}.row .bar i{display:block;height:100%;"
    "background:var(--accent)}.ms,.share{text-align:right;font-variant-numeric:tabular-nums}"
    ".row .share{color:var(--soft)}.d0 "
    ".zone{font-weight:600}.d1 .zone{padding-left:18px}"
    ".d2 .zone{padding-left:40px}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 20px;margin:0}dt{"
    "color:var(--soft)}dd{margin:0}\n"
    "@media print{body{background:#fff}section,.tile{break-inside:avoid}}\n";

// Highlights the frame under the pointer in both charts, and shows its title below them.
static const char script[] =
    "(function(){var out=document.querySelectorAll('.readout'),lit=[];\n"
    "function clear(){lit.forEach(function(e){e.classList.remove('on')});lit=[]}\n"
    "document.querySelectorAll('.hit').forEach(function(e){e.addEventListener('mouseenter',"
    "function(){clear();lit=[].slice.call(document.querySelectorAll('.hit[data-i=\"'+"
    "e.dataset.i+'\"]'));lit.forEach(function(o){o.classList.add('on')});"
    "out.forEach(function(o){o.textContent=lit[lit.length-1].textContent})});\n"
    "e.addEventListener('mouseleave',clear)})})();\n";

static void add_head(tlw_text* out, const tlw_frames* f) {
    tlw_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
                      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
                      "<title>Tallow frames: ");
    tlw_text_html(out, f->def.scene->name);
    tlw_text_add(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n", style);
}

static void add_opening(tlw_text* out, const tlw_frames_result* r) {
    const tlw_frames* f = &r->frames;
    char n[2][32], text[512];
    tlw_text_add(out, "<h1>");
    tlw_text_html(out, f->def.scene->name);
    tlw_text_add(out, "</h1><p class=\"sub\">%u &#215; ", f->def.character_count);
    tlw_text_html(out, f->def.actor->name);
    tlw_text_add(out, ", %s voxels, %s vertices; clip ",
                 tlw_thousands(f->def.actor->info.voxel_count, n[0]),
                 tlw_thousands(f->def.actor->info.vertex_count, n[1]));
    tlw_text_html(out, f->clip);
    tlw_text_add(out, "; %u worker%s, %s; %s frames after %u to warm up</p>\n", f->def.worker_count,
                 f->def.worker_count > 1 ? "s" : "", tlw_isa_name(f->def.isa),
                 tlw_thousands(f->count, n[0]), f->def.warm_up_count);
    tlw_text_add(out, "<div class=\"badges\">");
    if (r->verdict.has_budget) {
        tlw_text_add(
            out, "<span class=\"badge %s\" id=\"verdict\">%s: p%.6g is %.3g of %.4g ms</span>",
            r->verdict.is_met ? "good" : "bad", r->verdict.is_met ? "within budget" : "over budget",
            f->def.percentile, r->verdict.value_ms, f->def.budget_ms);
    } else {
        tlw_text_add(out, "<span class=\"badge soft\" id=\"verdict\">no budget given</span>");
    }
    tlw_text_add(out, "<span class=\"badge %s\" id=\"noise\">%s: others took %.1f%%</span>",
                 f->noise.is_noisy ? "warn" : "good", f->noise.is_noisy ? "noisy" : "quiet",
                 f->noise.others * 100.0);
    if (f->def.plant_us > 0.0) {
        tlw_text_add(out, "<span class=\"badge warn\">planted: %.6g us in %s</span>",
                     f->def.plant_us, tlw_pass_name(f->def.plant_pass));
    }
    tlw_text_add(out, "</div>\n");
    if (r->verdict.has_budget && !r->verdict.is_met) {
        tlw_verdict_text(f, &r->verdict, text, sizeof text);
        tlw_text_add(out, "<p class=\"note bad\">");
        tlw_text_html(out, text);
        tlw_text_add(out, "</p>\n");
    }
}

static void add_tile(tlw_text* out, const char* name, double value, const char* unit) {
    const int decimals = value < 1.0 ? 3 : value < 100.0 ? 2 : 0;
    tlw_text_add(out, "<div class=\"tile\"><b>%.*f <small>%s</small></b><span>%s</span></div>\n",
                 decimals, value, unit, name);
}

static void add_tiles(tlw_text* out, const tlw_frames_result* r) {
    const tlw_frames* f = &r->frames;
    tlw_text_add(out, "<div class=\"tiles\">\n");
    add_tile(out, "median frame", f->total.median, "ms");
    add_tile(out, "p95", f->total.p95, "ms");
    add_tile(out, "p99", f->total.p99, "ms");
    add_tile(out, "worst frame", f->total.worst, "ms");
    if (r->verdict.has_budget) {
        add_tile(out, "of the budget", r->verdict.value_ms / f->def.budget_ms * 100.0, "%");
    }
    add_tile(out, "a voxel", f->ns_per_voxel, "ns");
    add_tile(out, "a character", (double)f->character_bytes / 1e6, "MB");
    tlw_text_add(out, "</div>\n");
}

static void add_pass_row(tlw_text* out, const char* name, const char* what, const char* chip,
                         const tlw_bench_summary* s, double share) {
    tlw_text_add(out,
                 "<tr><td><i class=\"chip%s%s\"></i>%s</td><td class=\"what\">%s</td>"
                 "<td>%.4f</td><td>%.4f</td><td>%.4f</td><td>%.4f</td><td class=\"share\">"
                 "<span class=\"meter\"><i style=\"width:%.1f%%%s%s\"></i></span><span "
                 "class=\"part\">%.1f%%</span></td></tr>\n",
                 chip[0] ? "\" style=\"background:" : " outside", chip, name, what, s->min,
                 s->median, s->p99, s->worst, share * 100.0, chip[0] ? ";background:" : "", chip,
                 share * 100.0);
}

static void add_pass_table(tlw_text* out, const tlw_frames* f) {
    static const char* const meanings[TLW_PASS_COUNT] = {
#define MEANING(name, text, colour, meaning) meaning,
        TLW_PASS_TABLE(MEANING)
#undef MEANING
    };
    const double all = f->mean_ms * f->def.worker_count;
    tlw_text_add(out, "<div class=\"table\"><table id=\"pass-table\"><tr><th>pass</th><th "
                      "class=\"what\">what it computes</th><th>min ms</th><th>median</th>"
                      "<th>p99</th><th>worst</th><th>share</th></tr>\n");
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        char chip[16];
        snprintf(chip, sizeof chip, "#%06x", tlw_pass_colour((tlw_pass)p));
        add_pass_row(out, tlw_pass_name((tlw_pass)p), meanings[p], chip, &f->passes[p],
                     all > 0.0 ? f->pass_mean_ms[p] / all : 0.0);
    }
    add_pass_row(out, "outside passes",
                 f->def.worker_count > 1 ? "poses, scheduling, waiting" : "poses, scheduling", "",
                 &f->outside, all > 0.0 ? f->outside_mean_ms / all : 0.0);
    tlw_text_add(out, "</table></div>\n");
}

static void add_pair(tlw_text* out, const char* name, const char* value) {
    tlw_text_add(out, "<dt>%s</dt><dd>", name);
    tlw_text_html(out, value);
    tlw_text_add(out, "</dd>\n");
}

static void add_machine(tlw_text* out, const tlw_frames_result* r) {
    const tlw_frames* f = &r->frames;
    char text[160];
    tlw_text_add(out, "<section id=\"machine\"><h2>Measured on</h2>\n<dl>");
    snprintf(text, sizeof text, "%s, %u core%s for this process", r->machine.cpu, r->machine.cores,
             r->machine.cores > 1 ? "s" : "");
    add_pair(out, "machine", text);
    add_pair(out, "system", r->machine.system);
    snprintf(text, sizeof text, "%s, %s", r->machine.compiler, r->machine.build);
    add_pair(out, "build", text);
    add_pair(out, "commit", r->machine.commit);
    snprintf(text, sizeof text, "others took %.1f%% of the time, %.1f%% of the core; stolen %.1f%%",
             f->noise.of_time * 100.0, f->noise.of_core * 100.0, f->noise.stolen * 100.0);
    add_pair(out, "noise", text);
    snprintf(text, sizeof text, "%zu bytes the world, %zu a character, %zu scratch at the most",
             f->world_bytes, f->character_bytes, f->scratch_bytes);
    add_pair(out, "memory", text);
    add_pair(out, "run",
             r->is_quick    ? "quick: fewer frames"
             : f->is_pinned ? "pinned to one core"
                            : "not pinned");
    tlw_text_add(out, "</dl></section>\n");
}

void tlw_frames_to_html(const tlw_frames_result* r, tlw_text* out) {
    const tlw_frames* f = &r->frames;
    const bool is_grouped = tlw_chart_points(f->count) < f->count;
    add_head(out, f);
    add_opening(out, r);
    add_tiles(out, r);
    tlw_text_add(out,
                 "<section><h2>Frame time</h2><p class=\"note\">Begin to end of the step%s. "
                 "Triangles are frames above the scale.",
                 is_grouped ? "; of neighbouring frames the worst" : "");
    if (f->def.worker_count == 1) {
        tlw_text_add(out,
                     " The line below the axis marks frames in which another process ran; %zu of "
                     "%u are clean.",
                     f->clean.count, f->count);
    }
    tlw_text_add(out, "</p>\n");
    tlw_html_frame_line(out, f);
    tlw_text_add(out,
                 "<p class=\"readout\"></p></section>\n<section><h2>Passes</h2>"
                 "<p class=\"note\">%s</p>\n",
                 f->def.worker_count > 1 ? "Summed over workers." : "Stacked to the frame's time.");
    tlw_html_stack(out, f);
    tlw_text_add(out, "<p class=\"readout\"></p>\n");
    add_pass_table(out, f);
    tlw_text_add(out, "</section>\n<section><h2>Distribution</h2><p class=\"note\">How many frames "
                      "took how long.</p>\n");
    tlw_html_histogram(out, f);
    tlw_text_add(out, "</section>\n");
    if (r->scaling.is_measured) {
        tlw_html_scaling(out, r);
    }
    tlw_html_worst(out, f);
    add_machine(out, r);
    tlw_text_add(out, "</main>\n<script>\n%s</script>\n</body></html>\n", script);
}
