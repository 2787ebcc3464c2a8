/* SPDX-License-Identifier: MIT */
/* Some threads count in both words of pairs, in transactions; others look at pairs. */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t grid = host_option("grid", 4, 1, 65535), block = host_option("block", 96, 1, 1024);
    uint32_t first[PAIRS_MAX], second[PAIRS_MAX], torn, sum = 0, differ = 0;
    pairs_args args = {.mask = host_option("pairs", 64, 1, PAIRS_MAX) - 1,
                       .rounds = host_option("rounds", 2, 1, 1000),
                       .writers = host_option("writers", 4, 1, 65536),
                       .looks = host_option("looks", 2, 1, 16)};
    args.first = host_filled(0, sizeof first);
    args.second = host_filled(0, sizeof second);
    args.torn = host_filled(0, sizeof torn);
    args.zero = host_filled(0, 4);
    hd_launch(hd_kernel_named("pairs"), hd_1d(grid), hd_1d(block), 0, &args, sizeof args);
    hd_synchronize();
    hd_copy_from_device(first, args.first, sizeof first);
    hd_copy_from_device(second, args.second, sizeof second);
    hd_copy_from_device(&torn, args.torn, sizeof torn);
    for (uint32_t i = 0; i < PAIRS_MAX; i++) {
        sum += first[i];
        differ += first[i] != second[i];
    }
    const uint32_t expected = (grid * block + args.writers - 1) / args.writers * args.rounds * args.looks;
    hd_check(!differ && sum == expected, "%u pairs differ, %u of %u are counted", differ, sum, expected);
    hd_check(!torn, "pairs were seen torn %u times", torn);
    return HD_PASS;
}
