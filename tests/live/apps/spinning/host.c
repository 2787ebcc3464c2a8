/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    const uint32_t grid = host_option("grid", 4, 1, 65535), block = host_option("block", 32, 1, 1024);
    uint32_t words[4];
    spinning_args args = {.locks = host_filled(0, sizeof words), .rounds = host_option("rounds", 2, 0, 1000)};
    const char *kernel = hd_option_text("kernel", "spinning");
    hd_launch(hd_kernel_named(kernel), hd_1d(grid), hd_1d(block), 0, &args, sizeof args);
    hd_synchronize();
    hd_copy_from_device(words, args.locks, sizeof words);
    hd_check(!words[0] && !words[1], "a lock has not been given back");
    if (kernel[1] == 't')
        hd_check(words[2] == 1, "the word is %u", words[2]);
    else
        hd_check(words[2] == grid * block * args.rounds && words[3] == words[2], "taken %u and %u times", words[2],
                 words[3]);
    return HD_PASS;
}
