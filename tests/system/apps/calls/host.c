/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"
#include "work.h"

static uint32_t wide(uint32_t seed)
{
    return work_wide(seed);
}

static uint32_t in_library(uint32_t seed)
{
    return work_in_library(seed);
}

static uint32_t on_stack(uint32_t seed)
{
    return work_on_stack(seed);
}

static uint32_t spills(uint32_t seed)
{
    return seed ^ work_mix(seed, 1);
}

static uint32_t specials(uint32_t seed)
{
    return seed % 16 + 1 + (1u << seed % 16) + 1 + 0 + 1 + 1 + (1u << seed % 16) + 1 + 0;
}

static const struct {
    const char *kernel;
    uint32_t (*expected)(uint32_t seed);
} cases[] = {{"wide", wide},     {"in_library", in_library}, {"on_stack", on_stack},
             {"spills", spills}, {"specials", specials},     {"calls_a_kernel", wide}};

int hd_app_main(void)
{
    uint32_t n = host_option("n", 200, 1, 1 << 16);
    uint64_t random = hd_option("seed", 1);
    uint32_t *in = hd_host_alloc(4 * n), *out = hd_host_alloc(4 * n);
    for (uint32_t i = 0; i < n; i++)
        in[i] = (uint32_t)hd_random(&random);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        calls_args args = {.in = host_upload(in, 4 * n), .out = host_poisoned(4 * n), .n = n};
        host_launch(cases[i].kernel, host_blocks(n, 64), hd_1d(64), 0, &args, sizeof args);
        hd_copy_from_device(out, args.out, 4 * n);
        for (uint32_t k = 0; k < n; k++)
            host_check_word(cases[i].kernel, k, out[k], cases[i].expected(in[k]));
    }
    return HD_PASS;
}
