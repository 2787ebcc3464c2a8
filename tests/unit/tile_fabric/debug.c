/* SPDX-License-Identifier: MIT */
/* Accesses without time: what the fabric has of a byte. The whole way is tests/unit/l2_slice/newest_values.c. */
#include "rig.h"

#include "hd_debug.h"

static uint32_t peek(rig *rig, uint64_t address, uint32_t *value)
{
    return kit_debug_read(rig->kit, address, value, sizeof *value);
}

static void poke(rig *rig, uint64_t address, uint32_t value)
{
    cr_expect_eq(kit_debug_write(rig->kit, address, &value, sizeof value), 0, "memory takes it too");
    rig_put(rig, (uint32_t)(address - HD_GLOBAL_BASE), value);
}

Test(tile_fabric, has_what_is_newer_than_memory)
{
    rig rig;
    uint32_t value = 0;
    rig_open(&rig, NULL);
    rig_load(&rig, 0, AT(64));
    cr_expect_eq(peek(&rig, AT(64), &value), 0, "memory has the same");
    rig_store(&rig, 0, AT(68), 7);
    cr_expect_eq(peek(&rig, AT(64), &value), 0);
    cr_expect_eq(peek(&rig, AT(68), &value), 4);
    cr_expect_eq(value, 7);
    rig_register(&rig, 0, HD_TILE_FLUSH);
    cr_expect_eq(peek(&rig, AT(68), &value), 0);
    rig_close(&rig);
}

Test(tile_fabric, has_a_byte_of_whoever_stored_it_last)
{
    rig rig;
    uint32_t value = 0;
    rig_open(&rig, NULL);
    rig_store(&rig, 0, AT(64), 1);
    rig_store(&rig, PES, AT(64), 2);
    cr_expect_eq(peek(&rig, AT(64), &value), 4);
    cr_expect_eq(value, 2);
    rig_store(&rig, 0, AT(64), 3);
    cr_expect_eq(peek(&rig, AT(64), &value), 4);
    cr_expect_eq(value, 3);
    rig_close(&rig);
}

Test(tile_fabric, has_a_write_on_its_way_to_memory)
{
    static const char *const through[] = {"l0.write=through", NULL};
    rig rig;
    uint32_t value = 0;
    rig_open(&rig, through);
    rig_ask_store(&rig, 0, AT(64), 9, 0);
    kit_run_until(rig.kit, 2 * CYCLE);
    cr_expect_eq(rig.stores, 0);
    cr_expect_eq(peek(&rig, AT(64), &value), 4);
    cr_expect_eq(value, 9);
    poke(&rig, AT(64), 10);
    kit_drain(rig.kit, 1000 * CYCLE);
    cr_expect_eq(rig_memory(&rig, 64), 10);
    rig_close(&rig);
}

/* What is written without time comes after the store that had made it stale. */
Test(tile_fabric, what_is_poked_is_stale_nowhere)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_load(&rig, 0, AT(64));
    rig_store(&rig, PES, AT(64), 5);
    poke(&rig, AT(64), 6);
    cr_expect_eq(rig_load(&rig, 0, AT(64)), 6);
    cr_expect_str_eq(rig.mistake, "");
    cr_expect_eq(rig_load(&rig, PES, AT(64)), 6);
    rig_register(&rig, PES, HD_TILE_FLUSH);
    cr_expect_eq(rig_memory(&rig, 64), 6);
    rig_close(&rig);
}

Test(tile_fabric, what_is_poked_stays_when_the_line_comes)
{
    rig rig;
    uint32_t word = 0;
    rig_open(&rig, NULL);
    rig_ask_load(&rig, 0, AT(64), 0);
    kit_run_until(rig.kit, (MEMORY - 5) * CYCLE);
    cr_expect_eq(rig.loads, 1, "what memory had is on its way back");
    poke(&rig, AT(64), 6);
    kit_drain(rig.kit, 1000 * CYCLE);
    cr_assert(rig_take(&rig, 0, kit_now(rig.kit), &word));
    cr_expect_eq(word, 6);
    cr_expect_eq(rig_load(&rig, PES, AT(64)), 6, "nor has the second level kept what was there before");
    rig_close(&rig);
}

/* ---- Scratchpad banks --------------------------------------------------------------------------------------------- */

static uint32_t count_at(rig *rig, uint32_t pe, uint64_t address, hd_debug_place *place)
{
    const hd_debug_ports *ports =
        hd_tile_fabric_reconfigurable.extension(kit_instance(rig->kit), HD_EXTENSION_DEBUG_PORTS);
    return ports->place(kit_instance(rig->kit), pe == UINT32_MAX ? pe : TILE_FABRIC_REQUEST, pe, address, place)
               ? place->count
               : UINT32_MAX;
}

Test(tile_fabric, scratchpad_bytes_are_of_the_banks_that_a_pe_reaches)
{
    rig rig;
    hd_debug_place place;
    rig_open(&rig, NULL);
    cr_expect_eq(count_at(&rig, 1, HD_TILE_SCRATCHPAD, &place), 0, "all banks are caches");
    rig_set(&rig, 0, HD_TILE_BANK_MODE + 1, HD_TILE_IS_SCRATCHPAD);
    rig_set(&rig, 0, HD_TILE_BANK_MODE + 2, HD_TILE_IS_SCRATCHPAD);
    rig_set(&rig, 0, HD_TILE_BANK_SCOPE + 2, 1u << 1);
    rig_register(&rig, 0, HD_TILE_COMMIT);
    rig_store(&rig, 1, HD_TILE_SCRATCHPAD + BANK_BYTES + 8, 77); /* of its own bank */
    cr_assert_eq(count_at(&rig, 1, HD_TILE_SCRATCHPAD + BANK_BYTES + 8, &place), BANK_BYTES - 8);
    cr_expect_eq(*(uint32_t *)place.bytes, 77);
    rig_store(&rig, 2, HD_TILE_SCRATCHPAD + 8, 78); /* shared */
    cr_assert_eq(count_at(&rig, 1, HD_TILE_SCRATCHPAD + 8, &place), BANK_BYTES - 8);
    cr_expect_eq(*(uint32_t *)place.bytes, 78);
    cr_expect_eq(count_at(&rig, 2, HD_TILE_SCRATCHPAD + BANK_BYTES + 8, &place), 0, "it reaches no more");
    cr_expect_eq(count_at(&rig, PES + 1, HD_TILE_SCRATCHPAD + 8, &place), 0, "another tile");
    cr_expect_eq(count_at(&rig, UINT32_MAX, HD_TILE_SCRATCHPAD + 8, &place), 0, "nobody's");
    cr_expect_eq(count_at(&rig, 1, REGISTER(HD_TILE_ITEM), &place), 0, "a register");
    cr_expect_eq(count_at(&rig, 1, AT(0), &place), UINT32_MAX, "memory");
    rig_close(&rig);
}
