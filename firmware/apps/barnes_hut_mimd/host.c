/* SPDX-License-Identifier: MIT */
#include "barnes_hut/args.h"
#include "barnes_hut/checks.h"
#include "common/transactional.h"

enum { BUILD, SUMMARISE, SORT };

/* As barnes_hut has them, and in MIMD style. */
static const char *const kernels[][2] = {[BUILD] = {"barnes_hut_locks", "barnes_hut_locks_mimd"},
                                         [SUMMARISE] = {"barnes_hut_summarise", "barnes_hut_summarise_mimd"},
                                         [SORT] = {"barnes_hut_sort_signals", "barnes_hut_sort_mimd"}};

int hd_app_main(void)
{
    static const char *const steps[] = {[BUILD] = "build", [SUMMARISE] = "summarise", [SORT] = "sort"};
    const uint32_t mimd = HOST_CHOICE("step", hd_option_text("step", "build"), steps);
    const uint32_t count = host_option("bodies", 1000, 2, 1u << 27);
    const uint32_t block = host_option("block", 288, 1, 1024);
    const uint32_t grid = host_option("grid", 60, 1, 1u << 12);
    uint64_t random = hd_option("seed", 1);

    barnes_hut_args args = {.radius = BODIES_RADIUS};
    memory_reserve_bodies(&args, count, 0);
    const bodies b = bodies_draw(count, &random);
    reference r = reference_tree(&b);
    const uint32_t first = 0;
    memory_place(&args, &b, r.cells, 0);
    args.summary = host_poisoned(args.cells * sizeof(barnes_hut_summary));
    args.sorted = host_poisoned(count * sizeof(uint32_t));
    args.start = host_filled(0xFF, args.cells * sizeof(uint32_t));
    hd_copy_to_device(args.start, &first, sizeof first);
    for (uint32_t step = BUILD; step <= SORT; step++)
        host_launch(kernels[step][step == mimd], hd_1d(grid), hd_1d(block), 0, &args, sizeof args);

    check_tree(&r, &args, host_download(args.summary, args.cells * sizeof(barnes_hut_summary)));
    check_sorted(&r, host_download(args.sorted, count * sizeof(uint32_t)));
    hd_report("cells", r.cells);
    return HD_PASS;
}
