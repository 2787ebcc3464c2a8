/* SPDX-License-Identifier: MIT */
/* Threads count in words chosen at random, in transactions; what they have counted must be there. */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t grid = host_option("grid", 4, 1, 65535), block = host_option("block", 96, 1, 1024);
    uint32_t words = host_option("words", 64, 1, DATA_WORDS);
    transactional_args args = {.mask = words - 1,
                               .spread = host_option("spread", 1, 1, DATA_WORDS / words),
                               .rounds = host_option("rounds", 2, 1, 1000),
                               .accesses = host_option("accesses", 2, 1, 16),
                               .aborts = host_option("aborts", 8, 0, 1000)};
    uint32_t *found = hd_host_alloc(DATA_WORDS * 4);
    uint32_t sum = 0;
    args.data = host_filled(0, DATA_WORDS * 4);
    hd_launch(hd_kernel_named("transactional"), hd_1d(grid), hd_1d(block), 0, &args, sizeof args);
    hd_synchronize();
    hd_copy_from_device(found, args.data, DATA_WORDS * 4);
    for (uint32_t i = 0; i < DATA_WORDS; i++)
        sum += found[i] & 0xFFFFFF;
    const uint32_t expected = grid * block * args.rounds * args.accesses;
    hd_check(sum == expected, "%u of %u are counted", sum, expected);
    return HD_PASS;
}
