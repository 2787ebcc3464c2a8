/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t block = host_option("block", 32, 1, 1024);
    uint32_t grid = host_option("grid", 2, 1, 1024);

    spinlock_args args = {.lock = host_filled(0, sizeof(uint32_t)), .counter = host_filled(0, sizeof(uint32_t))};
    host_launch("spinlock", hd_1d(grid), hd_1d(block), 0, &args, sizeof args);

    uint32_t counter;
    uint32_t lock;
    hd_copy_from_device(&counter, args.counter, sizeof counter);
    hd_copy_from_device(&lock, args.lock, sizeof lock);
    host_check_word("counter", 0, counter, block * grid);
    host_check_word("lock", 0, lock, 0);
    hd_report("threads", counter);
    return HD_PASS;
}
