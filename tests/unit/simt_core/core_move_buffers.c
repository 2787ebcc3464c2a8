/* SPDX-License-Identifier: MIT */
/* Thread blocks that leave by buffers of the L2: what goes there and when, what the scheduler hears, and what is no such block. */
#include "core_courier.h"
#include "core_random_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define BUFFERS "context.engine=stream", "context.storage=buffer"
static const char *const buffers[] = {BUFFERS, "context.bytes_per_cycle=16 B", NULL};
static const char *const cached[] = {BUFFERS, "context.cacheable=l1l2", "l1.bytes=24 KiB", NULL};
static const char *const memory[] = {"context.engine=stream", "context.storage=memory", NULL};
static const char *const slow_memory[] = {"context.engine=stream", "context.storage=memory",
                                          "context.bytes_per_cycle=1 B", NULL};
static const char *const small[] = {"context.engine=stream", "context.storage=memory", "warps=2", NULL};
static const char *const links[] = {"context.engine=stream", "context.bytes_per_cycle=1 B", NULL};
#define BYTES 8192u /* of a buffer */

/* Instruction words: some ten thousand cycles, and a store. */
#define WAITING                                                                                                        \
    {                                                                                                                  \
        DELAY(1000), DELAY(1000), lui(A3, DATA), sw(A3, 0, A3), ret(), 0                                               \
    }

static courier *with_block(const char *const *machine, uint64_t buffer_bytes)
{
    const uint32_t words[] = WAITING;
    core_pair *pair = pair_create(machine, machine, words);
    courier *c = courier_create(pair);
    c->buffer_bytes = buffer_bytes;
    pair_launch(pair, 0, 40, 1600);
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
    courier_take(c);
}

static uint64_t lines(uint64_t bytes)
{
    return (bytes + HD_LINE_BYTES - 1) / HD_LINE_BYTES;
}

static uint64_t saved_word(courier *c)
{
    const hd_context_size *size = &c->blocks[0].size;
    return rig_word(c->pair->rig[0], hd_context_line(size->context_slot, size->context_slots, HD_CONTEXT_SAVED_LINE));
}

/* 64 B a cycle, a request for each line, and nothing in memory. */
Test(simt_core, a_block_goes_by_a_buffer_at_the_stated_rate)
{
    courier *c = with_block(buffers, BYTES);
    leave(c);
    const hd_context_size *size = &c->blocks[0].size;
    const uint64_t bytes = hd_context_bytes(size), cycles = (bytes + 63) / 64;
    cr_expect_eq(size->buffer, 1);
    cr_expect_eq(size->buffer_bytes, BYTES);
    cr_expect_eq(size->memory_bytes, bytes);
    cr_expect_eq(c->blocks[0].leaving, 1);
    cr_expect_eq(of(c, 0, "context_cycles"), cycles, "%lu, not %lu", of(c, 0, "context_cycles"), cycles);
    cr_expect_eq(of(c, 0, "packets_sent_context"), lines(bytes));
    cr_expect_eq(saved_word(c), 0);
    enter(c, 1);
    cr_expect_eq(of(c, 1, "context_cycles"), cycles);
    cr_expect_eq(of(c, 1, "packets_sent_context"), lines(bytes));
    cr_expect_eq(of(c, 0, "blocks_shuffled") + of(c, 1, "blocks_shuffled"), 2);
    cr_expect_eq(c->blocks[0].restored, 1);
    end(c, 1);
}

/* The L1 keeps lines of memory, but none of buffers. */
Test(simt_core, what_is_in_a_buffer_is_in_no_cache)
{
    courier *c = with_block(cached, BYTES);
    leave(c);
    enter(c, 0);
    cr_expect_eq(of(c, 0, "l1_context_lines"), 0);
    cr_expect_eq(of(c, 0, "l1_context_hits"), 0);
    c->buffer_bytes = 0;
    leave(c);
    cr_expect_gt(of(c, 0, "l1_context_lines"), 0);
    cr_expect_gt(saved_word(c), 0);
    enter(c, 1);
    cr_expect_eq(c->blocks[0].restored, 1, "it has come from memory");
    end(c, 1);
}

/* To the byte: one that just fits goes there, a smaller buffer sends it to memory, at the rate of that. */
Test(simt_core, a_block_larger_than_its_buffer_goes_to_memory)
{
    courier *first = with_block(buffers, BYTES);
    leave(first);
    const uint64_t whole = lines(hd_context_bytes(&first->blocks[0].size)) * HD_LINE_BYTES;
    enter(first, 1);
    end(first, 1);
    for (uint32_t i = 0; i < 2; i++) {
        courier *c = with_block(buffers, whole - i * HD_LINE_BYTES);
        leave(c);
        const uint64_t bytes = hd_context_bytes(&c->blocks[0].size), rate = i ? 16 : 64;
        cr_expect_eq(c->blocks[0].size.buffer, !i);
        cr_expect_eq(c->blocks[0].leaving, 1, "the buffer is free again");
        cr_expect_eq(of(c, 0, "context_buffer_overflows"), i);
        cr_expect_eq(of(c, 0, "context_cycles"), (bytes + rate - 1) / rate);
        cr_expect_eq(saved_word(c) != 0, i == 1);
        enter(c, 1);
        cr_expect_eq(c->blocks[0].restored, !i);
        cr_expect_eq(of(c, 1, "blocks_shuffled"), !i);
        end(c, 1);
    }
}

/* Whatever the rate of the core, and wherever it keeps blocks: what there is to move comes as one message, right behind the word. */
Test(simt_core, blocks_move_in_no_time)
{
    static const char *const *const machines[] = {slow_memory, links, buffers};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        courier *c = with_block(machines[i], 0);
        c->is_ideal = 1;
        leave(c);
        cr_expect_gt(c->blocks[0].stream_bytes, HD_PACKET_BODY_MAX);
        cr_expect_eq(c->blocks[0].size.memory_bytes, 0);
        cr_expect_eq(c->blocks[0].stream_bytes, c->blocks[0].size.stream_bytes);
        cr_expect_eq(of(c, 0, "packets_sent_context"), 0);
        cr_expect_eq(of(c, 0, "context_cycles"), 0);
        enter(c, 1);
        cr_expect_leq(of(c, 1, "context_cycles"), 2);
        end(c, 1);
    }
}

/* One that moves in no time waits for room as others do. */
Test(simt_core, a_block_that_moves_in_no_time_waits_for_room)
{
    const uint32_t words[] = WAITING;
    courier *c = courier_create(pair_create(small, small, words));
    c->is_ideal = 1;
    for (uint32_t core = 0; core < 2; core++)
        pair_launch(c->pair, core, 64, 0);
    pair_run(c->pair, 50);
    leave(c);
    courier_restore(c, 0, 1);
    pair_run(c->pair, 500);
    courier_take(c);
    cr_expect_neq(pair_state(c->pair, 1, 0), HD_CONTEXT_RUNNING);
    cr_expect_eq(c->blocks[0].refused, 0);
    courier_stop(c, RIG_SECOND_TAG);
    courier_wait(c, RIG_SECOND_TAG);
    courier_restore(c, RIG_SECOND_TAG, 0);
    end(c, 2);
}

static void expect_fault(const char *const *parameters, const char *message, const hd_context_size *size,
                         const char *text)
{
    const uint32_t words[] = WAITING;
    core_rig *rig = rig_create(parameters, words);
    kit_expect_fault(rig_kit(rig));
    hd_packet *packet = kit_packet(rig_kit(rig), message, sizeof *size);
    memcpy(hd_body(packet), size, sizeof *size);
    packet->tag = 3;
    kit_send(rig_kit(rig), DISPATCH, 0, packet, 0);
    kit_run_until(rig_kit(rig), 10000);
    cr_assert_not_null(kit_fault_text(rig_kit(rig)), "%s", text);
    cr_expect_str_eq(kit_fault_text(rig_kit(rig)), text);
    rig_destroy(rig);
}

Test(simt_core, what_is_no_block_in_a_buffer_is_a_fault)
{
    const hd_context_size fits = {
        .stream_bytes = 1024, .memory_bytes = 512, .register_bytes = 512, .buffer = 1, .buffer_bytes = 512};
    hd_context_size larger = fits, none = fits;
    larger.buffer_bytes = 384;
    none.memory_bytes = 0;
    expect_fault(memory, HD_BLOCK_SHUFFLE, &fits,
                 "block: dispatch brings a message without meaning here of thread block 3");
    expect_fault(memory, HD_BLOCK_RESTORE, &fits,
                 "block: dispatch brings a context of another context.storage of thread block 3");
    expect_fault(links, HD_BLOCK_RESTORE, &fits,
                 "block: dispatch brings a context of another context.storage of thread block 3");
    expect_fault(buffers, HD_BLOCK_RESTORE, &larger,
                 "block: dispatch brings a context of another context.storage of thread block 3");
    expect_fault(buffers, HD_BLOCK_RESTORE, &none,
                 "block: dispatch brings a context of another context.storage of thread block 3");
}

/* ---- At every cycle ------------------------------------------------------------------------------------------------------- */

#define THREADS 37u
#define RESULTS (THREADS * RANDOM_RESULT_WORDS)

static core_pair *launched(const char *const *machine, const uint32_t *words)
{
    core_pair *pair = pair_create(machine, machine, words);
    const hd_grid grid = {.grid_size = {1, 1, 1},
                          .block_size = {THREADS, 1, 1},
                          .scratchpad_bytes = THREADS * 4 + 32,
                          .private_bytes = 128};
    rig_launch_grid(pair->rig[0], &grid, (uint32_t[]){0, 0, 0}, 0);
    return pair;
}

static void take_words(core_pair *pair, uint32_t *words)
{
    for (uint32_t i = 0; i < RESULTS; i++)
        words[i] = rig_word(pair->rig[0], DATA + 4 * i);
    for (uint32_t i = 0; i < 8; i++)
        words[RESULTS + i] = rig_word(pair->rig[0], DATA + RANDOM_SHARED_OFFSET + 4 * i);
}

/* Moved after so many cycles; 0 if it has ended before. */
static uint32_t moved_after(uint64_t cycles, const uint32_t *program, uint32_t *words)
{
    static const char *const machine[] = {BUFFERS, "context.dead=marks", "context.compress=write",
                                          "context.scratchpad=written", NULL};
    core_pair *pair = launched(machine, program);
    courier *c = courier_create(pair);
    c->buffer_bytes = 16384;
    pair_run(pair, cycles);
    courier_take(c);
    const uint32_t runs = c->blocks[0].place < COURIER_HERE;
    if (runs) {
        courier_stop(c, 0);
        courier_wait(c, 0);
    }
    const uint32_t moves = c->blocks[0].place == COURIER_HERE;
    if (moves)
        courier_restore(c, 0, 1);
    pair_finish(pair, 1);
    take_words(pair, words);
    courier_destroy(c);
    pair_destroy(pair);
    return runs;
}

/* Barriers, divergence, scratchpad, private memory and atomics: the program does what it does undisturbed. */
Test(simt_core, a_block_that_is_shuffled_at_any_cycle_does_the_same, .timeout = 3600)
{
    static uint32_t program[RANDOM_WORDS], still[RESULTS + 8], moved[RESULTS + 8];
    static const char *const plain[] = {NULL};
    random_program(20260307, program);
    core_pair *pair = launched(plain, program);
    pair_finish(pair, 1);
    take_words(pair, still);
    pair_destroy(pair);
    uint64_t cycle = 1;
    while (moved_after(cycle, program, moved)) {
        cr_assert_arr_eq(moved, still, sizeof still, "shuffled after %lu cycles", cycle);
        cycle++;
    }
    fprintf(stderr, "shuffled at each of %lu cycles\n", cycle - 1);
    cr_expect_gt(cycle, 500);
}
