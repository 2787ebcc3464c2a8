/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t columns = host_option("columns", 64, 1, 4096);
    uint32_t rows = host_option("rows", 32, 1, 4096);
    uint32_t count = host_option("charges", 64, 1, 1u << 16);
    uint64_t random = hd_option("seed", 1);

    uint32_t points = columns * rows;
    coulomb_charge *charges = hd_host_alloc(count * sizeof *charges);
    for (uint32_t i = 0; i < count; i++)
        charges[i] = (coulomb_charge){(float)host_random_below(&random, 256 * columns) / 256,
                                      (float)host_random_below(&random, 256 * rows) / 256,
                                      1 + (float)host_random_below(&random, 256), host_random_float(&random)};

    coulomb_args args = {.charges = host_upload(charges, count * sizeof *charges),
                         .potentials = host_poisoned(points * sizeof(float)),
                         .count = count,
                         .columns = columns,
                         .rows = rows};
    host_launch("coulomb", host_blocks_2d(columns, rows, COULOMB_BLOCK_X, COULOMB_BLOCK_Y),
                hd_2d(COULOMB_BLOCK_X, COULOMB_BLOCK_Y), 0, &args, sizeof args);

    const float *potentials = host_download(args.potentials, points * sizeof(float));
    for (uint32_t i = 0; i < points; i++)
        host_check_float("potentials", i, potentials[i], coulomb_potential(charges, count, i % columns, i / columns));
    hd_report("pairs", (uint64_t)points * count);
    return HD_PASS;
}
