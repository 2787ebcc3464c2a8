/* SPDX-License-Identifier: MIT */
/* Blocks that have run for a slice leave for those that wait, and go on in order. */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

static const char *const sliced[] = {"policy=time_slice", "policy.time_slice.slice=100 cycles", NULL};

static hd_time cycles(uint64_t n)
{
    return n * 1000;
}

/* The next message that the core has been given; the test fails unless it is this one, of this block. */
static hd_packet *expect(kit_block *kit, uint32_t core, const char *message, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_receive(kit, PORT_DISPATCH, core, t);
    cr_assert_not_null(packet, "no %s of %lu by %lu", message, tag, t);
    cr_assert_str_eq(kit_message_name(kit, packet->message), message);
    cr_assert_eq(packet->tag, tag, "%s of %lu, not %lu", message, packet->tag, tag);
    return packet;
}

static void expect_one(kit_block *kit, uint32_t core, const char *message, uint64_t tag, hd_time t)
{
    kit_free(kit, expect(kit, core, message, tag, t));
}

static void answer(kit_block *kit, uint32_t core, const char *message, uint64_t tag, const void *body, uint32_t bytes,
                   hd_time t)
{
    hd_packet *packet = kit_packet(kit, message, bytes);
    packet->source = (uint16_t)core;
    packet->tag = tag;
    if (bytes)
        memcpy(hd_body(packet), body, bytes);
    kit_send(kit, PORT_EVENT, core, packet, t);
}

static const hd_context_size size = {.stream_bytes = 3, .register_bytes = 100, .threads = 256, .warps = 8};

static void save(kit_block *kit, uint32_t core, uint64_t tag, const char *bytes, hd_time t)
{
    for (uint32_t i = 0; i < 3; i++)
        answer(kit, core, HD_BLOCK_CONTEXT, tag, bytes + i, 1, t);
    answer(kit, core, HD_BLOCK_SAVED, tag, &size, sizeof size, t);
}

static void expect_context(kit_block *kit, uint32_t core, uint64_t tag, const char *bytes, hd_time t)
{
    hd_packet *restore = expect(kit, core, HD_BLOCK_RESTORE, tag, t);
    cr_expect_arr_eq(hd_body(restore), &size, sizeof size);
    kit_free(kit, restore);
    for (uint32_t i = 0; i < 3; i++) {
        hd_packet *part = expect(kit, core, HD_BLOCK_CONTEXT, tag, t);
        cr_expect_eq(*(char *)hd_body(part), bytes[i]);
        cr_expect_eq(part->address, 0);
        kit_free(kit, part);
    }
}

/* Two cores that hold one block each, and three blocks. */
Test(tb_scheduler, blocks_take_turns)
{
    kit_block *kit = rig_create(sliced, 2, &rig_small_core);
    hd_grid grid = rig_grid(0, 3, 256);
    rig_launch(kit, &grid, cycles(10));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(20));
    expect_one(kit, 1, HD_BLOCK_LAUNCH, 1, cycles(20));
    kit_run_until(kit, cycles(105));
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, 0), 0, "its slice has not ended");
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(115));
    kit_run_until(kit, cycles(400));
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, 1), 0, "one stops at a time");
    save(kit, 0, 0, "abc", cycles(400));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 2, cycles(410));
    expect_one(kit, 1, HD_BLOCK_STOP, 1, cycles(410));
    save(kit, 1, 1, "def", cycles(420));
    expect_context(kit, 1, 0, "abc", cycles(440));
    cr_expect_eq(kit_statistic(kit, "preemptions"), 2);
    cr_expect_eq(kit_statistic(kit, "resumptions"), 1);
    expect_one(kit, 0, HD_BLOCK_STOP, 2, cycles(520));
    rig_finish(kit, 0, 2, cycles(530)); /* it ends instead */
    expect_context(kit, 0, 1, "def", cycles(550));
    rig_finish(kit, 0, 1, cycles(600));
    rig_finish(kit, 1, 0, cycles(610));
    hd_packet *done = kit_receive(kit, PORT_DONE, 0, cycles(620));
    cr_assert_not_null(done);
    kit_free(kit, done);
    kit_destroy(kit);
}

/* The second turn of a block is two slices long. */
Test(tb_scheduler, turns_grow)
{
    kit_block *kit = rig_create(sliced, 1, &rig_small_core);
    hd_grid grid = rig_grid(0, 2, 256);
    rig_launch(kit, &grid, 0);
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(10));
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(110));
    save(kit, 0, 0, "abc", cycles(200));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 1, cycles(210));
    expect_one(kit, 0, HD_BLOCK_STOP, 1, cycles(310));
    save(kit, 0, 1, "def", cycles(400));
    expect_context(kit, 0, 0, "abc", cycles(420));
    kit_run_until(kit, cycles(590));
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, 0), 0);
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(610));
    kit_reset(kit); /* what it keeps is gone, and free */
    kit_destroy(kit);
}

static uint32_t uses_transactions(void *context, uint32_t module)
{
    (void)context, (void)module;
    return 1;
}

/* 28 rows of data take 63 with their shadow: of 93 rows there is room for one block, whether it is new or comes back. */
Test(tb_scheduler, blocks_that_come_back_take_shadow_memory)
{
    static const hd_programs programs = {.uses_scratchpad_transactions = uses_transactions};
    hd_core_capacity core = rig_small_core;
    core.scratchpad_bytes = 93 * 128;
    core.scratchpad_rows = (hd_scratchpad_rows){.bytes = 128, .backups = 1, .owned = 4};
    rig_programs = &programs;
    kit_block *kit = rig_create(sliced, 1, &core);
    hd_grid grid = rig_grid(0, 2, 32);
    grid.scratchpad_bytes = 28 * 128;
    rig_launch(kit, &grid, 0);
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(10));
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(110));
    save(kit, 0, 0, "abc", cycles(200));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 1, cycles(210));
    expect_one(kit, 0, HD_BLOCK_STOP, 1, cycles(310));
    save(kit, 0, 1, "def", cycles(400));
    expect_context(kit, 0, 0, "abc", cycles(420));
    kit_run_until(kit, cycles(590));
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, 0), 0, "the other has no room");
    kit_destroy(kit);
    rig_programs = NULL;
}

Test(tb_scheduler, a_stop_that_crosses_the_end_is_forgotten)
{
    kit_block *kit = rig_create(sliced, 1, &rig_small_core);
    hd_grid grid = rig_grid(0, 2, 256);
    rig_launch(kit, &grid, 0);
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(10));
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(110));
    rig_finish(kit, 0, 0, cycles(111));
    hd_packet *refused = kit_packet(kit, HD_BLOCK_REFUSED, 0);
    refused->argument = HD_REFUSED_UNKNOWN;
    kit_send(kit, PORT_EVENT, 0, refused, cycles(112));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(120));
    kit_expect_fault(kit);
    refused = kit_packet(kit, HD_BLOCK_REFUSED, 0);
    refused->argument = HD_REFUSED_RESTORE;
    kit_send(kit, PORT_EVENT, 0, refused, cycles(130));
    kit_run_until(kit, cycles(140));
    cr_expect_str_eq(kit_fault_text(kit),
                     "block 0, which has left another core, cannot go on where it was sent: policy needs "
                     "cores that are alike");
    kit_destroy(kit);
}
