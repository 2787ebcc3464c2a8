/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"

#define CORES 3u
static const uint64_t block_cycles = 17;

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_LAUNCH, 0, 2, 3);
    kit_connect(kit, PORT_DONE, 0, 1, 2);
    for (uint32_t i = 0; i < CORES; i++) {
        kit_connect(kit, PORT_DISPATCH, i, 1 + i, 2);
        kit_connect(kit, PORT_EVENT, i, 1, 2 + i);
    }
    rig_answer(kit, &block_cycles);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    uint64_t state = seed;
    for (uint32_t i = 0; i < CORES; i++)
        rig_report_capacity(kit, i, &rig_small_core);
    hd_time t = 0;
    for (uint32_t launch = 0; launch < 12; launch++) {
        uint32_t blocks = 1 + (uint32_t)(kit_random(&state) % 20);
        uint32_t threads = 1 + (uint32_t)(kit_random(&state) % 100);
        hd_grid grid = rig_grid(launch, blocks, threads);
        grid.grid_size[1] = 1 + (uint32_t)(kit_random(&state) % 2);
        grid.scratchpad_bytes = (uint32_t)(kit_random(&state) % 9000);
        t += kit_random(&state) % 100000;
        rig_launch(kit, &grid, t);
    }
}

Test(tb_scheduler, conforms)
{
    static const char *const parameters[] = {"grids=3", "context_slots=7", NULL};
    cr_expect_eq(kit_conformance(&hd_tb_scheduler_round_robin, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_tb_scheduler_round_robin, parameters, connect_ports, random_load), 0);
}

Test(tb_scheduler, runs_every_block_of_a_random_load_once)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        kit_block *kit = kit_create(&hd_tb_scheduler_round_robin, (const char *[]){"grids=4", NULL});
        connect_ports(kit);
        kit_start(kit);
        random_load(kit, seed);
        kit_drain(kit, UINT64_C(1000000000));
        uint64_t state = seed;
        uint64_t blocks = 0;
        for (uint32_t launch = 0; launch < 12; launch++) {
            uint64_t x = 1 + kit_random(&state) % 20;
            kit_random(&state);
            blocks += x * (1 + kit_random(&state) % 2);
            kit_random(&state);
            kit_random(&state);
        }
        cr_expect_eq(kit_statistic(kit, "blocks"), blocks, "seed %llu", (unsigned long long)seed);
        cr_expect_eq(kit_statistic(kit, "grids"), 12, "seed %llu", (unsigned long long)seed);
        kit_destroy(kit);
    }
}
