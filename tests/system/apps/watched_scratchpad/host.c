/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t sum;
    watched_scratchpad_args args = {.sum = host_filled(0, sizeof sum), .gives_up = host_option("gives_up", 0, 0, 1)};
    host_launch("watched_scratchpad", hd_1d(1), hd_1d(32), 128, &args, sizeof args);
    hd_copy_from_device(&sum, args.sum, sizeof sum);
    hd_check(sum == 1 + 2 + 3, "sum: %u", sum);
    return HD_PASS;
}
