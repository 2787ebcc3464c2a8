/* SPDX-License-Identifier: MIT */
/* Threads count in words of the scratchpad, in transactions on it; what they have counted must be there. */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t grid = host_option("grid", 4, 1, 1024), block = host_option("block", 96, 1, 1024);
    local_args args = {.words = host_option("words", 64, 1, WORDS_MAX),
                       .rounds = host_option("rounds", 2, 1, 1000),
                       .accesses = host_option("accesses", 2, 1, 16),
                       .reads = host_option("reads", 2, 1, 16),
                       .aborts = host_option("aborts", 8, 0, 1000),
                       .attempts = host_option("attempts", 1, 1, 1000),
                       .blind = host_option("blind", 0, 0, 1)};
    uint32_t *sums = hd_host_alloc(grid * 4);
    args.sums = host_poisoned(grid * 4);
    hd_launch(hd_kernel_named("local"), hd_1d(grid), hd_1d(block), (args.words + args.reads + args.blind) * 4, &args,
              sizeof args);
    hd_synchronize();
    hd_copy_from_device(sums, args.sums, grid * 4);
    for (uint32_t i = 0; i < grid; i++)
        host_check_word("block", i, sums[i], block * args.rounds * args.accesses);
    return HD_PASS;
}
