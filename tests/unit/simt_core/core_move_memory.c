/* SPDX-License-Identifier: MIT */
/* Thread blocks that wait in memory: what goes there and when, and what does not. */
#include "core_courier.h"

#include <criterion/criterion.h>
#include <string.h>

#define IN_MEMORY "context.engine=stream", "context.storage=memory"
static const char *const memory[] = {IN_MEMORY, "context.bytes_per_cycle=16 B", NULL};
static const char *const unlimited[] = {IN_MEMORY, "context.bytes_per_cycle=0 B", NULL};
static const char *const in_l2[] = {IN_MEMORY, "context.cacheable=l2", NULL};
static const char *const in_l1[] = {IN_MEMORY, "context.cacheable=l1l2", "l1.bytes=24 KiB", NULL};
static const char *const scheduler[] = {"context.engine=stream", NULL};
static const char *const small[] = {IN_MEMORY, "warps=2", NULL};

/* Instruction words: some ten thousand cycles, and a store. */
#define WAITING                                                                                                        \
    {                                                                                                                  \
        DELAY(1000), DELAY(1000), lui(A3, DATA), sw(A3, 0, A3), ret(), 0                                               \
    }

static courier *with_block(const char *const *first, const char *const *second, uint32_t threads, uint32_t scratchpad)
{
    const uint32_t words[] = WAITING;
    core_pair *pair = pair_create(first, second, words);
    courier *c = courier_create(pair);
    pair_launch(pair, 0, threads, scratchpad);
    pair_run(pair, 50);
    return c;
}

static void end(courier *c, uint32_t blocks)
{
    core_pair *pair = c->pair;
    pair_finish(pair, blocks);
    courier_destroy(c);
    pair_destroy(pair);
}

static uint64_t of(courier *c, uint32_t core, const char *statistic)
{
    return kit_statistic(rig_kit(c->pair->rig[core]), statistic);
}

static void leave(courier *c)
{
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_assert_eq(c->blocks[0].place, COURIER_HERE);
}

static void enter(courier *c, uint32_t core)
{
    courier_restore(c, 0, core);
    for (uint32_t cycles = 0; pair_state(c->pair, core, 0) != HD_CONTEXT_RUNNING; cycles++) {
        cr_assert_lt(cycles, 10000);
        pair_run(c->pair, 1);
    }
}

static uint64_t lines(uint64_t bytes)
{
    return (bytes + HD_LINE_BYTES - 1) / HD_LINE_BYTES;
}

/* 40 threads of 20 registers and 1600 B of scratchpad, a request for each line, and the last byte at the stated rate. */
Test(simt_core, a_block_goes_to_memory_and_back_at_the_stated_rate)
{
    courier *c = with_block(memory, memory, 40, 1600);
    leave(c);
    const hd_context_size *size = &c->blocks[0].size;
    const uint64_t bytes = hd_context_bytes(size), cycles = (bytes + 15) / 16;
    cr_expect_eq(size->memory_bytes, bytes);
    cr_expect_eq(c->blocks[0].stream_bytes, size->stream_bytes - bytes, "registers beyond those of the machine");
    cr_expect_eq(of(c, 0, "context_bytes"), bytes);
    cr_expect_eq(of(c, 0, "context_cycles"), cycles);
    cr_expect_eq(of(c, 0, "packets_sent_context"), lines(bytes));
    cr_expect_eq(of(c, 0, "packets_received_context"), lines(bytes));
    const uint64_t padded = (bytes + HD_UNCACHED_BYTES - 1) / HD_UNCACHED_BYTES * HD_UNCACHED_BYTES;
    cr_expect_eq(of(c, 0, "bytes_sent_context"), padded + lines(bytes) * HD_HEADER_WIRE_BYTES);
    cr_expect_gt(of(c, 0, "context_answer_cycles"), 0);
    cr_expect_gt(of(c, 0, "context_stop_cycles"), 0);
    cr_expect_eq(of(c, 0, "bytes_sent_global"), 0);
    enter(c, 1);
    cr_expect_eq(of(c, 1, "context_bytes"), bytes);
    cr_expect_eq(of(c, 1, "context_cycles"), cycles);
    cr_expect_eq(of(c, 1, "packets_sent_context"), lines(bytes));
    cr_expect_eq(of(c, 1, "blocks_restored"), 1);
    end(c, 1);
}

/* What counts is what is in memory. */
Test(simt_core, a_block_comes_as_memory_has_it)
{
    for (uint32_t spoils = 0; spoils < 2; spoils++) {
        courier *c = with_block(memory, memory, 40, 256);
        leave(c);
        const uint64_t address =
            hd_context_line(c->blocks[0].size.context_slot, c->blocks[0].size.context_slots, HD_CONTEXT_SAVED_LINE + 3);
        rig_set_word(c->pair->rig[0], address, rig_word(c->pair->rig[0], address) + spoils);
        courier_restore(c, 0, 1);
        if (!spoils) {
            end(c, 1);
            continue;
        }
        courier_wait(c, 0);
        cr_expect_eq(c->blocks[0].refused, 1);
        cr_expect_eq(c->blocks[0].reason, HD_REFUSED_RESTORE);
        rig_set_word(c->pair->rig[0], address, rig_word(c->pair->rig[0], address) - 1);
        courier_restore(c, 0, 1);
        end(c, 1);
    }
}

/* As many requests as there are edges, if nothing else leaves. */
Test(simt_core, without_a_rate_a_block_goes_as_fast_as_the_network_takes_it)
{
    courier *c = with_block(unlimited, unlimited, 40, 1600);
    leave(c);
    const uint64_t count = lines(hd_context_bytes(&c->blocks[0].size));
    cr_expect_geq(of(c, 0, "context_cycles"), count - 1);
    cr_expect_leq(of(c, 0, "context_cycles"), 2 * count);
    enter(c, 1);
    cr_expect_leq(of(c, 1, "context_cycles"), 2 * count);
    end(c, 1);
}

/* The last request is of what is left, in pieces of 32 B. */
Test(simt_core, a_block_of_any_size_goes_whole)
{
    for (uint32_t scratchpad = 0; scratchpad <= 132; scratchpad += 4) {
        courier *c = with_block(memory, memory, 1, scratchpad);
        leave(c);
        const uint64_t bytes = hd_context_bytes(&c->blocks[0].size);
        cr_expect_eq(of(c, 0, "packets_sent_context"), lines(bytes));
        cr_expect_eq(of(c, 0, "bytes_sent_context"),
                     (bytes + HD_UNCACHED_BYTES - 1) / HD_UNCACHED_BYTES * HD_UNCACHED_BYTES +
                         lines(bytes) * HD_HEADER_WIRE_BYTES);
        enter(c, 1);
        end(c, 1);
    }
}

/* It has no place in the core yet, but is one of its blocks for those who ask. */
Test(simt_core, a_block_that_enters_stops_when_it_is_here)
{
    courier *c = with_block(memory, memory, 40, 1600);
    leave(c);
    courier_restore(c, 0, 1);
    pair_run(c->pair, 20);
    cr_expect_eq(pair_state(c->pair, 1, 0), HD_CONTEXT_ABSENT);
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_expect_eq(c->blocks[0].place, COURIER_HERE);
    cr_expect_eq(c->blocks[0].refused, 0);
    cr_expect_eq(c->blocks[0].saved, 2);
    cr_expect_eq(of(c, 1, "blocks_restored"), 1);
    enter(c, 0);
    end(c, 1);
}

/* Told to leave before it is here, each time: in each round it issues an instruction before it stops, so that it ends. */
static void expect_progress(const char *const *machine)
{
    const uint32_t words[] = {
        addi(T0, ZERO, 5), addi(T0, T0, -1), bne(T0, ZERO, -4), lui(A3, DATA), sw(A3, 0, A3), ret(), 0};
    const uint32_t instructions = 1 + 2 * 5 + 3;
    courier *c = courier_create(pair_create(machine, machine, words));
    pair_launch(c->pair, 0, 1, 0);
    pair_run(c->pair, 1);
    courier_stop(c, 0);
    courier_wait(c, 0);
    uint32_t rounds = 0;
    for (; c->blocks[0].place == COURIER_HERE; rounds++) {
        cr_assert_leq(rounds, instructions, "%s", machine[1]);
        courier_restore(c, 0, rounds % 2);
        courier_stop(c, 0);
        courier_wait(c, 0);
    }
    cr_expect_eq(c->blocks[0].place, COURIER_ENDED);
    cr_expect_gt(rounds, 2, "%s: it leaves soon", machine[1]);
    cr_expect_eq(pair_statistic(c->pair, "warp_instructions"), instructions);
    cr_expect_eq(pair_statistic(c->pair, "context_lock_waits"), 0);
    end(c, 1);
}

Test(simt_core, a_block_gets_on_however_soon_it_is_told_to_leave)
{
    expect_progress(memory);
    expect_progress(unlimited);
    expect_progress(scheduler);
}

/* As long as others may make room, it waits in memory; only then its bytes beyond come back. */
Test(simt_core, a_block_in_memory_waits_for_room)
{
    courier *c = with_block(small, small, 64, 0);
    pair_launch(c->pair, 1, 40, 0);
    pair_run(c->pair, 20);
    leave(c);
    courier_restore(c, 0, 1);
    end(c, 2);
}

Test(simt_core, a_block_that_ends_while_it_stops_leaves_nothing_in_memory)
{
    const uint32_t words[] = {lui(A3, DATA), sw(A3, 0, A3), ret(), 0};
    uint32_t ended = 0;
    for (uint32_t cycles = 5; cycles < 60; cycles++) {
        core_pair *pair = pair_create(memory, memory, words);
        courier *c = courier_create(pair);
        pair_launch(pair, 0, 1, 0);
        pair_run(pair, cycles);
        courier_stop(c, 0);
        courier_wait(c, 0);
        if (c->blocks[0].place == COURIER_HERE) {
            enter(c, 0);
        } else {
            ended++;
            cr_expect_eq(of(c, 0, "packets_sent_context"), 0);
        }
        end(c, 1);
    }
    cr_expect_gt(ended, 0);
}

Test(simt_core, a_context_of_another_storage_ends_the_run)
{
    courier *c = with_block(memory, scheduler, 40, 0);
    leave(c);
    kit_expect_fault(rig_kit(c->pair->rig[1]));
    courier_restore(c, 0, 1);
    pair_run(c->pair, 10);
    cr_expect_str_eq(kit_fault_text(rig_kit(c->pair->rig[1])),
                     "block: dispatch brings a context of another context.storage of thread block 0");
    core_pair *pair = c->pair;
    courier_destroy(c);
    pair_destroy(pair);
}

/* 32 lanes of more than 3/4 of a context slot. */
Test(simt_core, a_block_whose_private_memory_is_in_the_way_ends_the_run)
{
    const uint32_t words[] = WAITING;
    core_pair *pair = pair_create(memory, memory, words);
    courier *c = courier_create(pair);
    hd_grid grid = {.grid_size = {16, 1, 1}, .block_size = {32, 1, 1}, .private_bytes = 400000};
    rig_launch_grid(pair->rig[0], &grid, (uint32_t[]){0, 0, 0}, pair_now(pair));
    pair_run(pair, 50);
    kit_expect_fault(rig_kit(pair->rig[0]));
    courier_stop(c, 0);
    pair_run(pair, 2000);
    cr_assert_not_null(kit_fault_text(rig_kit(pair->rig[0])));
    cr_expect(strstr(kit_fault_text(rig_kit(pair->rig[0])),
                     "cannot leave for memory: its context slot has no room for 12800000 B of private memory"),
              "%s", kit_fault_text(rig_kit(pair->rig[0])));
    courier_destroy(c);
    pair_destroy(pair);
}

/* The caches' message, with the class of contexts. */
Test(simt_core, contexts_that_the_l2_keeps_are_plain_requests_to_it)
{
    courier *c = with_block(in_l2, in_l2, 40, 64);
    leave(c);
    cr_expect_gt(of(c, 0, "packets_sent_context"), 0);
    cr_expect_eq(of(c, 0, "packets_sent_global"), 0);
    enter(c, 1);
    end(c, 1);
}

/* What the L1 has kept needs no request where the block left; elsewhere, and what others have stored since, does. */
Test(simt_core, contexts_that_the_l1_keeps_are_found_by_whoever_stored_them)
{
    courier *c = with_block(in_l1, in_l1, 40, 1024);
    leave(c);
    const uint64_t count = lines(hd_context_bytes(&c->blocks[0].size));
    cr_assert_eq(of(c, 0, "packets_sent_context"), count, "what is kept is written through");
    cr_expect_eq(of(c, 0, "l1_context_lines"), count);
    enter(c, 0);
    cr_expect_eq(of(c, 0, "packets_sent_context"), count);
    cr_expect_eq(of(c, 0, "l1_context_hits"), count);
    leave(c);
    enter(c, 1);
    cr_expect_eq(of(c, 1, "packets_sent_context"), count);
    cr_expect_eq(of(c, 1, "l1_context_lines"), count, "what comes is kept");
    cr_expect_eq(of(c, 1, "l1_context_hits"), 0);
    leave(c);
    enter(c, 0);
    cr_expect_eq(of(c, 0, "l1_context_hits"), count, "these lines are of the time before");
    cr_expect_eq(of(c, 0, "packets_sent_context"), 3 * count);
    end(c, 1);
}
