/* SPDX-License-Identifier: MIT */
/* First-level caches: what hits, who waits for whom, and what leaves them. */
#include "rig.h"

enum { HIT = 2 /* l0.latency */ + LINK };

Test(tile_fabric, a_line_is_fetched_once_for_a_tile)
{
    rig rig;
    rig_open(&rig, NULL);
    cr_expect_eq(rig_load(&rig, 0, AT(64)), 1000064);
    cr_expect_eq(rig_load(&rig, 3, AT(124)), 1000124);
    cr_expect_eq(rig.loads, 1);
    cr_expect_eq(rig_count(&rig, "l0_misses"), 1);
    cr_expect_eq(rig_count(&rig, "l0_hits"), 1);
    cr_expect_eq(rig_count(&rig, "memory_bytes_read"), 64);
    rig_close(&rig);
}

Test(tile_fabric, tiles_share_the_second_level)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_load(&rig, 0, AT(64));
    cr_expect_eq(rig_load(&rig, PES, AT(64)), 1000064);
    cr_expect_eq(rig.loads, 1);
    cr_expect_eq(rig_count(&rig, "l0_misses"), 2);
    cr_expect_eq(rig_count(&rig, "l1_misses"), 1);
    cr_expect_eq(rig_count(&rig, "l1_hits"), 1);
    rig_close(&rig);
}

Test(tile_fabric, one_read_of_a_bank_is_delivered_to_all_pes)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, NULL);
    rig_load(&rig, 0, AT(64));
    const hd_time t = kit_now(rig.kit) / CYCLE * CYCLE + 10 * CYCLE;
    for (uint32_t p = 0; p < PES; p++)
        rig_ask_load(&rig, p, AT(64 + 8 * p), t);
    for (uint32_t p = 0; p < PES; p++) {
        cr_assert(rig_take(&rig, p, t + HIT * CYCLE, &word), "PE %u waits", p);
        cr_expect_eq(word, 1000064 + 8 * p);
    }
    cr_expect_eq(rig_count(&rig, "bank_reads"), 1);
    cr_expect_eq(rig_count(&rig, "broadcast_deliveries"), PES - 1);
    cr_expect_eq(rig_count(&rig, "bank_conflict_cycles"), 0);
    rig_close(&rig);
}

Test(tile_fabric, different_lines_of_a_bank_take_turns)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, NULL);
    rig_load(&rig, 0, AT(0));
    rig_load(&rig, 0, AT(64 * BANKS));
    rig_load(&rig, 0, AT(64));
    const hd_time t = kit_now(rig.kit) / CYCLE * CYCLE + 10 * CYCLE;
    rig_ask_load(&rig, 0, AT(0), t);
    rig_ask_load(&rig, 1, AT(64 * BANKS), t);
    rig_ask_load(&rig, 2, AT(64), t);
    const uint32_t in_time = rig_take(&rig, 0, t + HIT * CYCLE, &word) + rig_take(&rig, 1, t + HIT * CYCLE, &word);
    cr_expect_eq(in_time, 1, "one of the two that want the same bank");
    cr_expect(rig_take(&rig, 2, t + HIT * CYCLE, &word), "another bank is free");
    cr_expect_eq(rig_count(&rig, "bank_conflict_cycles"), 1);
    rig_close(&rig);
}

Test(tile_fabric, a_store_fetches_nothing_and_is_seen_in_its_tile)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_store(&rig, 0, AT(64), 7);
    cr_expect_eq(rig.loads + rig.stores, 0);
    cr_expect_eq(rig_load(&rig, 1, AT(64)), 7);
    cr_expect_eq(rig.loads, 1, "the rest of the sector");
    cr_expect_eq(rig_load(&rig, 2, AT(68)), 1000068);
    cr_expect_eq(rig_memory(&rig, 64), 1000064, "nobody has written it back");
    rig_close(&rig);
}

Test(tile_fabric, a_line_that_leaves_writes_its_dirty_bytes_only)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_store(&rig, 0, AT(4), 7);
    rig_store(&rig, 0, AT(12), 9);
    rig_put(&rig, 8, 8);
    for (uint32_t i = 1; i <= 4; i++) /* as many as there are ways, in its bank and set */
        rig_load(&rig, 0, AT(i * 64 * BANKS * 4));
    cr_expect_eq(rig.stores, 1);
    cr_expect_eq(rig_memory(&rig, 4), 7);
    cr_expect_eq(rig_memory(&rig, 8), 8);
    cr_expect_eq(rig_memory(&rig, 12), 9);
    cr_expect_eq(rig_count(&rig, "write_back_bytes"), 8);
    rig_close(&rig);
}

Test(tile_fabric, accesses_to_a_line_that_is_awaited_stay_in_order)
{
    rig rig;
    uint32_t word = 0;
    rig_open(&rig, NULL);
    rig_ask_load(&rig, 0, AT(64), 0);
    rig_ask_store(&rig, 0, AT(64), 5, 0);
    rig_ask_load(&rig, 1, AT(64), 20 * CYCLE);
    kit_drain(rig.kit, 1000 * CYCLE);
    cr_assert(rig_take(&rig, 0, kit_now(rig.kit), &word));
    cr_expect_eq(word, 1000064, "the load is older than the store");
    cr_assert(rig_take(&rig, 1, kit_now(rig.kit), &word));
    cr_expect_eq(word, 5);
    cr_expect_eq(rig_count(&rig, "l0_merges"), 2);
    cr_expect_eq(rig.loads, 1);
    rig_close(&rig);
}

Test(tile_fabric, mshrs_are_shared_in_proportion_to_banks)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, NULL);
    rig_set(&rig, 0, HD_TILE_MAP + 0, 1);
    rig_register(&rig, 0, HD_TILE_COMMIT);
    const hd_time t = kit_now(rig.kit) + 10 * CYCLE;
    for (uint32_t i = 0; i < 4; i++) /* different sets; 8 MSHRs, of which a bank has two */
        rig_ask_load(&rig, 0, AT(64 * i), t);
    kit_run_until(rig.kit, t + 15 * CYCLE);
    cr_expect_eq(rig.loads, 2);
    kit_drain(rig.kit, t + 1000 * CYCLE);
    cr_expect_eq(rig.loads, 4);
    cr_expect_gt(rig_count(&rig, "mshr_stall_cycles"), 0);
    for (uint32_t i = 0; i < 4; i++)
        cr_expect(rig_take(&rig, 0, kit_now(rig.kit), &word));
    rig_close(&rig);
}

Test(tile_fabric, atomics_are_carried_out_at_memory)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_store(&rig, 0, AT(128), 50);
    rig_add(&rig, 0, AT(128), 3);
    cr_expect_eq(rig_memory(&rig, 128), 53, "what the cache had was written first");
    cr_expect_eq(rig_load(&rig, 1, AT(128)), 53, "and the line has gone");
    cr_expect_eq(rig.atomics, 1);
    rig_close(&rig);
}

Test(tile_fabric, the_second_level_keeps_nothing_older_than_memory)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_load(&rig, 0, AT(64));
    rig_store(&rig, PES, AT(64), 9);
    rig_register(&rig, PES, HD_TILE_FLUSH);
    cr_expect_eq(rig_memory(&rig, 64), 9);
    rig_register(&rig, 0, HD_TILE_FLUSH);
    const uint32_t loads = rig.loads;
    cr_expect_eq(rig_load(&rig, 0, AT(64)), 9);
    cr_expect_eq(rig.loads, loads, "the second level has it");
    rig_close(&rig);
}

Test(tile_fabric, tiles_that_reach_other_second_level_banks_see_what_is_written)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_set(&rig, 0, HD_TILE_SECOND_LEVEL, 1);
    rig_register(&rig, 0, HD_TILE_COMMIT);
    rig_set(&rig, PES, HD_TILE_SECOND_LEVEL, 2);
    rig_register(&rig, PES, HD_TILE_COMMIT);
    rig_load(&rig, 0, AT(64));
    rig_store(&rig, PES, AT(64), 9);
    rig_register(&rig, PES, HD_TILE_FLUSH);
    rig_register(&rig, 0, HD_TILE_FLUSH);
    cr_expect_eq(rig_load(&rig, 0, AT(64)), 9);
    cr_expect_eq(rig_count(&rig, "l1_misses"), 2);
    rig_close(&rig);
}
