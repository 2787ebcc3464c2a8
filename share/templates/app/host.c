#include "args.h"
#include "common/host_check.h"

#define BLOCK 128

int hd_app_main(void)
{
    uint32_t n = host_option("n", 4096, 1, 1u << 26);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = n * sizeof(uint32_t);
    uint32_t *x = hd_host_alloc(bytes);
    uint32_t *y = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < n; i++)
        x[i] = host_random_below(&random, UINT32_MAX);

    @name@_args args = {.x = host_upload(x, bytes), .y = host_poisoned(bytes), .n = n};
    host_launch("@name@", host_blocks(n, BLOCK), hd_1d(BLOCK), 0, &args, sizeof args);

    hd_copy_from_device(y, args.y, bytes);
    for (uint32_t i = 0; i < n; i++)
        host_check_word("y", i, y[i], 2 * x[i] + 1);
    hd_report("elements", n);
    return HD_PASS;
}
