/* SPDX-License-Identifier: MIT */
/* Blocks that leave by buffers: which they get, when these are free again, and when a block goes on. */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

#define SLICED "policy=time_slice", "policy.time_slice.slice=100 cycles"
static const char *const shuffling[] = {SLICED, "transport=shuffle", "buffers=1", "buffer_bytes=1 KiB", NULL};
static const char *const in_turn[] = {SLICED, "transport=shuffle", "overlap=false", NULL};
static const char *const ideal[] = {SLICED, "transport=ideal", NULL};

static hd_time cycles(uint64_t n)
{
    return n * 1000;
}

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

static void expect_shuffle(kit_block *kit, uint32_t core, uint64_t tag, uint32_t number, uint64_t bytes, hd_time t)
{
    hd_packet *packet = expect(kit, core, HD_BLOCK_SHUFFLE, tag, t);
    const hd_block_buffer *buffer = hd_body_const(packet);
    cr_expect_eq(buffer->number, number, "%u", buffer->number);
    cr_expect_eq(buffer->bytes, bytes);
    kit_free(kit, packet);
}

static void say(kit_block *kit, uint32_t core, const char *message, uint64_t tag, const void *body, uint32_t bytes,
                hd_time t)
{
    hd_packet *packet = kit_packet(kit, message, bytes);
    packet->source = (uint16_t)core;
    packet->tag = tag;
    if (bytes)
        memcpy(hd_body(packet), body, bytes);
    kit_send(kit, PORT_EVENT, core, packet, t);
}

/* 3 B by links, the rest in the buffer. */
static const hd_context_size size = {.stream_bytes = 103,
                                     .memory_bytes = 100,
                                     .register_bytes = 100,
                                     .threads = 256,
                                     .warps = 8,
                                     .buffer = 1,
                                     .buffer_bytes = 1024};

static void save(kit_block *kit, uint32_t core, uint64_t tag, const hd_context_size *of, hd_time t)
{
    for (uint32_t i = 0; i < 3; i++)
        say(kit, core, HD_BLOCK_CONTEXT, tag, "abc" + i, 1, t);
    say(kit, core, HD_BLOCK_SAVED, tag, of, sizeof *of, t);
}

static void expect_context(kit_block *kit, uint32_t core, uint64_t tag, uint32_t parts, hd_time t)
{
    for (uint32_t i = 0; i < parts; i++) {
        hd_packet *part = expect(kit, core, HD_BLOCK_CONTEXT, tag, t);
        cr_expect_eq(*(char *)hd_body(part), "abc"[i]);
        kit_free(kit, part);
    }
}

static void expect_nothing(kit_block *kit, uint32_t core, hd_time t)
{
    kit_run_until(kit, t);
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, core), 0);
}

/* Three blocks on two cores that hold one each: 0 leaves core 0 for 2, and goes on where 1 leaves. */
static kit_block *start(const char *const *parameters)
{
    kit_block *kit = rig_create(parameters, 2, &rig_small_core);
    hd_grid grid = rig_grid(0, 3, 256);
    rig_launch(kit, &grid, cycles(10));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(20));
    expect_one(kit, 1, HD_BLOCK_LAUNCH, 1, cycles(20));
    return kit;
}

static void finish(kit_block *kit, uint64_t t)
{
    hd_packet *done = kit_receive(kit, PORT_DONE, 0, cycles(t));
    cr_assert_not_null(done);
    kit_free(kit, done);
    kit_destroy(kit);
}

/* It waits in its buffer until there is a core; the next one finds none, and leaves for memory. */
Test(tb_scheduler, a_block_waits_in_its_buffer)
{
    kit_block *kit = start(shuffling);
    expect_shuffle(kit, 0, 0, 0, 1024, cycles(115));
    say(kit, 0, HD_BLOCK_LEAVING, 0, &size, sizeof size, cycles(150));
    expect_nothing(kit, 0, cycles(190)); /* its room is not free yet */
    save(kit, 0, 0, &size, cycles(200));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 2, cycles(210));
    expect_one(kit, 1, HD_BLOCK_STOP, 1, cycles(220)); /* there is no other buffer */
    hd_context_size in_memory = size;
    in_memory.buffer = 0;
    save(kit, 1, 1, &in_memory, cycles(230));
    hd_packet *restore = expect(kit, 1, HD_BLOCK_RESTORE, 0, cycles(240));
    cr_expect_arr_eq(hd_body(restore), &size, sizeof size);
    cr_expect_eq(restore->argument, HD_STOP_AS_STORED);
    kit_free(kit, restore);
    expect_context(kit, 1, 0, 3, cycles(250));
    say(kit, 1, HD_BLOCK_RESTORED, 0, NULL, 0, cycles(260));
    expect_shuffle(kit, 0, 2, 0, 1024, cycles(400)); /* it is free again */
    rig_finish(kit, 0, 2, cycles(410));              /* it ends instead */
    expect_one(kit, 0, HD_BLOCK_RESTORE, 1, cycles(420));
    expect_context(kit, 0, 1, 3, cycles(420));
    cr_expect_eq(kit_statistic(kit, "shuffles"), 1);
    cr_expect_eq(kit_statistic(kit, "buffers_full"), 1);
    cr_expect_eq(kit_statistic(kit, "buffers_maximum"), 1);
    cr_expect_eq(kit_statistic(kit, "preemptions"), 2);
    cr_expect(kit_statistic(kit, "shuffle_cycles") >= 20 && kit_statistic(kit, "shuffle_cycles") < 35, "%lu",
              kit_statistic(kit, "shuffle_cycles"));
    rig_finish(kit, 0, 1, cycles(600));
    rig_finish(kit, 1, 0, cycles(610));
    finish(kit, 620);
}

/* Where there is a core it goes on from its first byte on; what follows is sent behind it as it comes. */
Test(tb_scheduler, a_block_enters_while_it_leaves)
{
    kit_block *kit = start(shuffling);
    expect_shuffle(kit, 0, 0, 0, 1024, cycles(115));
    rig_finish(kit, 1, 1, cycles(120)); /* the block that waits to start takes its place */
    expect_one(kit, 1, HD_BLOCK_LAUNCH, 1, cycles(130));
    rig_finish(kit, 1, 1, cycles(140));
    kit_run_until(kit, cycles(145));
    say(kit, 0, HD_BLOCK_LEAVING, 0, &size, sizeof size, cycles(150));
    expect_one(kit, 1, HD_BLOCK_RESTORE, 0, cycles(160));
    say(kit, 0, HD_BLOCK_CONTEXT, 0, "a", 1, cycles(170));
    expect_context(kit, 1, 0, 1, cycles(180));
    expect_nothing(kit, 1, cycles(190));
    say(kit, 0, HD_BLOCK_CONTEXT, 0, "b", 1, cycles(200));
    say(kit, 0, HD_BLOCK_CONTEXT, 0, "c", 1, cycles(200));
    hd_packet *part = expect(kit, 1, HD_BLOCK_CONTEXT, 0, cycles(210));
    cr_expect_eq(*(char *)hd_body(part), 'b');
    kit_free(kit, part);
    expect_one(kit, 1, HD_BLOCK_CONTEXT, 0, cycles(210));
    say(kit, 1, HD_BLOCK_RESTORED, 0, NULL, 0, cycles(220));
    rig_finish(kit, 1, 0, cycles(230)); /* even its end may be heard before the word that it has left */
    cr_expect_null(kit_receive(kit, PORT_DONE, 0, cycles(260)), "its first core is not free");
    say(kit, 0, HD_BLOCK_SAVED, 0, &size, sizeof size, cycles(270));
    cr_expect_eq(kit_statistic(kit, "shuffles"), 1);
    cr_expect_eq(kit_statistic(kit, "overlaps"), 1);
    finish(kit, 290);
}

/* What its core is to report comes behind the context, which may be on its way for long: before it is there the core takes no such word.
 * And what is reported of it meanwhile by the core that it leaves is of no interest. */
Test(tb_scheduler, a_block_that_enters_while_it_leaves_is_watched_when_it_is_there)
{
    static const char *const watching[] = {"policy=rut", "transport=shuffle", "policy.rut.period_minimum=20 cycles",
                                           NULL};
    kit_block *kit = rig_create(watching, 2, &rig_small_core);
    hd_grid grid = rig_grid(0, 3, 64);
    rig_launch(kit, &grid, cycles(10));
    for (uint32_t i = 0; i < 3; i++) {
        expect_one(kit, i % 2, HD_BLOCK_LAUNCH, i, cycles(30));
        expect_one(kit, i % 2, HD_BLOCK_WATCH, i, cycles(30));
    }
    hd_block_level level = {.memory_level = 7};
    say(kit, 0, HD_BLOCK_LEVEL, 0, &level, sizeof level, cycles(40));
    say(kit, 0, HD_BLOCK_LEVEL, 2, &level, sizeof level, cycles(45));
    expect_shuffle(kit, 0, 2, 0, 4096, cycles(60));
    rig_finish(kit, 1, 1, cycles(70)); /* an empty core takes it */
    kit_run_until(kit, cycles(80));
    say(kit, 0, HD_BLOCK_LEAVING, 2, &size, sizeof size, cycles(80));
    expect_one(kit, 1, HD_BLOCK_RESTORE, 2, cycles(90));
    expect_nothing(kit, 1, cycles(120));
    say(kit, 0, HD_BLOCK_LEVEL, 2, &level, sizeof level, cycles(125));
    save(kit, 0, 2, &size, cycles(130));
    expect_context(kit, 1, 2, 3, cycles(150));
    expect_one(kit, 1, HD_BLOCK_WATCH, 2, cycles(150));
    say(kit, 1, HD_BLOCK_RESTORED, 2, NULL, 0, cycles(160));
    rig_finish(kit, 1, 2, cycles(170));
    rig_finish(kit, 0, 0, cycles(180));
    finish(kit, 200);
}

/* One at a time: it goes on when it has left. */
Test(tb_scheduler, without_overlap_a_block_enters_when_it_has_left)
{
    kit_block *kit = start(in_turn);
    expect_shuffle(kit, 0, 0, 0, 4096, cycles(115));
    rig_finish(kit, 1, 1, cycles(120));
    expect_one(kit, 1, HD_BLOCK_LAUNCH, 1, cycles(130));
    rig_finish(kit, 1, 1, cycles(140));
    say(kit, 0, HD_BLOCK_LEAVING, 0, &size, sizeof size, cycles(150));
    expect_nothing(kit, 1, cycles(190));
    save(kit, 0, 0, &size, cycles(200));
    kit_run_until(kit, cycles(215));
    const uint32_t core = kit_waiting(kit, PORT_DISPATCH, 0) ? 0 : 1;
    expect_one(kit, core, HD_BLOCK_RESTORE, 0, cycles(220));
    expect_context(kit, core, 0, 3, cycles(220));
    say(kit, core, HD_BLOCK_RESTORED, 0, NULL, 0, cycles(230));
    rig_finish(kit, core, 0, cycles(240));
    cr_expect_eq(kit_statistic(kit, "overlaps"), 0);
    finish(kit, 290);
}

/* What the core did not put there leaves it free at once. */
Test(tb_scheduler, a_block_that_was_too_large_gives_its_buffer_back)
{
    kit_block *kit = start(shuffling);
    expect_shuffle(kit, 0, 0, 0, 1024, cycles(115));
    hd_context_size in_memory = size;
    in_memory.buffer = 0;
    say(kit, 0, HD_BLOCK_LEAVING, 0, &in_memory, sizeof size, cycles(150));
    save(kit, 0, 0, &in_memory, cycles(200));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 2, cycles(210));
    expect_shuffle(kit, 1, 1, 0, 1024, cycles(220));
    cr_expect_eq(kit_statistic(kit, "buffers_full"), 0);
    kit_reset(kit);
    kit_destroy(kit);
}

/* The only buffer of a block that ends instead of leaving is that of the next one. */
Test(tb_scheduler, a_block_that_ends_gives_its_buffer_back)
{
    kit_block *kit = rig_create(shuffling, 2, &rig_small_core);
    hd_grid grid = rig_grid(0, 4, 256);
    rig_launch(kit, &grid, cycles(10));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(20));
    expect_one(kit, 1, HD_BLOCK_LAUNCH, 1, cycles(20));
    expect_shuffle(kit, 0, 0, 0, 1024, cycles(115));
    rig_finish(kit, 0, 0, cycles(150));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(160));
    expect_shuffle(kit, 1, 1, 0, 1024, cycles(170));
    kit_reset(kit);
    kit_destroy(kit);
}

Test(tb_scheduler, blocks_are_told_to_move_in_no_time)
{
    kit_block *kit = start(ideal);
    hd_packet *stop = expect(kit, 0, HD_BLOCK_STOP, 0, cycles(115));
    cr_expect_eq(stop->argument, HD_STOP_IDEAL);
    kit_free(kit, stop);
    hd_context_size by_links = size;
    by_links.stream_bytes = 3;
    by_links.memory_bytes = by_links.buffer = 0;
    rig_finish(kit, 1, 1, cycles(120));
    expect_one(kit, 1, HD_BLOCK_LAUNCH, 1, cycles(130));
    rig_finish(kit, 1, 1, cycles(140));
    save(kit, 0, 0, &by_links, cycles(200));
    kit_run_until(kit, cycles(215));
    const uint32_t core = kit_waiting(kit, PORT_DISPATCH, 0) ? 0 : 1;
    hd_packet *restore = expect(kit, core, HD_BLOCK_RESTORE, 0, cycles(220));
    cr_expect_eq(restore->argument, HD_STOP_IDEAL);
    kit_free(kit, restore);
    expect_context(kit, core, 0, 3, cycles(220));
    rig_finish(kit, core, 0, cycles(240));
    finish(kit, 290);
}
