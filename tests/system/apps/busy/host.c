/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

#define THREADS_MAX (4u * 1024)

/* Words of 1. */
static hd_device_ptr table(uint32_t words)
{
    uint32_t *ones = hd_host_alloc(words * sizeof *ones);
    for (uint32_t i = 0; i < words; i++)
        ones[i] = 1;
    const hd_device_ptr uploaded = host_upload(ones, words * sizeof *ones);
    hd_host_free(ones);
    return uploaded;
}

int hd_app_main(void)
{
    static uint32_t done[THREADS_MAX];
    const char *kernel = hd_option_text("kernel", "computes");
    const uint32_t grid = host_option("grid", 1, 1, 4), block = host_option("block", 32, 1, 1024);
    busy_args args = {.data = host_filled(0, sizeof done + 4),
                      .times = host_option("times", 1000, 1, UINT32_MAX),
                      .first = host_option("first", 0, 0, 1023),
                      .last = host_option("last", 1023, 0, 1023),
                      .words = host_option("words", 1, 1, 1 << 24)};
    args.table = table(args.words);
    host_launch(kernel, hd_1d(grid), hd_1d(block), 4096, &args, sizeof args);
    hd_synchronize();
    hd_copy_from_device(done, args.data, sizeof done);
    for (uint32_t i = 0; i < grid * block; i++)
        if (i % block >= args.first && i % block <= args.last)
            host_check_word("done", i, done[i], args.times);
    return HD_PASS;
}
