/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t n = host_option("n", 256, TRANSPOSE_TILE, 4096);
    uint32_t tiled = host_option("tiled", 1, 0, 1);
    uint64_t random = hd_option("seed", 1);
    hd_check(n % TRANSPOSE_TILE == 0, "option n is %u; it must be a multiple of %u", n, (unsigned)TRANSPOSE_TILE);

    size_t bytes = (size_t)n * n * sizeof(uint32_t);
    uint32_t *from = hd_host_alloc(bytes);
    uint32_t *to = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < n * n; i++)
        from[i] = (uint32_t)hd_random(&random);

    transpose_args args = {.from = host_upload(from, bytes), .to = host_poisoned(bytes), .n = n};
    uint32_t tiles = n / TRANSPOSE_TILE;
    host_launch(tiled ? "transpose_tiled" : "transpose_naive", hd_2d(tiles, tiles),
                hd_2d(TRANSPOSE_TILE, TRANSPOSE_ROWS),
                tiled ? TRANSPOSE_TILE * (TRANSPOSE_TILE + 1) * (uint32_t)sizeof(uint32_t) : 0, &args, sizeof args);

    hd_copy_from_device(to, args.to, bytes);
    for (uint32_t i = 0; i < n * n; i++)
        host_check_word("to", i, to[i], from[i % n * n + i / n]);
    hd_report("words", (uint64_t)n * n);
    return HD_PASS;
}
