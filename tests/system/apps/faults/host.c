/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    const char *kernel = hd_option_text("kernel", "nothing");
    uint32_t grid = host_option("grid", 1, 0, 65535);
    uint32_t block = host_option("block", 32, 0, 1 << 20);
    uint32_t scratchpad = host_option("scratchpad", 0, 0, 1 << 30);
    faults_args args = {.first = host_option("first", 3, 0, 1023),
                        .last = host_option("last", 3, 0, 1023),
                        .offset = host_option("offset", 0, 0, UINT32_MAX)};
    args.data = host_filled(0, 256);
    if (host_option("exit", 0, 0, 1))
        exit(0);
    host_launch(kernel, hd_1d(grid), hd_1d(block), scratchpad, &args, sizeof args);
    hd_synchronize();
    hd_fail("kernel %s came to its end", kernel);
}
