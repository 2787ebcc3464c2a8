/* SPDX-License-Identifier: MIT */
/* Launches one of the kernels, `launches` times on each of `queues` queues; every second queue takes `other` instead. */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    const char *kernel = hd_option_text("kernel", "everything"), *other = hd_option_text("other", kernel);
    uint32_t grid = host_option("grid", 2, 1, 65535), block = host_option("block", 96, 1, 1024);
    uint32_t scratchpad = host_option("scratchpad", 4096, 0, 65536);
    uint32_t other_scratchpad = host_option("other_scratchpad", scratchpad, 0, 65536);
    uint32_t queues = host_option("queues", 1, 1, 64), launches = host_option("launches", 1, 1, 64);
    live_args args = {.rounds = host_option("rounds", 2, 0, 1000), .stride = host_option("stride", 4, 4, 4096)};
    uint32_t copied = host_option("copied", 4096, 4, LIVE_BYTES);
    hd_set_stack(host_option("stack", 1024, 128, 65536));

    uint32_t *words = hd_host_alloc(copied);
    args.data = host_filled(0, LIVE_BYTES);
    for (uint32_t l = 0; l < launches; l++) {
        for (uint32_t q = 0; q < queues; q++) {
            hd_queue queue = {q};
            if (q && !l)
                queue = hd_queue_create();
            hd_launch_on(queue, hd_kernel_named(q % 2 ? other : kernel), hd_1d(grid), hd_1d(block),
                         q % 2 ? other_scratchpad : scratchpad, &args, sizeof args);
        }
    }
    hd_synchronize();
    hd_copy_from_device(words, args.data, copied);
    return HD_PASS;
}
