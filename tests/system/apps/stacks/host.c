/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t blocks = host_option("blocks", 64, 1, 65535), block = host_option("block", 128, 1, 1024), sum;
    stacks_args args = {.sum = host_poisoned(sizeof sum), .rounds = host_option("rounds", 2, 0, 1000)};
    host_launch("stacks", hd_1d(blocks), hd_1d(block), 0, &args, sizeof args);
    hd_copy_from_device(&sum, args.sum, sizeof sum);
    host_check_word("sum", 0, sum, 6);
    return HD_PASS;
}
