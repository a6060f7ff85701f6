// SPDX-License-Identifier: MIT
// Creases, seams, leaks and normals of the embeddings on the samples, as Markdown. The tests hold
// the same numbers to lines (tests/motion/test_surface.c).
#include "tools/figures/embedding.h"

static const char* const samples[] = {"bunny", "stout", "thin"};
static const uint32_t resolutions[] = {24, 32, 48};

// Seams of rbf without passes, or below 0 after a failure.
static double measure_rough_seams(tlw_figures* f, const char* sample, uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_embedded_recipe(resolution);
    recipe.seam_passes = 0;
    tlw_embedded e;
    double crease = -1.0;
    if (tlw_embedded_make(f, sample, &recipe, &e)) {
        tlw_surface_jiggle(e.motion);
        if (tlw_embedded_show(f, &e, &tlw_embedded_names[TLW_EMBEDDED_RBF].look)) {
            crease = tlw_surface_crease(&e.surface, TLW_SURFACE_SEAM_EDGES);
        }
    }
    tlw_embedded_free(&e);
    return crease;
}

static bool print_creases(tlw_figures* f, tlw_embedded* e, const char* sample,
                          uint32_t resolution) {
    double rms = 0.0, fit_rms = 0.0, seams = 0.0;
    tlw_surface_jiggle(e->motion);
    printf("| %s %u |", sample, resolution);
    for (int k = 0; k < TLW_EMBEDDED_COUNT; ++k) {
        if (!tlw_embedded_show(f, e, &tlw_embedded_names[k].look)) {
            return false;
        }
        printf(" %.2f |", tlw_surface_crease(&e->surface, TLW_SURFACE_ALL_EDGES));
        rms = k == TLW_EMBEDDED_DELTA ? tlw_surface_rms(&e->surface) : rms;
        fit_rms = k == TLW_EMBEDDED_FIT ? tlw_surface_rms(&e->surface) : fit_rms;
        seams = tlw_surface_crease(&e->surface, TLW_SURFACE_SEAM_EDGES);
    }
    const double rough = measure_rough_seams(f, sample, resolution);
    printf(" %.3f | %.2f | %.2f |", rms > 0.0 ? fit_rms / rms : 0.0, rough, seams);
    return rough >= 0.0;
}

static bool print_normals(tlw_figures* f, tlw_embedded* e) {
    tlw_surface_impose(e->motion, tlw_surface_sines, NULL, NULL);
    for (int k = TLW_EMBEDDED_DELTA; k <= TLW_EMBEDDED_FIT; ++k) {
        tlw_surface_look look = tlw_embedded_names[k].look;
        look.normals_by = TLW_NORMALS_BY_GRADIENT;
        if (!tlw_embedded_show(f, e, &look)) {
            return false;
        }
        if (k == TLW_EMBEDDED_DELTA) { // gradients are the same for fit
            printf(" %.2f |", tlw_surface_normal_error(&e->surface, e->surface.normals));
        }
        look.normals_by = TLW_NORMALS_BY_RING;
        if (!tlw_embedded_show(f, e, &look)) {
            return false;
        }
        printf(" %.2f |", tlw_surface_normal_error(&e->surface, e->surface.normals));
        if (!tlw_embedded_show_geometric(f, e, &look)) {
            return false;
        }
        printf(" %.2f |", tlw_surface_normal_error(&e->surface, e->surface.normals));
    }
    return true;
}

tlw_exit_code tlw_figures_print_embeddings(tlw_figures* f) {
    printf(
        "Creases in degrees after a dance that stops dead; rms of fit 0.25 against delta's; seams "
        "of rbf without and with 5 passes; mean error of normals in degrees on sines of "
        "wavelength 0.35 L and a strain of a half, by gradient, by ring and of the triangles "
        "themselves.\n\n"
        "| | delta | fit 0.25 | fit 1 | rbf | rms | seams, 0 | seams, 5 | gradient | delta ring "
        "| delta geometric | fit ring | fit geometric |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    bool is_good = true;
    for (size_t n = 0; n < TLW_COUNT_OF(samples) && is_good; ++n) {
        for (size_t k = 0; k < TLW_COUNT_OF(resolutions) && is_good; ++k) {
            const tlw_cook_recipe recipe = tlw_embedded_recipe(resolutions[k]);
            tlw_embedded e;
            is_good = tlw_embedded_make(f, samples[n], &recipe, &e) &&
                      print_creases(f, &e, samples[n], resolutions[k]) && print_normals(f, &e);
            printf("\n");
            tlw_embedded_free(&e);
        }
    }
    return is_good ? tlw_output_flush(f->command) : tlw_figures_fail(f);
}
