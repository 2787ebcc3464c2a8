/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

#define N 64u

static volatile uint32_t watched; /* how many have been looked at */

static uint32_t expected(uint32_t i, uint32_t value)
{
    const uint32_t rounds = value + 1;
    if (i % 2 == 0)
        return value * 5;
    for (uint32_t round = 0; round < rounds; round++)
        value = value * 3 + round;
    return value;
}

int hd_app_main(void)
{
    uint32_t *in = hd_host_alloc(N * sizeof *in), *out = hd_host_alloc(N * sizeof *out);
    for (uint32_t i = 0; i < N; i++)
        in[i] = i % 4;
    debugged_args args = {.in = host_upload(in, N * sizeof *in), .out = host_poisoned(N * sizeof *out)};
    host_launch("debugged", hd_1d(2), hd_1d(N / 2), N / 2 * sizeof *in, &args, sizeof args);
    hd_copy_from_device(out, args.out, N * sizeof *out);
    for (uint32_t i = 0; i < N; i++) {
        watched = i;
        hd_check(out[i] == expected(i, in[i]), "word %u is %u", i, out[i]);
    }
    hd_report("looked_at", watched + 1);
    return HD_PASS;
}
