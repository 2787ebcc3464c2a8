/* SPDX-License-Identifier: MIT */
/* Banks and crossbars that programs set. */
#include <string.h>

#include "rig.h"

static void commit(rig *rig)
{
    rig_register(rig, 0, HD_TILE_COMMIT);
}

static void set_bank(rig *rig, uint32_t bank, uint32_t mode)
{
    rig_set(rig, 0, HD_TILE_BANK_MODE + bank, mode);
    commit(rig);
}

Test(tile_fabric, a_cache_that_becomes_a_scratchpad_writes_back_and_is_empty)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_store(&rig, 1, AT(0), 11);
    set_bank(&rig, 0, HD_TILE_IS_SCRATCHPAD);
    cr_expect_eq(rig_memory(&rig, 0), 11);
    cr_expect_eq(rig_count(&rig, "mode_changes"), 1);
    cr_expect_eq(rig_count(&rig, "mode_write_backs"), 1);
    const uint64_t misses = rig_count(&rig, "l0_misses");
    cr_expect_eq(rig_load(&rig, 1, AT(0)), 11);
    cr_expect_eq(rig_count(&rig, "l0_misses"), misses + 1, "no bank has the line any more");
    rig_close(&rig);
}

Test(tile_fabric, a_scratchpad_that_becomes_a_cache_has_no_lines)
{
    rig rig;
    rig_open(&rig, NULL);
    set_bank(&rig, 0, HD_TILE_IS_SCRATCHPAD);
    rig_store(&rig, 0, HD_TILE_SCRATCHPAD, 77);
    cr_expect_eq(rig_load(&rig, 3, HD_TILE_SCRATCHPAD), 77);
    cr_expect_eq(rig_count(&rig, "scratchpad_loads"), 1);
    set_bank(&rig, 0, HD_TILE_CACHE);
    for (uint32_t i = 0; i < BANKS; i++)
        cr_expect_eq(rig_load(&rig, 0, AT(i * 64)), 1000000 + i * 64);
    cr_expect_eq(rig.stores, 0, "nothing of a scratchpad goes to memory");
    rig_close(&rig);
}

Test(tile_fabric, scratchpad_banks_lie_one_behind_the_other)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_set(&rig, 0, HD_TILE_BANK_MODE + 1, HD_TILE_IS_SCRATCHPAD);
    rig_set(&rig, 0, HD_TILE_BANK_MODE + 3, HD_TILE_IS_SCRATCHPAD);
    commit(&rig);
    cr_expect_eq(rig_register(&rig, 2, HD_TILE_SCRATCHPAD_BYTES), 2 * BANK_BYTES);
    rig_store(&rig, 0, HD_TILE_SCRATCHPAD + BANK_BYTES + 4, 5);
    rig_store(&rig, 0, HD_TILE_SCRATCHPAD + 4, 6);
    cr_expect_eq(rig_load(&rig, 1, HD_TILE_SCRATCHPAD + BANK_BYTES + 4), 5);
    cr_expect_eq(rig_load(&rig, 1, HD_TILE_SCRATCHPAD + 4), 6);
    rig_load(&rig, 1, HD_TILE_SCRATCHPAD + 2 * BANK_BYTES);
    cr_expect_str_eq(rig.mistake, "PE 1 of tile 0 reaches 2048 B of scratchpad banks");
    rig_close(&rig);
}

/* From the request of a commit that nothing is in the way of to its answer. */
static hd_time time_of_commit(const char *const *parameters)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, parameters);
    rig_ask_load(&rig, 0, REGISTER(HD_TILE_COMMIT), 0);
    cr_assert(rig_take(&rig, 0, 1000 * CYCLE, &word));
    const hd_time time = rig.answered;
    cr_expect_eq(rig_count(&rig, "reconfigurations"), 1);
    cr_expect_eq(rig_count(&rig, "reconfigure_cycles"), time / CYCLE - 2 /* manager.latency */ - LINK - 1);
    rig_close(&rig);
    return time;
}

Test(tile_fabric, crossbars_take_ten_cycles)
{
    cr_expect_eq(time_of_commit(NULL), (1 + 10 + 2 + LINK) * CYCLE);
    cr_expect_eq(time_of_commit((const char *[]){"reconfigure=3 cycles", NULL}), (1 + 3 + 2 + LINK) * CYCLE);
}

Test(tile_fabric, settings_hold_from_the_commit_on_and_all_at_once)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_set(&rig, 0, HD_TILE_BANK_MODE + 0, HD_TILE_IS_SCRATCHPAD);
    rig_set(&rig, 0, HD_TILE_MAP + 1, 1);
    cr_expect_eq(rig_register(&rig, 1, HD_TILE_SCRATCHPAD_BYTES), 0);
    cr_expect_eq(rig_load(&rig, 1, AT(0)), 1000000);
    cr_expect_eq(rig_count(&rig, "bypasses"), 0);
    commit(&rig);
    cr_expect_eq(rig_register(&rig, 1, HD_TILE_SCRATCHPAD_BYTES), BANK_BYTES);
    cr_expect_eq(rig_load(&rig, 1, AT(0)), 1000000);
    cr_expect_eq(rig_count(&rig, "bypasses"), 1, "PE 1 reaches no cache");
    cr_expect_eq(rig_register(&rig, PES, HD_TILE_SCRATCHPAD_BYTES), 0, "the other tile is as it was");
    rig_close(&rig);
}

Test(tile_fabric, a_tile_takes_nothing_while_it_is_set)
{
    rig rig;
    uint32_t word;
    rig_open(&rig, NULL);
    rig_load(&rig, 1, AT(0));
    const hd_time t = kit_now(rig.kit) / CYCLE * CYCLE + 10 * CYCLE;
    rig_ask_load(&rig, 0, REGISTER(HD_TILE_COMMIT), t);
    rig_ask_load(&rig, 1, AT(0), t + CYCLE);
    rig_ask_load(&rig, PES, REGISTER(HD_TILE_TILE), t + CYCLE);
    cr_expect(rig_take(&rig, PES, t + 5 * CYCLE, &word), "the other tile goes on");
    cr_expect_not(rig_take(&rig, 1, t + 10 * CYCLE, &word));
    cr_expect(rig_take(&rig, 1, t + 20 * CYCLE, &word));
    cr_expect(rig_take(&rig, 0, t + 20 * CYCLE, &word));
    rig_close(&rig);
}

Test(tile_fabric, pass_through_isolates)
{
    rig rig;
    rig_open(&rig, (const char *[]){"stale_reads=count", NULL});
    for (uint32_t p = 0; p < PES; p++)
        rig_set(&rig, 0, HD_TILE_MAP + p, 1u << p);
    commit(&rig);
    for (uint32_t p = 0; p < PES; p++)
        cr_expect_eq(rig_load(&rig, p, AT(64)), 1000064);
    cr_expect_eq(rig_count(&rig, "l0_misses"), PES, "each has a cache of its own");
    rig_store(&rig, 0, AT(64), 3);
    cr_expect_eq(rig_load(&rig, 0, AT(64)), 3);
    cr_expect_eq(rig_load(&rig, 1, AT(64)), 1000064);
    cr_expect_eq(rig_count(&rig, "stale_reads"), 1);
    rig_close(&rig);
}

Test(tile_fabric, a_private_bank_is_for_its_pes_alone)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_set(&rig, 0, HD_TILE_BANK_MODE + 2, HD_TILE_IS_SCRATCHPAD);
    rig_set(&rig, 0, HD_TILE_BANK_SCOPE + 2, 0x5);
    commit(&rig);
    for (uint32_t p = 0; p < PES; p++)
        cr_expect_eq(rig_register(&rig, p, HD_TILE_SCRATCHPAD_BYTES), p % 2 ? 0 : BANK_BYTES);
    rig_close(&rig);
}

Test(tile_fabric, point_to_point_joins_two_pes)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_set(&rig, 0, HD_TILE_BANK_MODE + 1, HD_TILE_IS_SCRATCHPAD);
    rig_set(&rig, 0, HD_TILE_BANK_SCOPE + 1, 0x9);
    rig_set(&rig, 0, HD_TILE_MAP + 0, 2);
    rig_set(&rig, 0, HD_TILE_MAP + 3, 2);
    commit(&rig);
    rig_store(&rig, 0, HD_TILE_SCRATCHPAD + 8, 4711);
    cr_expect_eq(rig_load(&rig, 3, HD_TILE_SCRATCHPAD + 8), 4711);
    rig_load(&rig, 1, HD_TILE_SCRATCHPAD + 8);
    cr_expect_str_eq(rig.mistake, "PE 1 of tile 0 reaches 0 B of scratchpad banks");
    rig_close(&rig);
}

Test(tile_fabric, dirty_lines_forbid_a_change_that_the_program_says_is_flushed)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_store(&rig, 1, AT(64 * 4), 11);
    rig_set(&rig, 0, HD_TILE_BANK_MODE + 0, HD_TILE_IS_SCRATCHPAD);
    rig_register(&rig, 0, HD_TILE_COMMIT_FLUSHED);
    cr_expect_str_eq(
        rig.mistake,
        "tile 0 makes bank 0 a scratchpad, which has dirty bytes of the line at 0x10000100: it is not flushed");
    cr_expect_eq(rig_count(&rig, "reconfigurations"), 0);
    rig_register(&rig, 0, HD_TILE_FLUSH);
    rig_register(&rig, 0, HD_TILE_COMMIT_FLUSHED);
    cr_expect_str_eq(rig.mistake, "");
    cr_expect_eq(rig_count(&rig, "reconfigurations"), 1);
    rig_close(&rig);
}

static void expect_wrong(uint32_t number, uint32_t value, const char *text)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_set(&rig, PES, number, value);
    rig_register(&rig, PES, HD_TILE_COMMIT);
    cr_expect_str_eq(rig.mistake, text);
    cr_expect_eq(rig_count(&rig, "reconfigurations"), 0);
    rig_close(&rig);
}

Test(tile_fabric, settings_that_make_no_sense_are_refused)
{
    expect_wrong(HD_TILE_BANK_MODE + 2, 7, "tile 1 commits mode 7 of bank 2: it is cache (0) or scratchpad (1)");
    expect_wrong(HD_TILE_BANK_SCOPE + 1, 0x10,
                 "tile 1 commits scope 0x10 of bank 1 names more than the 4 PEs of the tile");
    expect_wrong(HD_TILE_MAP + 3, 0x21, "tile 1 commits map 0x21 of PE 3 names more than the 4 banks of the tile");
    expect_wrong(HD_TILE_ENABLE, 0, "tile 1 commits PEs 0 are enabled: of 4 PEs at least one has to be, and no others");
    expect_wrong(HD_TILE_SECOND_LEVEL, 4,
                 "tile 1 commits second-level banks 0x4 are reached: of 2 at least one has to be, and no others");
}

static void expect_store_refused(uint64_t address, const char *text)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_store(&rig, 5, address, 1);
    cr_expect_str_eq(rig.mistake, text);
    cr_expect_eq(rig_load(&rig, 5, AT(64)), 1000064, "who goes on is the core's business");
    rig_close(&rig);
}

Test(tile_fabric, stores_to_nothing_are_mistakes)
{
    expect_store_refused(REGISTER(40), "the tile manager has no register 40 to store");
    expect_store_refused(REGISTER(HD_TILE_BANK_MODE + BANKS), "the tile manager has no register 68 to store");
    expect_store_refused(HD_TILE_SCRATCHPAD, "PE 1 of tile 1 reaches 0 B of scratchpad banks");
}

Test(tile_fabric, atomics_on_what_is_no_memory_are_mistakes)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_add(&rig, 1, HD_TILE_SCRATCHPAD + 64, 1);
    cr_expect_str_eq(rig.mistake, "scratchpad banks carry out no atomics");
    rig_add(&rig, 1, REGISTER(HD_TILE_ITEM), 1);
    cr_expect_str_eq(rig.mistake, "a register of the tile manager is loaded or stored, as a word");
    cr_expect_eq(rig.wrong[31], 1, "all of it");
    rig_close(&rig);
}

/* No program does that: a core that is none of theirs. */
Test(tile_fabric, requests_that_there_are_not_end_the_run)
{
    rig rig;
    rig_open(&rig, NULL);
    kit_expect_fault(rig.kit);
    rig_ask_store(&rig, 5, AT(62), 1, 0);
    kit_drain(rig.kit, 1000 * CYCLE);
    cr_assert_not_null(kit_fault_text(rig.kit));
    cr_expect(strstr(kit_fault_text(rig.kit), "PE 1 of tile 1, address 0x1000003e, 4 B: it crosses a line of 64 B"),
              "%s", kit_fault_text(rig.kit));
    rig_close(&rig);
}

Test(tile_fabric, a_register_that_there_is_not_cannot_be_loaded)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_register(&rig, 2, 63);
    cr_expect_str_eq(rig.mistake, "the tile manager has no register 63 to load");
    rig_close(&rig);
}

Test(tile_fabric, sizes_that_do_not_fit_are_refused)
{
    char text[256];
    cr_expect(kit_refuses(&hd_tile_fabric_reconfigurable, (const char *[]){"tiles=64", NULL}, text, sizeof text));
    cr_expect(strstr(text, "tiles times pes exceeds 256 PEs"), "%s", text);
    cr_expect(
        kit_refuses(&hd_tile_fabric_reconfigurable, (const char *[]){"l0.bytes=1000 B", NULL}, text, sizeof text));
    cr_expect(strstr(text, "no multiple of l0.banks times l0.ways lines"), "%s", text);
    cr_expect(kit_refuses(&hd_tile_fabric_reconfigurable, (const char *[]){"l1.bytes=96 B", NULL}, text, sizeof text));
    cr_expect(strstr(text, "no multiple of l1.ways lines"), "%s", text);
    cr_expect(kit_refuses(&hd_tile_fabric_reconfigurable, (const char *[]){"l0.bytes=1 MiB", NULL}, text, sizeof text));
    cr_expect(strstr(text, "exceeds the 256 KiB"), "%s", text);
}
