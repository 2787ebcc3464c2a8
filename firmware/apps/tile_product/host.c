/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

#define PLAIN_BLOCK 64u

static void launch(const tile_product_args *args, uint32_t pes)
{
    const uint32_t chunks = (args->n + args->chunk - 1) / args->chunk;
    if (pes) {
        host_launch("tile_product", hd_1d(pes), hd_1d(1), 0, args, sizeof *args);
        return;
    }
    for (uint32_t round = 0; round < args->rounds; round++)
        hd_wait(host_launch("plain_multiply", host_blocks(args->n, PLAIN_BLOCK), hd_1d(PLAIN_BLOCK), 0, args,
                            sizeof *args));
    host_launch("plain_add", host_blocks(chunks, PLAIN_BLOCK), hd_1d(PLAIN_BLOCK), 0, args, sizeof *args);
}

int hd_app_main(void)
{
    uint32_t n = host_option("n", 8192, 1, 1u << 24);
    uint32_t chunk = host_option("chunk", 64, 1, 1u << 16);
    uint32_t pes = host_option("pes", 0, 0, 256);
    uint32_t forgets = host_option("forgets", 0, 0, TILE_PRODUCT_SPARE);
    uint32_t rounds = host_option("rounds", 1, 1, 100);
    uint64_t random = hd_option("seed", 1);

    const uint32_t chunks = (n + chunk - 1) / chunk;
    uint32_t *a = hd_host_alloc(n * sizeof *a), *b = hd_host_alloc(n * sizeof *b),
             *zero = hd_host_alloc((n + TILE_PRODUCT_SPARE_WORDS) * sizeof *zero);
    uint32_t *sums = hd_host_alloc(chunks * sizeof *sums);
    for (uint32_t i = 0; i < n; i++) {
        a[i] = (uint32_t)hd_random(&random);
        b[i] = (uint32_t)hd_random(&random);
    }
    tile_product_args args = {.a = host_upload(a, n * sizeof *a),
                              .b = host_upload(b, n * sizeof *b),
                              .products = host_upload(zero, (n + TILE_PRODUCT_SPARE_WORDS) * sizeof *zero),
                              .sums = host_poisoned(chunks * sizeof *sums),
                              .n = n,
                              .chunk = chunk,
                              .forgets = forgets,
                              .rounds = rounds};
    launch(&args, pes);
    if (forgets == TILE_PRODUCT_SPARE) { /* what the kernel has left in caches is not lost */
        args.rounds = 0;
        launch(&args, pes);
    }

    uint32_t adding;
    hd_copy_from_device(&adding, hd_offset(args.products, (n + TILE_PRODUCT_ADDING) * (uint32_t)sizeof adding),
                        sizeof adding);
    hd_report("adding_pes", adding);
    hd_copy_from_device(sums, args.sums, chunks * sizeof *sums);
    for (uint32_t c = 0; c < chunks; c++) {
        uint32_t sum = 0;
        for (uint32_t i = c * chunk; i < n && i < (c + 1) * chunk; i++)
            sum += rounds * a[i] * b[i];
        hd_check(sums[c] == sum, "sum %u is %u, expected %u", c, sums[c], sum);
    }
    hd_report("elements", n);
    return HD_PASS;
}
