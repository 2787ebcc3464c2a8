/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static float reference(const float *from, uint32_t columns, uint32_t rows, uint32_t layers, uint32_t i)
{
    uint32_t x = i % columns, y = i / columns % rows, z = i / columns / rows;
    const float *cell = from + i;
    if (x == 0 || y == 0 || z == 0 || x + 1 == columns || y + 1 == rows || z + 1 == layers)
        return *cell;
    return laplace_mean(cell[-1], cell[1], *(cell - columns), cell[columns], *(cell - columns * rows),
                        cell[columns * rows]);
}

int hd_app_main(void)
{
    uint32_t columns = host_option("columns", 64, 1, 4096);
    uint32_t rows = host_option("rows", 32, 1, 4096);
    uint32_t layers = host_option("layers", 8, 1, 64);
    uint32_t steps = host_option("steps", 2, 1, 64);
    uint64_t random = hd_option("seed", 1);

    uint32_t cells = columns * rows * layers;
    size_t bytes = cells * sizeof(float);
    float *from = hd_host_alloc(bytes), *to = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < cells; i++)
        from[i] = host_random_float(&random);

    laplace_args args = {.from = host_upload(from, bytes),
                         .to = host_poisoned(bytes),
                         .columns = columns,
                         .rows = rows,
                         .layers = layers};
    hd_dim3 grid = host_blocks_2d(columns, rows, LAPLACE_BLOCK_X, LAPLACE_BLOCK_Y);
    for (uint32_t step = 0; step < steps; step++) {
        /* Each by itself: what a launch takes does not depend on how fast the host appends the next one. */
        hd_wait(host_launch("laplace", grid, hd_2d(LAPLACE_BLOCK_X, LAPLACE_BLOCK_Y),
                            (LAPLACE_BLOCK_X + 2) * (LAPLACE_BLOCK_Y + 2) * sizeof(float), &args, sizeof args));
        hd_device_ptr last = args.to;
        args.to = args.from;
        args.from = last;
        for (uint32_t i = 0; i < cells; i++)
            to[i] = reference(from, columns, rows, layers, i);
        memcpy(from, to, bytes);
    }

    hd_copy_from_device(to, args.from, bytes);
    for (uint32_t i = 0; i < cells; i++)
        host_check_float("cells", i, to[i], from[i]);
    hd_report("cells", cells);
    return HD_PASS;
}
