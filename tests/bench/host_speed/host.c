/* SPDX-License-Identifier: MIT */
/* What tests/bench/host.sh measures: launches of an empty kernel, each waited for; and computation of the host's own, alone or
 * while a kernel runs. */
#include "args.h"
#include "heddle_rt.h"

#define WORDS 256u /* of the table that is mixed: loads, stores, a multiplication, shifts, a call and branches */

static uint64_t __attribute__((noinline)) mix(uint64_t state, uint64_t word)
{
    state ^= word;
    state ^= state << 13;
    state ^= state >> 7;
    return word + state * 0x2545F491;
}

static uint64_t compute(uint64_t turns)
{
    static uint64_t table[WORDS];
    uint64_t state = 1;
    for (uint64_t i = 0; i < turns; i++) {
        uint64_t *word = &table[state >> 3 & (WORDS - 1)];
        *word = mix(state, *word);
        state += (*word & 3) ? *word : 8;
    }
    return state;
}

int hd_app_main(void)
{
    uint64_t launches = hd_option("launches", 0), turns = hd_option("turns", 0);
    uint32_t rounds = (uint32_t)hd_option("rounds", 0), threads = (uint32_t)hd_option("threads", 15 * 1024);
    host_speed_args args = {.data = hd_malloc(threads * 4), .n = threads, .rounds = rounds};
    for (uint64_t i = 0; i < launches; i++) {
        hd_launch(hd_kernel_named("empty"), hd_1d(1), hd_1d(32), 0, &args, sizeof args);
        hd_synchronize();
    }
    if (rounds > 0)
        hd_launch(hd_kernel_named("work"), hd_1d((threads + 255) / 256), hd_1d(threads < 256 ? threads : 256), 0, &args,
                  sizeof args);
    hd_report("state", compute(turns));
    return HD_PASS;
}
