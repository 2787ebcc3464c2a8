/* SPDX-License-Identifier: MIT */
/* Blocks that come from memory to a core without room for them, while those that have it are told to leave. */
#include "core_courier.h"

#include <criterion/criterion.h>
#include <string.h>

#define IN_MEMORY "context.engine=stream", "context.storage=memory", "context.bytes_per_cycle=0 B"
static const char *const small[] = {IN_MEMORY, "warps=2", NULL};
static const char *const watching[] = {IN_MEMORY, "warps=2", "context.levels=blocks", NULL};
/* 4 KiB of scratchpad, of which each block of the others takes 1 KiB. */
static const char *const crowded[] = {IN_MEMORY, "scratchpad.bytes=4 KiB", NULL};
#define PIECE 1024u
#define Y RIG_SECOND_TAG /* the first block of the second core */

/* Instruction words: longer than any test. */
#define FOR_LONG                                                                                                       \
    {                                                                                                                  \
        lui(A5, 0x2000), addi(A5, A5, -1), bne(A5, ZERO, -4), lui(A3, DATA), sw(A3, 0, A3), ret(), 0                   \
    }

static courier *with_block(const char *const *machine, uint32_t threads, uint32_t scratchpad)
{
    const uint32_t words[] = FOR_LONG;
    courier *c = courier_create(pair_create(machine, machine, words));
    pair_launch(c->pair, 0, threads, scratchpad);
    pair_run(c->pair, 50);
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_assert_eq(c->blocks[0].place, COURIER_HERE);
    return c;
}

static void run(courier *c, uint64_t cycles)
{
    pair_run(c->pair, cycles);
    courier_take(c);
}

/* Both cores in turn take what is left, one block each at a time. */
static void end(courier *c, uint32_t blocks)
{
    core_pair *pair = c->pair;
    for (uint64_t tag = 0; tag < COURIER_TAGS; tag++)
        if (c->blocks[tag].place == COURIER_HERE)
            courier_restore(c, tag, tag % 2);
    pair_finish(pair, blocks);
    courier_destroy(c);
    pair_destroy(pair);
}

static void expect_running(courier *c, uint32_t core, uint64_t tag)
{
    for (uint32_t cycles = 0; pair_state(c->pair, core, tag) != HD_CONTEXT_RUNNING; cycles++) {
        cr_assert_lt(cycles, 2000, "block %lu does not get in", tag);
        run(c, 1);
    }
}

/* The only other block stops, and has to leave before there is room. */
Test(simt_core, a_block_without_room_lets_others_leave)
{
    for (uint64_t wait = 0; wait < 400; wait += 13) {
        courier *c = with_block(small, 64, 0);
        pair_launch(c->pair, 1, 40, 0);
        pair_run(c->pair, 20);
        courier_restore(c, 0, 1);
        run(c, wait);
        cr_expect_neq(pair_state(c->pair, 1, 0), HD_CONTEXT_RUNNING);
        courier_stop(c, Y);
        courier_wait(c, Y);
        cr_expect_eq(c->blocks[Y].place, COURIER_HERE, "after %lu cycles", wait);
        expect_running(c, 1, 0);
        cr_expect_eq(kit_statistic(rig_kit(c->pair->rig[1]), "blocks_saved"), 1);
        cr_expect_eq(kit_statistic(rig_kit(c->pair->rig[1]), "blocks_restored"), 1);
        courier_restore(c, Y, 0);
        end(c, 2);
    }
}

/* 2 KiB are free in two pieces: the block waits until what lies between has left. */
Test(simt_core, a_block_that_finds_room_in_pieces_lets_others_leave)
{
    courier *c = with_block(crowded, 32, 2 * PIECE);
    for (uint32_t i = 0; i < 4; i++) {
        pair_launch(c->pair, 1, 32, PIECE);
        pair_run(c->pair, 5);
    }
    for (uint64_t i = 0; i < 4; i += 2) {
        courier_stop(c, Y + i);
        courier_wait(c, Y + i);
    }
    courier_restore(c, 0, 1);
    run(c, 3000);
    cr_expect_neq(pair_state(c->pair, 1, 0), HD_CONTEXT_RUNNING, "there is no piece of 2 KiB");
    courier_stop(c, Y + 1);
    courier_stop(c, Y + 3);
    courier_wait(c, Y + 1);
    courier_wait(c, Y + 3);
    cr_expect_eq(c->blocks[Y + 1].place, COURIER_HERE);
    cr_expect_eq(c->blocks[Y + 3].place, COURIER_HERE);
    expect_running(c, 1, 0);
    for (uint64_t i = 0; i < 4; i++)
        courier_restore(c, Y + i, 0);
    end(c, 5);
}

/* As many as a core can have wait side by side: what is sent behind them gets past. The first that has come gets in first. */
Test(simt_core, several_blocks_without_room_let_others_leave)
{
    const uint32_t words[] = FOR_LONG;
    courier *c = courier_create(pair_create(small, small, words));
    for (uint64_t tag = 0; tag < 2; tag++)
        pair_launch(c->pair, 0, 32, 0);
    pair_run(c->pair, 50);
    for (uint64_t tag = 0; tag < 2; tag++) {
        courier_stop(c, tag);
        courier_wait(c, tag);
    }
    for (uint64_t tag = 0; tag < 2; tag++)
        pair_launch(c->pair, 1, 32, 0);
    pair_run(c->pair, 20);
    courier_restore(c, 1, 1);
    courier_restore(c, 0, 1);
    run(c, 1000);
    for (uint64_t i = 0; i < 2; i++) {
        cr_expect_neq(pair_state(c->pair, 1, 1 - i), HD_CONTEXT_RUNNING);
        courier_stop(c, Y + i);
        courier_wait(c, Y + i);
        cr_expect_eq(c->blocks[Y + i].place, COURIER_HERE);
        expect_running(c, 1, 1 - i);
        cr_expect_eq(pair_state(c->pair, 1, i) == HD_CONTEXT_RUNNING, i == 1, "they get in as they have come");
    }
    for (uint64_t i = 0; i < 2; i++)
        courier_restore(c, Y + i, 0);
    end(c, 4);
}

/* A stop of the block that waits does not hold up the stop of the one in its way; it is done once the block is in, and has issued. */
Test(simt_core, a_block_without_room_is_told_to_leave)
{
    courier *c = with_block(small, 64, 0);
    pair_launch(c->pair, 1, 40, 0);
    pair_run(c->pair, 20);
    courier_restore(c, 0, 1);
    run(c, 400);
    courier_stop(c, 0);
    courier_stop(c, Y);
    courier_wait(c, Y);
    cr_expect_eq(c->blocks[Y].place, COURIER_HERE);
    courier_wait(c, 0);
    cr_expect_eq(c->blocks[0].place, COURIER_HERE);
    cr_expect_eq(c->blocks[0].refused, 0);
    cr_expect_eq(c->blocks[0].saved, 2);
    end(c, 2);
}

/* Told twice, it is refused once: the second time it stops already. */
Test(simt_core, a_block_without_room_stops_once)
{
    courier *c = with_block(small, 64, 0);
    pair_launch(c->pair, 1, 40, 0);
    pair_run(c->pair, 20);
    courier_restore(c, 0, 1);
    run(c, 400);
    courier_stop(c, Y);
    run(c, 30);
    courier_stop(c, 0);
    courier_send_stop(c, 0, 1);
    run(c, 3000);
    cr_expect_eq(c->blocks[0].refused, 1);
    cr_expect_eq(c->blocks[0].reason, HD_REFUSED_STOPPING);
    cr_expect_eq(c->blocks[0].place, COURIER_HERE);
    end(c, 2);
}

/* What it is to tell of itself is known when it is in. */
Test(simt_core, a_block_without_room_is_watched)
{
    courier *c = with_block(watching, 64, 0);
    kit_block *kit = rig_kit(c->pair->rig[1]);
    const hd_block_watch watch = {.period = 300, .every_window = 1, .highest = 7, .memory_steps = 8};
    pair_launch(c->pair, 1, 40, 0);
    pair_run(c->pair, 20);
    courier_restore(c, 0, 1);
    run(c, 400);
    hd_packet *packet = kit_packet(kit, HD_BLOCK_WATCH, sizeof watch);
    memcpy(hd_body(packet), &watch, sizeof watch);
    kit_send(kit, DISPATCH, 0, packet, pair_now(c->pair));
    run(c, 700);
    cr_expect_eq(kit_statistic(kit, "levels_cycles"), 0, "it is not in");
    courier_stop(c, Y);
    courier_wait(c, Y);
    expect_running(c, 1, 0);
    run(c, 1000);
    cr_expect_eq(kit_statistic(kit, "levels_cycles") % 300, 0);
    cr_expect_geq(kit_statistic(kit, "levels_cycles"), 600);
    end(c, 2);
}
