/* SPDX-License-Identifier: MIT */
#include "network_bench.h"

#include <stdio.h>
#include <time.h>

static void stress(const hd_block_class *type, random_setting *random)
{
    const uint64_t packets = network_stress(type, random, (uint64_t)time(NULL), network_packets(20000));
    printf("network packets: %s %llu\n", type->type, (unsigned long long)packets);
}

Test(network_random, round_robin)
{
    stress(&hd_crossbar_round_robin, random_crossbar);
}

Test(network_random, islip)
{
    stress(&hd_crossbar_islip, random_islip);
}

Test(network_random, ideal)
{
    stress(&hd_crossbar_ideal, random_ideal);
}
