/* SPDX-License-Identifier: MIT */
/* A program that does something else each time: what it gives the device is where the system has put its stack. */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t word, place = (uint32_t)((uintptr_t)&word >> 4);
    const fickle_args args = {.word = host_upload(&place, sizeof place), .times = 10000};
    host_launch("waits", hd_1d(1), hd_1d(32), 0, &args, sizeof args);
    hd_synchronize();
    hd_copy_from_device(&word, args.word, sizeof word);
    return word == place + args.times ? HD_PASS : HD_FAIL;
}
