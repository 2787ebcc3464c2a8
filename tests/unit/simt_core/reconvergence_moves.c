/* SPDX-License-Identifier: MIT */
/* What no save has written is not restored, and changes nothing. */
#include <criterion/criterion.h>
#include <string.h>

#include "reconvergence_rig.h"

#define LANES 8u

static uint64_t saved(const rig *r, uint32_t warp, uint8_t bytes[4096])
{
    byte_stream writer = byte_stream_writer(bytes, 4096);
    rig_save(r, warp, &writer);
    cr_assert_not(writer.too_short);
    return writer.at;
}

static void expect_refused(rig *r, const uint8_t *bytes, uint64_t count, const char *what)
{
    const uint32_t added = r->added;
    byte_stream reader = byte_stream_reader(bytes, count);
    cr_expect(rig_restore(r, 1, &reader), "%s", what);
    cr_expect_eq(r->added, added);
    cr_expect_eq(r->unit->live_lanes(r->state, 1), 0);
}

Test(reconvergence_moves, of_a_stack_only_what_a_stack_can_be_is_restored)
{
    rig r;
    uint8_t bytes[4096], wrong[4096];
    rig_start(&r, &reconvergence_stack, 2, LANES, FIRST_TAKEN);
    rig_launch(&r, 0, 0x1000, 0xFF);
    rig_branch(&r, 0x1100, 0x0F, 0x1004, 0x1200);
    const uint64_t count = saved(&r, 0, bytes);
    for (uint64_t shorter = 0; shorter < count; shorter++)
        expect_refused(&r, bytes, shorter, "bytes are missing");
    memcpy(wrong, bytes, sizeof wrong);
    wrong[8] = 2 * LANES;
    expect_refused(&r, wrong, count, "more entries than a warp can need");
    memcpy(wrong, bytes, sizeof wrong);
    wrong[0] = 0x7F;
    expect_refused(&r, wrong, count, "an entry has a lane that does not live");
    memset(wrong, 0, sizeof wrong);
    wrong[0] = 1;
    expect_refused(&r, wrong, count, "a lane lives and has no entry");
    byte_stream reader = byte_stream_reader(bytes, count);
    cr_expect_eq(rig_restore(&r, 1, &reader), 0);
    cr_expect_eq(stack_size(r.state, 1), 3);
    rig_stop(&r);
}

Test(reconvergence_moves, of_single_lanes_only_those_of_a_warp_are_restored)
{
    rig r;
    uint8_t bytes[4096], wrong[4096];
    rig_start(&r, &reconvergence_mimd, 2, LANES, FIRST_TAKEN);
    rig_launch(&r, 0, 0x1000, 0xFF);
    const uint64_t count = saved(&r, 0, bytes);
    for (uint64_t shorter = 0; shorter < count; shorter++)
        expect_refused(&r, bytes, shorter, "bytes are missing");
    memcpy(wrong, bytes, sizeof wrong);
    wrong[1] = 1;
    expect_refused(&r, wrong, count, "a lane beyond the warp");
    rig_stop(&r);
}

/* Of lanes 0 to 3 the bytes say where they part; the queue of the one and the room of the other stand behind. */
Test(reconvergence_moves, of_splits_only_what_a_warp_can_be_is_restored)
{
    static const reconvergence_unit *const units[] = {&reconvergence_aware, &reconvergence_mp};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        rig r;
        uint8_t bytes[4096], wrong[4096];
        rig_start(&r, units[u], 2, LANES, FIRST_TAKEN);
        rig_launch(&r, 0, 0x1000, 0xFF);
        rig_branch(&r, 0x1100, 0x0F, 0x1004, 0x1200);
        const uint64_t count = saved(&r, 0, bytes);
        for (uint64_t shorter = 0; shorter < count; shorter++)
            expect_refused(&r, bytes, shorter, "bytes are missing");
        memcpy(wrong, bytes, sizeof wrong);
        wrong[0] = 0x7F;
        expect_refused(&r, wrong, count, "a split has a lane that does not live");
        memcpy(wrong, bytes, sizeof wrong);
        wrong[8] ^= 0x10;
        expect_refused(&r, wrong, count, "a lane is in two splits, or in none");
        if (units[u] == &reconvergence_aware) {
            memcpy(wrong, bytes, sizeof wrong);
            memcpy(wrong + count - 8, wrong + count - 16, 4);
            expect_refused(&r, wrong, count, "a split stands in the queue twice");
        }
        byte_stream reader = byte_stream_reader(bytes, count);
        cr_expect_eq(rig_restore(&r, 1, &reader), 0);
        cr_expect_eq(r.unit->live_lanes(r.state, 1), 0xFF);
        rig_stop(&r);
    }
}

Test(reconvergence_moves, a_warp_that_has_ended_moves_too)
{
    static const hd_unit *const units[] = {RECONVERGENCE_UNITS(HD_UNIT_POINTER) REGROUPING_UNITS(HD_UNIT_POINTER)};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        rig r;
        uint8_t bytes[4096];
        rig_start(&r, units[u]->functions, 2, LANES, FIRST_TAKEN);
        byte_stream reader = byte_stream_reader(bytes, saved(&r, 0, bytes));
        cr_expect_eq(rig_restore(&r, 1, &reader), 0);
        rig_drop(&r, 1);
        cr_expect_eq(r.added + r.removed, 0);
        rig_stop(&r);
    }
}

/* Of two warps the first could be restored, and the second not. */
Test(reconvergence_moves, a_block_is_restored_as_a_whole_or_not_at_all)
{
    static const reconvergence_unit *const units[] = {&reconvergence_stack, &reconvergence_mimd,   &reconvergence_aware,
                                                      &reconvergence_dwf,   &reconvergence_dwf_wb, &reconvergence_mp};
    static const uint32_t from[] = {3, 1}, to[] = {0, 2};
    static const uint64_t masks[] = {0xFF, 0x0F};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        rig r;
        uint8_t bytes[4096];
        byte_stream writer = byte_stream_writer(bytes, sizeof bytes);
        rig_start(&r, units[u], 4, LANES, FIRST_TAKEN);
        r.unit->launch(r.state, &(block_warps){from, 2}, 0x1000, masks);
        r.unit->save(r.state, &(block_warps){from, 2}, &writer);
        r.unit->drop(r.state, &(block_warps){from, 2});
        cr_expect_eq(r.added, r.removed);
        byte_stream shorter = byte_stream_reader(bytes, writer.at - 1), reader = byte_stream_reader(bytes, writer.at);
        cr_expect(r.unit->restore(r.state, &(block_warps){to, 2}, &shorter));
        cr_expect_eq(r.added, r.removed);
        cr_expect_eq(r.unit->live_lanes(r.state, 0) | r.unit->live_lanes(r.state, 2), 0);
        cr_assert_eq(r.unit->restore(r.state, &(block_warps){to, 2}, &reader), 0);
        cr_expect_eq(r.unit->live_lanes(r.state, 0), masks[0]);
        cr_expect_eq(r.unit->live_lanes(r.state, 2), masks[1]);
        rig_stop(&r);
    }
}
