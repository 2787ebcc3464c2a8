/* SPDX-License-Identifier: MIT */
#include "bench.h"

enum { MEMORY = 1 << 18 };

static void connect_ports(kit_block *kit)
{
    static const uint32_t endpoints[] = {0};
    kit_address_map(kit, 1, 4096, endpoints);
    kit_connect(kit, ACCESS, 0, 2, 6);
}

/* Calls of several cycles, in which much happens at once. */
static void connect_long_links(kit_block *kit)
{
    static const uint32_t endpoints[] = {0};
    kit_address_map(kit, 1, 4096, endpoints);
    kit_connect(kit, ACCESS, 0, 12, 24);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = kit_now(kit);
    for (uint32_t i = 0; i < 500; i++) {
        const uint64_t address = kit_random(&seed) % MEMORY;
        const uint32_t bytes = 1 + (uint32_t)(kit_random(&seed) % 300);
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 30000;
        if (kit_random(&seed) % 2)
            write_at(kit, address, bytes, (uint8_t)i, i, t);
        else
            read_at(kit, address, bytes, i, t);
    }
}

Test(dram, conforms)
{
    cr_expect_eq(kit_conformance(&hd_dram_banked, NULL, connect_ports, random_load), 0);
}

Test(dram, conforms_when_refreshed_often_and_short_of_room)
{
    static const char *const parameters[] = {"trefi=300 ns", "queue=5", "responses=2", "latency=3 cycles", NULL};
    cr_expect_eq(kit_conformance(&hd_dram_banked, parameters, connect_ports, random_load), 0);
}

Test(dram, conforms_over_long_links)
{
    cr_expect_eq(kit_conformance(&hd_dram_banked, NULL, connect_long_links, random_load), 0);
    static const char *const parameters[] = {"trefi=300 ns", "banks=8", "bank_groups=2", "responses=4", NULL};
    cr_expect_eq(kit_conformance(&hd_dram_banked, parameters, connect_long_links, random_load), 0);
}
