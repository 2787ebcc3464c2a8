/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "args.h"
#include "common/host_check.h"

/* Each thread is in the stack once. */
static void check_stack(uint32_t first, const uint32_t *nexts, uint32_t threads)
{
    uint32_t length = 0;
    for (uint32_t next = first; next; next = nexts[next - 1]) {
        hd_check(next <= threads, "there is no thread %u", next - 1);
        hd_check(++length <= threads, "the stack goes round");
    }
    hd_check(length == threads, "%u of %u threads are in the stack", length, threads);
}

int hd_app_main(void)
{
    const uint32_t grid = host_option("grid", 1, 1, 65535), block = host_option("block", 64, 64, 1024);
    const uint32_t threads = grid * block;
    const char *kernel = hd_option_text("kernel", "waits_1");
    uint32_t word;
    const spin_loops_args args = {.word = host_filled(0, sizeof word),
                                  .nexts = host_filled(0, threads * sizeof(uint32_t)),
                                  .rounds = host_option("rounds", 1000, 0, 1000000)};
    hd_launch(hd_kernel_named(kernel), hd_1d(grid), hd_1d(block), 0, &args, sizeof args);
    hd_synchronize();
    hd_copy_from_device(&word, args.word, sizeof word);
    if (!strcmp(kernel, "pushes"))
        check_stack(word, host_download(args.nexts, threads * sizeof(uint32_t)), threads);
    else
        hd_check(word == 1, "the flag is %u", word);
    return HD_PASS;
}
