/* SPDX-License-Identifier: MIT */
/* Thread blocks leave and enter by messages of the scheduler: how long it takes, and what is answered when it cannot be. */
#include "core_courier.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const stream[] = {"context.engine=stream", "context.bytes_per_cycle=16 B", NULL};
static const char *const small[] = {"context.engine=stream", "warps=2", NULL};

/* Instruction words: some ten thousand cycles, and a store. */
#define WAITING {DELAY(1000), DELAY(1000), lui(A3, DATA), sw(A3, 0, A3), ret(), 0}

static courier *with_block(const char *const *second, uint32_t threads, uint32_t scratchpad)
{
    const uint32_t words[] = WAITING;
    core_pair *pair = pair_create(stream, second, words);
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

/* 40 threads of 20 registers, 1600 B of scratchpad, at 16 B a cycle: the architectural bytes, not those of the stream. */
Test(simt_core, a_block_leaves_and_enters_at_the_stated_rate)
{
    courier *c = with_block(stream, 40, 1600);
    const courier_block *block = &c->blocks[0];
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_assert_eq(block->place, COURIER_HERE);
    cr_expect_eq(block->size.register_bytes, 40 * 20 * 4);
    cr_expect_eq(block->size.scratchpad_bytes, 1600);
    cr_expect_eq(block->size.threads, 40);
    const uint64_t bytes = hd_context_bytes(&block->size), cycles = (bytes + 15) / 16;
    cr_expect_gt(block->size.stream_bytes, bytes, "other bytes: %lu", block->size.stream_bytes);
    cr_expect_eq(kit_statistic(rig_kit(c->pair->rig[0]), "context_cycles"), cycles);
    cr_expect_eq(kit_statistic(rig_kit(c->pair->rig[0]), "context_bytes"), bytes);
    cr_expect_eq(kit_statistic(rig_kit(c->pair->rig[0]), "blocks_saved"), 1);
    cr_expect_eq(pair_holder(c->pair, 0), 2);
    courier_restore(c, 0, 1);
    pair_run(c->pair, cycles);
    cr_expect_eq(pair_state(c->pair, 1, 0), HD_CONTEXT_ABSENT, "the last byte has yet to pass");
    pair_run(c->pair, 1);
    cr_expect_eq(pair_state(c->pair, 1, 0), HD_CONTEXT_RUNNING);
    cr_expect_eq(kit_statistic(rig_kit(c->pair->rig[1]), "context_cycles"), cycles);
    cr_expect_eq(kit_statistic(rig_kit(c->pair->rig[1]), "context_bytes"), bytes);
    cr_expect_eq(kit_statistic(rig_kit(c->pair->rig[1]), "blocks_restored"), 1);
    core_pair *pair = c->pair;
    pair_finish(pair, 1);
    cr_expect_eq(pair_statistic(pair, "blocks_run"), 1);
    end(c, 1);
}

/* Those that stop at once leave one behind the other. */
Test(simt_core, blocks_leave_one_at_a_time)
{
    courier *c = with_block(stream, 64, 0);
    pair_launch(c->pair, 0, 64, 0);
    pair_run(c->pair, 20);
    courier_stop(c, 0);
    courier_stop(c, 1);
    courier_wait(c, 0);
    courier_wait(c, 1);
    const hd_time cycle = kit_cycles(rig_kit(c->pair->rig[0]), 1);
    const uint64_t least = hd_context_bytes(&c->blocks[1].size) / 16 * cycle;
    const hd_time apart = c->blocks[1].told > c->blocks[0].told ? c->blocks[1].told - c->blocks[0].told
                                                                : c->blocks[0].told - c->blocks[1].told;
    cr_expect_geq(apart, least);
    cr_expect_leq(apart, least + 3 * cycle, "%lu, not %lu", apart, least);
    courier_restore(c, 1, 1);
    courier_restore(c, 0, 1);
    end(c, 2);
}

static void expect_refusal(courier *c, uint64_t tag, uint32_t reason)
{
    courier_wait(c, tag);
    cr_expect_eq(c->blocks[tag].refused, 1);
    cr_expect_eq(c->blocks[tag].reason, reason);
}

Test(simt_core, a_stop_that_cannot_be_is_refused)
{
    courier *c = with_block(stream, 40, 0);
    courier_send_stop(c, 7, 0);
    expect_refusal(c, 7, HD_REFUSED_UNKNOWN);
    courier_stop(c, 0);
    courier_stop(c, 0);
    expect_refusal(c, 0, HD_REFUSED_STOPPING);
    courier_wait(c, 0);
    cr_expect_eq(c->blocks[0].place, COURIER_HERE, "the first one holds");
    courier_restore(c, 0, 0);
    end(c, 1);
}

/* Its bytes come back, the blocks there go on, and later it fits. */
Test(simt_core, a_block_without_room_comes_back)
{
    courier *c = with_block(small, 64, 0);
    core_pair *pair = c->pair;
    pair_launch(pair, 1, 40, 0);
    pair_run(pair, 20);
    courier_stop(c, 0);
    courier_wait(c, 0);
    for (uint32_t i = 0; i < 2; i++) {
        courier_restore(c, 0, 1);
        courier_wait(c, 0);
        cr_expect_eq(c->blocks[0].place, COURIER_HERE);
        cr_expect_eq(c->blocks[0].refused, i + 1);
        cr_expect_eq(c->blocks[0].reason, HD_REFUSED_RESTORE);
        cr_expect_eq(kit_statistic(rig_kit(pair->rig[1]), "blocks_restored"), 0);
    }
    courier_wait(c, RIG_SECOND_TAG);
    cr_assert_eq(c->blocks[RIG_SECOND_TAG].place, COURIER_ENDED);
    courier_restore(c, 0, 1);
    end(c, 2);
}

Test(simt_core, a_block_that_ends_while_it_stops_is_done)
{
    const uint32_t words[] = {lui(A3, DATA), sw(A3, 0, A3), ret(), 0};
    for (uint32_t cycles = 5; cycles < 60; cycles++) {
        core_pair *pair = pair_create(stream, stream, words);
        courier *c = courier_create(pair);
        pair_launch(pair, 0, 1, 0);
        pair_run(pair, cycles);
        courier_stop(c, 0);
        courier_wait(c, 0);
        courier_block *block = &c->blocks[0];
        if (block->place == COURIER_HERE) {
            courier_restore(c, 0, 0);
            courier_wait(c, 0);
        } else if (block->refused) {
            cr_expect_eq(block->reason, HD_REFUSED_UNKNOWN);
        }
        pair_run(pair, 10);
        courier_take(c);
        cr_expect_eq(block->place, COURIER_ENDED, "stopped after %u cycles", cycles);
        end(c, 1);
    }
}

/* No more answers than credits: the last ones wait, and nothing is lost. */
Test(simt_core, answers_wait_for_credits)
{
    courier *c = with_block(stream, 64, 0);
    kit_block *kit = rig_kit(c->pair->rig[0]);
    kit_hold_credits(kit, EVENT, 0, 1);
    courier_stop(c, 0);
    for (uint32_t i = 0; i < 10; i++)
        courier_send_stop(c, 9, 0);
    pair_run(c->pair, 2000);
    courier_take(c);
    cr_expect_lt(c->blocks[9].refused, 10);
    cr_expect_eq(c->blocks[0].place, COURIER_FIRST);
    kit_hold_credits(kit, EVENT, 0, 0);
    kit_release_credits(kit, EVENT, 0, 64, pair_now(c->pair));
    courier_wait(c, 0);
    pair_run(c->pair, 20);
    courier_take(c);
    cr_expect_eq(c->blocks[0].place, COURIER_HERE);
    cr_expect_eq(c->blocks[9].refused, 10);
    courier_restore(c, 0, 1);
    end(c, 1);
}

/* Whoever embeds the core cannot have a block that leaves. */
Test(simt_core, a_block_that_leaves_can_neither_resume_nor_be_released)
{
    courier *c = with_block(stream, 64, 0);
    const hd_context *context = hd_simt_core_timed.extension(kit_instance(rig_kit(c->pair->rig[0])), HD_EXTENSION_CONTEXT);
    hd_block *core = kit_instance(rig_kit(c->pair->rig[0]));
    courier_stop(c, 0);
    pair_run(c->pair, 60);
    cr_assert_eq(context->state(core, 0), HD_CONTEXT_STOPPED);
    cr_expect_not(context->resume(core, 0, pair_now(c->pair)));
    cr_expect_not(context->release(core, 0, pair_now(c->pair)));
    courier_wait(c, 0);
    courier_restore(c, 0, 0);
    end(c, 1);
}

static void expect_fault(const char *const *parameters, const char *message, uint32_t bytes, const char *text)
{
    const uint32_t words[] = WAITING;
    core_rig *rig = rig_create(parameters, words);
    kit_expect_fault(rig_kit(rig));
    hd_packet *packet = kit_packet(rig_kit(rig), message, bytes);
    packet->tag = 3;
    kit_send(rig_kit(rig), DISPATCH, 0, packet, 0);
    kit_run_until(rig_kit(rig), 10000);
    cr_assert_not_null(kit_fault_text(rig_kit(rig)), "%s", message);
    cr_expect_str_eq(kit_fault_text(rig_kit(rig)), text);
    rig_destroy(rig);
}

Test(simt_core, messages_that_make_no_sense_are_faults)
{
    static const char *const none[] = {NULL};
    expect_fault(none, HD_BLOCK_STOP, 0,
                 "block: dispatch brings a message without meaning here (context.engine is none) of thread block 3");
    expect_fault(stream, HD_BLOCK_DONE, 0, "block: dispatch brings a message without meaning here of thread block 3");
    expect_fault(stream, HD_BLOCK_CONTEXT, 64, "block: dispatch brings bytes that nobody has announced of thread block 3");
    expect_fault(stream, HD_BLOCK_RESTORE, sizeof(hd_context_size), "block: dispatch brings no byte of thread block 3");
}
