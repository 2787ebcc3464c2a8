/* SPDX-License-Identifier: MIT */
/* Traces say what the statistics count, and for how long. */
#include <string.h>

#include "rig.h"

enum { BEGIN, END };

/* Sum of the spans of the event, each on a track of its own; all have ended. */
static uint64_t cycles_of(rig *rig, const char *event)
{
    uint32_t count, open = 0;
    uint64_t sum = 0;
    const kit_traced *events = kit_recorded(rig->kit, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(events[i].event, event) != 0 || events[i].form > END)
            continue;
        open += events[i].form == BEGIN ? 1 : UINT32_MAX;
        sum += events[i].form == BEGIN ? -events[i].t : events[i].t;
    }
    cr_expect_eq(open, 0, "%s", event);
    return sum / CYCLE;
}

static uint32_t spans_of(rig *rig, const char *event)
{
    uint32_t count, spans = 0;
    const kit_traced *events = kit_recorded(rig->kit, &count);
    for (uint32_t i = 0; i < count; i++)
        spans += strcmp(events[i].event, event) == 0 && events[i].form == BEGIN;
    return spans;
}

static const kit_traced *first_of(rig *rig, const char *event)
{
    uint32_t count, i = 0;
    const kit_traced *events = kit_recorded(rig->kit, &count);
    while (i < count && strcmp(events[i].event, event) != 0)
        i++;
    cr_assert_lt(i, count, "no %s", event);
    return &events[i];
}

static void finish(rig *rig)
{
    uint32_t word;
    kit_drain(rig->kit, kit_now(rig->kit) + 10000 * CYCLE);
    for (uint32_t p = 0; p < TILES * PES; p++)
        while (rig_take(rig, p, kit_now(rig->kit), &word))
            continue;
}

/* All of a tile at a register, one after the other. */
static void all_at(rig *rig, uint32_t pes, uint32_t number)
{
    const hd_time t = kit_now(rig->kit) / CYCLE * CYCLE + CYCLE;
    for (uint32_t p = 0; p < PES; p++)
        if (pes >> p & 1)
            rig_ask_load(rig, p, REGISTER(number), t + 7 * p * CYCLE);
}

Test(tile_fabric, a_trace_has_the_times_of_the_statistics)
{
    rig rig;
    rig_open(&rig, NULL);
    kit_record(rig.kit);
    rig_store(&rig, 0, AT(64), 5);
    rig_load(&rig, 1, AT(256));
    all_at(&rig, 0xF, HD_TILE_BARRIER);
    finish(&rig);
    rig_register(&rig, 2, HD_TILE_WRITE_BACK);
    rig_set(&rig, 0, HD_TILE_ENABLE, 0x5);
    rig_set(&rig, 0, HD_TILE_BANK_MODE + 3, HD_TILE_IS_SCRATCHPAD);
    all_at(&rig, 0xF, HD_TILE_SWITCH);
    kit_run_until(rig.kit, kit_now(rig.kit) + 500 * CYCLE);
    rig_set(&rig, 0, HD_TILE_ENABLE, 0xF);
    all_at(&rig, 0x5, HD_TILE_SWITCH);
    finish(&rig);
    cr_expect_gt(rig_count(&rig, "gated_cycles"), 2 * 400);
    cr_expect_eq(cycles_of(&rig, "tile.sleep"), rig_count(&rig, "gated_cycles"));
    cr_expect_eq(cycles_of(&rig, "tile.barrier"), rig_count(&rig, "barrier_cycles"));
    cr_expect_eq(cycles_of(&rig, "tile.flush") + cycles_of(&rig, "tile.reconfigure"), rig_count(&rig, "task_cycles"));
    cr_expect_eq(spans_of(&rig, "tile.reconfigure"), 2);
    cr_expect_gt(cycles_of(&rig, "tile.switch"), 0);
    const kit_traced *set = first_of(&rig, "tile.reconfigure"), *flush = first_of(&rig, "tile.flush");
    cr_expect_str_eq(set->track, "tile[0]");
    cr_expect_eq(set->values[0], 0x5);
    cr_expect_eq(set->values[1], 0x8);
    cr_expect_eq(flush->values[0], 2);
    cr_expect(flush->values[1] && !flush->values[2], "it writes back and drops nothing");
    rig_close(&rig);
}

Test(tile_fabric, a_trace_has_the_lines_that_come_and_go)
{
    static const char *const count[] = {"stale_reads=count", NULL};
    rig rig;
    rig_open(&rig, count);
    kit_record(rig.kit);
    rig_load(&rig, 1, AT(256));
    rig_store(&rig, PES, AT(260), 5);
    rig_load(&rig, 1, AT(256));
    rig_register(&rig, PES, HD_TILE_FLUSH);
    rig_set(&rig, 0, HD_TILE_ITEM_FIRST, 7);
    rig_set(&rig, 0, HD_TILE_ITEM_END, 8);
    rig_register(&rig, 2, HD_TILE_ITEM);
    rig_register(&rig, 2, HD_TILE_ITEM);
    cr_expect_eq(spans_of(&rig, "miss"), rig_count(&rig, "l0_misses"));
    cr_expect_eq(first_of(&rig, "miss")->values[0], AT(256));
    cr_expect_eq(kit_recorded_count(rig.kit, "tile.write_back"), rig_count(&rig, "write_backs"));
    cr_expect_eq(first_of(&rig, "tile.write_back")->values[0], AT(256));
    cr_expect_eq(first_of(&rig, "tile.write_back")->values[1], 4);
    cr_expect_eq(kit_recorded_count(rig.kit, "tile.stale"), rig_count(&rig, "stale_reads"));
    cr_expect_eq(first_of(&rig, "tile.stale")->values[1], 1);
    cr_expect_eq(kit_recorded_count(rig.kit, "tile.item"), 1);
    cr_expect_eq(first_of(&rig, "tile.item")->values[0], 7);
    cr_expect_str_eq(first_of(&rig, "tile.item")->track, "pe[2]");
    rig_close(&rig);
}
