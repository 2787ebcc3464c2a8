/* SPDX-License-Identifier: MIT */
/* One launch of a kernel that makes a mistake, or of one like it that makes none. Results are nobody's business. */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    const char *kernel = hd_option_text("kernel", "nothing");
    const uint32_t blocks = host_option("grid", 2, 1, 64), threads = host_option("block", 64, 1, 1024);
    const uint32_t words = blocks * threads;
    uint32_t *numbers = hd_host_alloc((words + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < words; i++)
        numbers[i] = i;
    checked_args args = {.in = host_upload(numbers, (words + 1) * sizeof *numbers),
                         .flags = host_filled(0, 256),
                         .distance = host_option("distance", 0, 0, UINT32_MAX)};
    args.gone = hd_malloc(4096);
    args.out = hd_malloc(words * sizeof *numbers);
    args.short_one = hd_malloc(10);
    hd_fill(args.gone, 0, 4096);
    hd_free(args.gone);
    host_launch(kernel, hd_1d(blocks), hd_1d(threads), threads * 4, &args, sizeof args);
    hd_copy_from_device(numbers, args.out, words * sizeof *numbers);
    return HD_PASS;
}
