/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "checks.h"
#include "common/transactional.h"

static const char *const build_kernels[] = {[HOST_TM] = "barnes_hut_tm",
                                            [HOST_LOCKS] = "barnes_hut_locks",
                                            [HOST_COARSE] = "barnes_hut_coarse",
                                            [HOST_SERIAL] = "barnes_hut_serial"};

typedef struct shape {
    uint32_t grid, block;
} shape;

static void launch(const char *kernel, shape s, const barnes_hut_args *args)
{
    host_launch(kernel, hd_1d(s.grid), hd_1d(s.block), 0, args, sizeof *args);
}

/* What uses the tree: sums, the order, forces. */
static void use_tree(reference *r, barnes_hut_args *args, shape s, float angle, uint32_t is_by_signals)
{
    const bodies *b = r->bodies;
    args->summary = host_poisoned(args->cells * sizeof(barnes_hut_summary));
    args->sorted = host_poisoned(b->count * sizeof(uint32_t));
    args->acceleration = host_poisoned(b->count * 3 * sizeof(float));
    launch("barnes_hut_summarise", s, args);
    check_tree(r, args, host_download(args->summary, args->cells * sizeof(barnes_hut_summary)));
    if (is_by_signals) {
        const uint32_t first = 0;
        args->start = host_filled(0xFF, args->cells * sizeof(uint32_t));
        hd_copy_to_device(args->start, &first, sizeof first);
    }
    launch(is_by_signals ? "barnes_hut_sort_signals" : "barnes_hut_sort", s, args);
    const uint32_t *sorted = host_download(args->sorted, b->count * sizeof *sorted);
    check_sorted(r, sorted);
    launch("barnes_hut_force", s, args);
    const float *acceleration = host_download(args->acceleration, b->count * 3 * sizeof *acceleration);
    hd_report("error_millionths", check_accelerations(b, args, sorted, acceleration, angle));
}

int hd_app_main(void)
{
    const uint32_t form = host_form(hd_option_text("sync", "locks"));
    const uint32_t is_padded = host_is_padded(hd_option_text("layout", "packed"));
    static const char *const sorts[] = {"climb", "signals"};
    const uint32_t is_by_signals = HOST_CHOICE("sort", hd_option_text("sort", "climb"), sorts);
    hd_check(!is_by_signals || form == HOST_LOCKS,
             "option sort is 'signals', which needs cells in the order of sync=locks");
    const uint32_t count = host_option("bodies", 1000, 2, 1u << 27);
    const uint32_t forces = host_option("forces", 1000, 0, 1u << 27);
    const float angle = (float)host_option("angle", 50, 0, 55) / 100;
    const shape s = {.grid = host_option("grid", 60, 1, 1u << 12), .block = host_option("block", 288, 1, 1024)};
    uint64_t random = hd_option("seed", 1);
    hd_check(forces <= count, "option forces is %u; it must be at most bodies, which is %u", forces, count);

    barnes_hut_args args = {.forces = forces, .radius = BODIES_RADIUS, .opening = angle * angle};
    memory_reserve_bodies(&args, count, is_padded);
    const bodies b = bodies_draw(count, &random);
    reference r = reference_tree(&b);
    const shape build = form == HOST_SERIAL ? (shape){1, 1} : s;
    const uint32_t spare_cells = build.grid * build.block; /* each thread may be left with one */
    memory_place(&args, &b, r.cells + spare_cells, is_padded);
    launch(build_kernels[form], build, &args);
    check_tree(&r, &args, NULL);
    if (forces || is_by_signals)
        use_tree(&r, &args, s, angle, is_by_signals);
    hd_report("cells", r.cells);
    hd_report("depth", r.depth);
    return HD_PASS;
}
