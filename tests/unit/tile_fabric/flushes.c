/* SPDX-License-Identifier: MIT */
/* Caches that are not coherent: what flushes do, and what becomes of those that are forgotten. */
#include <string.h>

#include "rig.h"

#define OTHER PES /* PE 0 of tile 1 */

Test(tile_fabric, a_store_is_seen_in_another_tile_after_flushes)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_load(&rig, OTHER, AT(64));
    rig_store(&rig, 0, AT(64), 5);
    rig_register(&rig, 0, HD_TILE_WRITE_BACK);
    cr_expect_eq(rig_memory(&rig, 64), 5);
    rig_register(&rig, OTHER, HD_TILE_INVALIDATE);
    cr_expect_eq(rig_load(&rig, OTHER, AT(64)), 5);
    cr_expect_str_eq(rig.mistake, "");
    cr_expect_eq(rig_count(&rig, "flushes"), 2);
    rig_close(&rig);
}

Test(tile_fabric, a_forgotten_write_back_is_found)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_store(&rig, 0, AT(68), 5);
    cr_expect_eq(rig_load(&rig, OTHER, AT(68)), 1000068);
    cr_expect_str_eq(rig.mistake, "PE 0 of tile 1 reads stale bytes: tile 0 has stored them and not written them back");
    for (uint32_t i = 0; i < 32; i++)
        cr_expect_eq(rig.wrong[i], i / 4 == 1, "byte %u", i);
    rig_close(&rig);
}

Test(tile_fabric, a_forgotten_invalidation_is_found)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_load(&rig, OTHER, AT(64));
    rig_store(&rig, 0, AT(72), 5);
    rig_register(&rig, 0, HD_TILE_FLUSH);
    cr_expect_eq(rig_load(&rig, OTHER, AT(72)), 1000072);
    cr_expect_str_eq(rig.mistake,
                     "PE 0 of tile 1 reads stale bytes: its cache has kept them since before tile 0 stored them");
    rig_close(&rig);
}

Test(tile_fabric, it_is_found_past_the_first_level_too)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_set(&rig, OTHER, HD_TILE_MAP + 0, 0);
    rig_register(&rig, OTHER, HD_TILE_COMMIT);
    rig_store(&rig, 0, AT(64), 5);
    rig_load(&rig, OTHER, AT(64));
    cr_expect_str_eq(rig.mistake, "PE 0 of tile 1 reads stale bytes: tile 0 has stored them and not written them back");
    rig_store(&rig, OTHER, AT(96), 6);
    cr_expect_eq(rig_memory(&rig, 96), 6);
    rig_load(&rig, 0, AT(96));
    cr_expect_str_eq(rig.mistake, "", "it was fetched after the store");
    rig_store(&rig, OTHER, AT(96), 7);
    rig_load(&rig, 0, AT(96));
    cr_expect_str_eq(rig.mistake,
                     "PE 0 of tile 0 reads stale bytes: its cache has kept them since before tile 1 stored them");
    rig_close(&rig);
}

Test(tile_fabric, a_copy_is_stale_after_an_atomic_elsewhere)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_load(&rig, OTHER, AT(192));
    rig_add(&rig, 0, AT(192), 1);
    rig_load(&rig, OTHER, AT(192));
    cr_expect_str_eq(rig.mistake,
                     "PE 0 of tile 1 reads stale bytes: its cache has kept them since before tile 0 stored them");
    rig_register(&rig, OTHER, HD_TILE_INVALIDATE);
    cr_expect_eq(rig_load(&rig, OTHER, AT(192)), 1000193);
    rig_close(&rig);
}

Test(tile_fabric, a_store_of_its_own_makes_bytes_fresh)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_load(&rig, OTHER, AT(64));
    rig_store(&rig, 0, AT(64), 5);
    rig_store(&rig, OTHER, AT(64), 6);
    cr_expect_eq(rig_load(&rig, OTHER, AT(64)), 6);
    cr_expect_str_eq(rig.mistake, "");
    rig_close(&rig);
}

Test(tile_fabric, stale_reads_can_be_counted_instead)
{
    rig rig;
    rig_open(&rig, (const char *[]){"stale_reads=count", NULL});
    rig_store(&rig, 0, AT(64), 5);
    cr_expect_eq(rig_load(&rig, OTHER, AT(64)), 1000064);
    cr_expect_str_eq(rig.mistake, "");
    cr_expect_eq(rig_count(&rig, "stale_reads"), 1);
    rig_close(&rig);
}

Test(tile_fabric, an_invalidation_loses_no_store)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_store(&rig, 0, AT(64), 5);
    rig_register(&rig, 0, HD_TILE_INVALIDATE);
    cr_expect_eq(rig_load(&rig, 0, AT(64)), 5);
    rig_close(&rig);
}

Test(tile_fabric, a_flush_is_of_the_banks_that_its_pe_reaches)
{
    rig rig;
    rig_open(&rig, NULL);
    for (uint32_t p = 0; p < PES; p++)
        rig_set(&rig, 0, HD_TILE_MAP + p, 1u << p);
    rig_register(&rig, 0, HD_TILE_COMMIT);
    rig_store(&rig, 0, AT(64), 5);
    rig_store(&rig, 1, AT(128), 6);
    rig_register(&rig, 0, HD_TILE_FLUSH);
    cr_expect_eq(rig_memory(&rig, 64), 5);
    cr_expect_eq(rig_memory(&rig, 128), 1000128);
    rig_register(&rig, 1, HD_TILE_FLUSH);
    cr_expect_eq(rig_memory(&rig, 128), 6);
    rig_close(&rig);
}

static void keep(kit_block *kit, void *context, uint64_t address, const void *data, uint32_t bytes)
{
    rig *rig = context;
    (void)kit;
    memcpy(rig->memory + (address - HD_GLOBAL_BASE), data, bytes);
}

Test(tile_fabric, what_is_dirty_when_a_kernel_has_ended_is_not_lost)
{
    rig rig;
    rig_open(&rig, NULL);
    kit_on_write_back(rig.kit, keep, &rig);
    rig_store(&rig, OTHER, AT(64), 4);
    rig_store(&rig, 0, AT(64), 5);
    rig_store(&rig, 0, AT(76), 6);
    kit_align(rig.kit);
    cr_expect_eq(rig_memory(&rig, 64), 5, "the later one remains");
    cr_expect_eq(rig_memory(&rig, 68), 1000068);
    cr_expect_eq(rig_memory(&rig, 76), 6);
    cr_expect_eq(rig_count(&rig, "drained_lines"), 2);
    cr_expect_eq(rig_load(&rig, OTHER, AT(64)), 5);
    rig_close(&rig);
}

Test(tile_fabric, what_is_written_through_needs_no_write_back)
{
    rig rig;
    rig_open(&rig, (const char *[]){"l0.write=through", NULL});
    rig_load(&rig, 0, AT(64));
    rig_store(&rig, 0, AT(64), 5);
    rig_store(&rig, 0, AT(512), 6);
    cr_expect_eq(rig_memory(&rig, 64), 5);
    cr_expect_eq(rig_memory(&rig, 512), 6);
    const uint32_t loads = rig.loads;
    cr_expect_eq(rig_load(&rig, 1, AT(64)), 5, "the line that is here has it too");
    cr_expect_eq(rig.loads, loads);
    cr_expect_eq(rig_load(&rig, OTHER, AT(64)), 5);
    cr_expect_str_eq(rig.mistake, "");
    rig_close(&rig);
}
