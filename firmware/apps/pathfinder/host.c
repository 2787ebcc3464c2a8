/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Of the last row. */
static uint32_t *cheapest(const uint32_t *costs, uint32_t columns, uint32_t rows)
{
    uint32_t *from = hd_host_alloc(columns * sizeof *from), *to = hd_host_alloc(columns * sizeof *to);
    memcpy(from, costs, columns * sizeof *from);
    for (uint32_t row = 1; row < rows; row++) {
        for (uint32_t c = 0; c < columns; c++) {
            const uint32_t left = c > 0 ? from[c - 1] : from[c], right = c + 1 < columns ? from[c + 1] : from[c];
            to[c] = least(from[c], least(left, right)) + costs[row * columns + c];
        }
        uint32_t *const done = from;
        from = to;
        to = done;
    }
    hd_host_free(to);
    return from;
}

int hd_app_main(void)
{
    const uint32_t columns = host_option("columns", 4096, 1, 1u << 22), rows = host_option("rows", 21, 2, 4096);
    const uint32_t block = host_option("block", 256, 3, 1024), steps = host_option("steps", 4, 1, 256);
    uint64_t random = hd_option("seed", 1);
    hd_check(2 * steps < block, "option steps is %u; half of block, %u, has to be more", steps, block);
    uint32_t *costs = hd_host_alloc((size_t)rows * columns * sizeof *costs);
    for (uint32_t i = 0; i < rows * columns; i++)
        costs[i] = host_random_below(&random, 10);

    pathfinder_args args = {.costs = host_upload(costs, (size_t)rows * columns * sizeof *costs),
                            .from = host_upload(costs, columns * sizeof *costs),
                            .to = host_poisoned(columns * sizeof *costs),
                            .columns = columns};
    for (args.row = 0; args.row < rows - 1; args.row += args.steps) {
        args.steps = least(steps, rows - 1 - args.row);
        hd_wait(host_launch("pathfinder", host_blocks(columns, block - 2 * args.steps), hd_1d(block), block * 4, &args,
                            sizeof args));
        const hd_device_ptr done = args.from;
        args.from = args.to;
        args.to = done;
    }
    const uint32_t *got = host_download(args.from, columns * sizeof *got), *expected = cheapest(costs, columns, rows);
    for (uint32_t c = 0; c < columns; c++)
        host_check_word("ways", c, got[c], expected[c]);
    hd_report("columns", columns);
    return HD_PASS;
}
