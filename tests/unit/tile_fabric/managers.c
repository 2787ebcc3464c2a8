/* SPDX-License-Identifier: MIT */
/* Work, barriers, and PEs that sleep. */
#include <string.h>

#include "rig.h"

static void offer(rig *rig, uint32_t pe, uint32_t first, uint32_t end)
{
    rig_set(rig, pe, HD_TILE_ITEM_FIRST, first);
    rig_set(rig, pe, HD_TILE_ITEM_END, end);
}

Test(tile_fabric, who_asks_first_gets_the_next_item)
{
    rig rig;
    rig_open(&rig, NULL);
    offer(&rig, 0, 100, 103);
    cr_expect_eq(rig_register(&rig, 2, HD_TILE_ITEM), 100);
    cr_expect_eq(rig_register(&rig, 0, HD_TILE_ITEM), 101);
    cr_expect_eq(rig_register(&rig, 2, HD_TILE_ITEM), 102, "it is idle again before PE 1");
    cr_expect_eq(rig_register(&rig, 1, HD_TILE_ITEM), HD_TILE_NO_ITEM);
    cr_expect_eq(rig_register(&rig, PES, HD_TILE_ITEM), HD_TILE_NO_ITEM, "the other tile was offered nothing");
    cr_expect_eq(rig_count(&rig, "items"), 3);
    rig_close(&rig);
}

Test(tile_fabric, an_item_is_handed_out_once_however_many_ask)
{
    rig rig;
    uint32_t word, seen = 0;
    rig_open(&rig, NULL);
    rig_set(&rig, 0, HD_TILE_MACHINE_ITEM_FIRST, 0);
    rig_set(&rig, 0, HD_TILE_MACHINE_ITEM_END, 6);
    const hd_time t = kit_now(rig.kit) + 10 * CYCLE;
    for (uint32_t p = 0; p < TILES * PES; p++)
        rig_ask_load(&rig, p, REGISTER(HD_TILE_MACHINE_ITEM), t);
    for (uint32_t p = 0; p < TILES * PES; p++) {
        cr_assert(rig_take(&rig, p, t + 100 * CYCLE, &word));
        if (word == HD_TILE_NO_ITEM)
            continue;
        cr_expect_not(seen >> word & 1, "item %u twice", word);
        seen |= 1u << word;
    }
    cr_expect_eq(seen, 0x3F);
    rig_close(&rig);
}

Test(tile_fabric, a_barrier_opens_when_all_have_come)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, NULL);
    for (uint32_t p = 0; p < PES - 1; p++)
        rig_ask_load(&rig, p, REGISTER(HD_TILE_BARRIER), p * CYCLE);
    kit_run_until(rig.kit, 100 * CYCLE);
    cr_expect_not(rig_take(&rig, 0, 100 * CYCLE, &word));
    cr_expect(
        strstr(kit_described(rig.kit), "tile 0: 3 of 4 PEs wait at the barrier of their tile; PEs 0xf are enabled"),
        "%s", kit_described(rig.kit));
    rig_ask_load(&rig, PES - 1, REGISTER(HD_TILE_BARRIER), 200 * CYCLE);
    for (uint32_t p = 0; p < PES; p++) {
        cr_expect(rig_take(&rig, p, 300 * CYCLE, &word));
        cr_expect_eq(rig.answered, (200 + 2 + LINK) * CYCLE);
    }
    cr_expect_eq(rig_count(&rig, "barriers"), 1);
    cr_expect_eq(rig_count(&rig, "barrier_cycles"), 200 + 199 + 198);
    cr_expect_eq(rig_count(&rig, "gated_cycles"), 0, "who waits for others is awake");
    rig_close(&rig);
}

Test(tile_fabric, a_barrier_of_the_machine_waits_for_all_tiles)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, NULL);
    for (uint32_t p = 0; p < TILES * PES; p++)
        rig_ask_load(&rig, p, REGISTER(HD_TILE_MACHINE_BARRIER), p * 50 * CYCLE);
    cr_expect_not(rig_take(&rig, 0, 349 * CYCLE, &word));
    for (uint32_t p = 0; p < TILES * PES; p++)
        cr_expect(rig_take(&rig, p, 400 * CYCLE, &word));
    cr_expect_eq(rig_count(&rig, "barriers"), 1);
    rig_close(&rig);
}

static void enable(rig *rig, uint32_t pes)
{
    rig_set(rig, 0, HD_TILE_ENABLE, pes);
    rig_register(rig, 0, HD_TILE_COMMIT);
}

Test(tile_fabric, a_pe_that_is_disabled_gets_no_work_and_its_cycles_are_counted)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, NULL);
    offer(&rig, 0, 0, 10);
    enable(&rig, 0x5);
    cr_expect_eq(rig_register(&rig, 2, HD_TILE_ENABLED), 0x5);
    const hd_time t = kit_now(rig.kit) / CYCLE * CYCLE + 10 * CYCLE;
    rig_ask_load(&rig, 1, REGISTER(HD_TILE_ITEM), t);
    kit_run_until(rig.kit, t + 1000 * CYCLE);
    cr_expect_not(rig_take(&rig, 1, t + 1000 * CYCLE, &word));
    cr_expect_eq(rig_count(&rig, "gated_cycles"), 1000);
    cr_expect_eq(rig_register(&rig, 2, HD_TILE_ITEM), 0);
    enable(&rig, 0xF);
    cr_expect(rig_take(&rig, 1, kit_now(rig.kit) + 100 * CYCLE, &word));
    cr_expect_eq(word, 1);
    const uint64_t gated = rig_count(&rig, "gated_cycles");
    kit_run_until(rig.kit, kit_now(rig.kit) + 500 * CYCLE);
    cr_expect_eq(rig_count(&rig, "gated_cycles"), gated, "it is awake");
    rig_close(&rig);
}

Test(tile_fabric, barriers_wait_for_enabled_pes_only)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, NULL);
    enable(&rig, 0x3);
    rig_ask_load(&rig, 0, REGISTER(HD_TILE_BARRIER), kit_now(rig.kit));
    rig_ask_load(&rig, 1, REGISTER(HD_TILE_BARRIER), kit_now(rig.kit));
    cr_expect(rig_take(&rig, 0, kit_now(rig.kit) + 100 * CYCLE, &word));
    cr_expect(rig_take(&rig, 1, kit_now(rig.kit) + 100 * CYCLE, &word));
    rig_close(&rig);
}

static void arrive(rig *rig, uint32_t pes)
{
    for (uint32_t p = 0; p < PES; p++)
        if (pes >> p & 1)
            rig_ask_load(rig, p, REGISTER(HD_TILE_SWITCH), kit_now(rig->kit));
    kit_drain(rig->kit, kit_now(rig->kit) + 1000 * CYCLE);
}

Test(tile_fabric, a_switch_puts_pes_to_sleep_until_the_next_one)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, NULL);
    rig_set(&rig, 0, HD_TILE_ENABLE, 0x5);
    arrive(&rig, 0xF);
    for (uint32_t p = 0; p < PES; p++) {
        cr_expect_eq(rig_take(&rig, p, kit_now(rig.kit), &word), p % 2 == 0, "PE %u", p);
        cr_expect_eq(word, 0);
    }
    kit_run_until(rig.kit, kit_now(rig.kit) + 1000 * CYCLE);
    cr_expect_geq(rig_count(&rig, "gated_cycles"), 2000);
    rig_set(&rig, 2, HD_TILE_ENABLE, 0xF);
    arrive(&rig, 0x5);
    for (uint32_t p = 0; p < PES; p++) {
        cr_expect(rig_take(&rig, p, kit_now(rig.kit), &word), "PE %u", p);
        cr_expect_eq(word, p % 2, "PE %u", p);
    }
    cr_expect_eq(rig_count(&rig, "reconfigurations"), 2);
    arrive(&rig, 0xF);
    for (uint32_t p = 0; p < PES; p++) {
        cr_expect(rig_take(&rig, p, kit_now(rig.kit), &word));
        cr_expect_eq(word, 0, "nobody has slept since");
    }
    rig_close(&rig);
}
