/* SPDX-License-Identifier: MIT */
/* A scheduler with a policy of the test: what it is told and asked, levels, and what becomes of wrong answers. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "thread_block_policy.h"

static hd_time cycles(uint64_t n)
{
    return n * 1000;
}

/* ---- The policy: does what the test says, and notes what it hears -------------------------------------------------------- */

static struct script {
    uint64_t context_bytes;       /* of the block that was asked for last */
    uint32_t core, victim, saved; /* its answers; the victim from cycle `next` on */
    uint32_t another_saved;       /* where `saved` gets no core */
    uint32_t later_core;          /* from then on */
    uint32_t next_victim;         /* when the first one has been told, from cycle `next_but_one` on */
    uint64_t next_but_one;
    uint32_t watches;
    hd_block_watch watch;
    uint64_t next;
    uint32_t aligned;
    thread_block_event heard[64];
    hd_block_level levels[64];
    uint32_t indices[64];
    uint32_t count;
} script;

static thread_block_policy *scripted_create(const thread_block_policy_parameters *parameters)
{
    (void)parameters;
    return malloc(1);
}

static void scripted_destroy(thread_block_policy *unit)
{
    free(unit);
}

static void scripted_reset(thread_block_policy *unit)
{
    (void)unit;
    script.aligned++;
}

static void scripted_event(thread_block_policy *unit, const thread_block_event *event)
{
    (void)unit;
    cr_assert_lt(script.count, 64);
    script.heard[script.count] = *event;
    if (event->level)
        script.levels[script.count] = *event->level;
    if (event->block)
        script.indices[script.count] = event->block->block_index[0];
    script.count++;
    if (event->kind == THREAD_BLOCK_ENTERING && event->slot == script.another_saved)
        script.another_saved = NO_BLOCK;
    if (event->kind == THREAD_BLOCK_STOPPING) {
        script.victim = script.next_victim;
        script.next = script.next_but_one;
    }
}

static uint32_t scripted_choose_core(const thread_block_policy *unit, const thread_block *block,
                                     const thread_block_cores *cores, uint64_t cycle)
{
    (void)unit;
    script.context_bytes = block->context_bytes;
    const uint32_t core = script.later_core != NO_CORE && cycle >= script.next ? script.later_core : script.core;
    return core != NO_CORE && cores->takes[core / 64] >> core % 64 & 1 ? core : NO_CORE;
}

static uint32_t scripted_choose_victim(const thread_block_policy *unit, const thread_block_demand *demand)
{
    (void)unit;
    return demand->cycle >= script.next ? script.victim : NO_BLOCK;
}

static uint32_t scripted_choose_saved(const thread_block_policy *unit, const thread_block_demand *demand)
{
    (void)unit;
    return demand->tried == 0 ? script.saved : demand->tried == 1 ? script.another_saved : NO_BLOCK;
}

static uint64_t scripted_next(const thread_block_policy *unit, const thread_block_demand *demand)
{
    (void)unit;
    return script.next > demand->cycle ? script.next : UINT64_MAX;
}

static uint32_t scripted_watch(const thread_block_policy *unit, const thread_block *block, hd_block_watch *watch)
{
    (void)unit, (void)block;
    *watch = script.watch;
    return script.watches;
}

static const thread_block_policy_unit scripted = {
    .create = scripted_create,
    .destroy = scripted_destroy,
    .reset = scripted_reset,
    .event = scripted_event,
    .choose_core = scripted_choose_core,
    .choose_victim = scripted_choose_victim,
    .choose_saved = scripted_choose_saved,
    .next = scripted_next,
    .watch = scripted_watch,
};

static const hd_message_use messages[] = {THREAD_BLOCK_POLICY_MOVES, THREAD_BLOCK_POLICY_LEVELS};

static const hd_unit declared = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "thread_block_policy",
    .name = "scripted",
    .doc = "of a test",
    .interface = THREAD_BLOCK_POLICY_INTERFACE,
    .functions = &scripted,
    .message_count = sizeof messages / sizeof *messages,
    .messages = messages,
};

static kit_block *begin(uint32_t cores)
{
    script = (struct script){.core = 0,
                             .victim = NO_BLOCK,
                             .saved = NO_BLOCK,
                             .another_saved = NO_BLOCK,
                             .later_core = NO_CORE,
                             .next_victim = NO_BLOCK};
    kit_fit_unit(&declared);
    return rig_create(NULL, cores, &rig_small_core);
}

static hd_packet *expect(kit_block *kit, uint32_t core, const char *message, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_receive(kit, PORT_DISPATCH, core, t);
    cr_assert_not_null(packet, "no %s of %lu by %lu", message, tag, t);
    cr_assert_str_eq(kit_message_name(kit, packet->message), message);
    cr_assert_eq(packet->tag, tag);
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

static void expect_heard(uint32_t at, uint32_t kind, uint32_t slot, uint32_t core)
{
    cr_assert_lt(at, script.count);
    cr_expect_eq(script.heard[at].kind, kind, "event %u is %u", at, script.heard[at].kind);
    cr_expect_eq(script.heard[at].slot, slot);
    cr_expect_eq(script.heard[at].core, core);
}

static const hd_context_size size = {.stream_bytes = 1, .register_bytes = 100, .threads = 256, .warps = 8};

/* From its launch to its end by way of another core, and the watch with it. */
Test(policies, hear_all_that_happens_to_a_block)
{
    kit_block *kit = begin(2);
    script.watches = 1;
    script.watch = (hd_block_watch){.period = 77, .highest = 7, .memory_steps = 8};
    script.victim = 0;
    script.next = 100;
    hd_grid grid = rig_grid(0, 1, 256);
    rig_launch(kit, &grid, 0);
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(10));
    hd_packet *watch = expect(kit, 0, HD_BLOCK_WATCH, 0, cycles(10));
    cr_expect_arr_eq(hd_body(watch), &script.watch, sizeof script.watch);
    kit_free(kit, watch);
    const hd_block_level level = {.cycles = 77, .memory_level = 3};
    answer(kit, 0, HD_BLOCK_LEVEL, 0, &level, sizeof level, cycles(90));
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(110));
    answer(kit, 0, HD_BLOCK_CONTEXT, 0, "x", 1, cycles(120));
    answer(kit, 0, HD_BLOCK_SAVED, 0, &size, sizeof size, cycles(121));
    script.saved = 0;
    script.core = 1;
    expect_one(kit, 1, HD_BLOCK_RESTORE, 0, cycles(130));
    expect_one(kit, 1, HD_BLOCK_CONTEXT, 0, cycles(130));
    script.saved = NO_BLOCK;
    expect_one(kit, 1, HD_BLOCK_WATCH, 0, cycles(140));
    rig_finish(kit, 1, 0, cycles(150));
    kit_run_until(kit, cycles(160));
    static const uint32_t kinds[] = {THREAD_BLOCK_LAUNCHED, THREAD_BLOCK_LEVEL,    THREAD_BLOCK_STOPPING,
                                     THREAD_BLOCK_SAVED,    THREAD_BLOCK_ENTERING, THREAD_BLOCK_RESTORED,
                                     THREAD_BLOCK_ENDED};
    cr_assert_eq(script.count, 7, "%u", script.count);
    for (uint32_t i = 0; i < 7; i++)
        expect_heard(i, kinds[i], 0, i > 3);
    cr_expect_eq(script.levels[1].memory_level, 3);
    cr_expect_eq(script.heard[2].cycle, 100, "not before `next`: %lu", script.heard[2].cycle);
    cr_expect_eq(kit_statistic(kit, "preemptions"), 1);
    cr_expect_eq(kit_statistic(kit, "resumptions"), 1);
    kit_destroy(kit);
}

/* Two blocks have left a core of four that 128 threads each fill, and 64 of the third wait: who gets the room? */
static void expect_first(uint32_t saved_first, const char *message)
{
    static thread_block_policy_unit other;
    static hd_unit unit;
    other = scripted;
    other.saved_first = saved_first;
    unit = declared;
    unit.functions = &other;
    script = (struct script){.victim = 0,
                             .saved = NO_BLOCK,
                             .another_saved = NO_BLOCK,
                             .later_core = NO_CORE,
                             .next_victim = NO_BLOCK,
                             .next = 100};
    kit_fit_unit(&unit);
    kit_block *kit = rig_create(NULL, 1, &rig_small_core);
    hd_grid grid = rig_grid(0, 2, 256);
    rig_launch(kit, &grid, 0);
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(10));
    cr_expect_eq(script.context_bytes, 256 * 32 * 4);
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(110));
    answer(kit, 0, HD_BLOCK_CONTEXT, 0, "x", 1, cycles(120));
    answer(kit, 0, HD_BLOCK_SAVED, 0, &size, sizeof size, cycles(120));
    script.saved = 0;
    expect_one(kit, 0, message, !saved_first, cycles(140));
    kit_destroy(kit);
}

Test(policies, say_whether_those_that_wait_come_first)
{
    expect_first(0, HD_BLOCK_LAUNCH);
    expect_first(1, HD_BLOCK_RESTORE);
}

/* One of two that have left goes on where the other one has no room. */
Test(policies, name_another_that_waits)
{
    kit_block *kit = begin(1);
    script.victim = 0;
    script.next = 100;
    script.next_victim = 1;
    script.next_but_one = 115;
    hd_grid large = rig_grid(0, 1, 192), small = rig_grid(1, 1, 64);
    large.scratchpad_bytes = 8;
    rig_launch(kit, &large, 0);
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(10));
    cr_expect_eq(script.context_bytes, 192 * 32 * 4 + 8);
    rig_launch(kit, &small, cycles(10));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 1, cycles(20));
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(110));
    script.next_victim = NO_BLOCK;
    expect_one(kit, 0, HD_BLOCK_STOP, 1, cycles(120));
    hd_grid between = rig_grid(2, 1, 128);
    for (uint32_t slot = 0; slot < 2; slot++) {
        answer(kit, 0, HD_BLOCK_CONTEXT, slot, "x", 1, cycles(130));
        answer(kit, 0, HD_BLOCK_SAVED, slot, &size, sizeof size, cycles(130));
    }
    rig_launch(kit, &between, cycles(130));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 2, cycles(150));
    script.saved = 0;
    script.another_saved = 1;
    large.launch = 3;
    rig_launch(kit, &large, cycles(150)); /* that has no room either */
    expect_one(kit, 0, HD_BLOCK_RESTORE, 1, cycles(170));
    kit_destroy(kit);
}

/* Blocks are in order: one that gets no core keeps those behind it. */
Test(policies, may_let_a_block_wait)
{
    kit_block *kit = begin(2);
    script.core = NO_CORE;
    script.later_core = 1;
    script.next = 110;
    hd_grid grid = rig_grid(0, 3, 256);
    rig_launch(kit, &grid, 0);
    kit_run_until(kit, cycles(100));
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, 0) + kit_waiting(kit, PORT_DISPATCH, 1), 0);
    const uint64_t waited = kit_statistic(kit, "stall_policy_cycles");
    cr_expect_gt(waited, 90, "%lu", waited);
    cr_expect_eq(kit_statistic(kit, "stall_room_cycles"), 0);
    expect_one(kit, 1, HD_BLOCK_LAUNCH, 0, cycles(120));
    cr_expect_eq(script.heard[0].cycle, 110);
    kit_run_until(kit, cycles(130));
    const uint64_t more = kit_statistic(kit, "stall_policy_cycles") - waited;
    cr_expect(more > 25 && more < 31, "core 0 would take the next one: %lu", more);
    kit_destroy(kit);
}

Test(policies, hear_of_a_stop_that_came_too_late)
{
    kit_block *kit = begin(1);
    hd_grid grid = rig_grid(0, 2, 256);
    script.victim = 0;
    script.next = 20;
    rig_launch(kit, &grid, 0);
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(10));
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(30));
    rig_finish(kit, 0, 0, cycles(31));
    hd_packet *refused = kit_packet(kit, HD_BLOCK_REFUSED, 0);
    refused->argument = HD_REFUSED_UNKNOWN;
    kit_send(kit, PORT_EVENT, 0, refused, cycles(32));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(40));
    kit_run_until(kit, cycles(50));
    static const uint32_t kinds[] = {THREAD_BLOCK_LAUNCHED, THREAD_BLOCK_STOPPING, THREAD_BLOCK_ENDED,
                                     THREAD_BLOCK_LAUNCHED, THREAD_BLOCK_REFUSED};
    cr_assert_eq(script.count, 5);
    for (uint32_t i = 0; i < 5; i++)
        expect_heard(i, kinds[i], 0, 0);
    kit_destroy(kit);
}

/* Nothing is sent to a core about a block that has ended meanwhile. */
Test(policies, watch_nothing_that_is_gone)
{
    kit_block *kit = begin(1);
    script.watches = 1;
    script.watch.period = 5;
    kit_hold_credits(kit, PORT_DISPATCH, 0, 1);
    hd_grid grid = rig_grid(0, 2, 64);
    rig_launch(kit, &grid, 0);
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(10));
    expect_one(kit, 0, HD_BLOCK_WATCH, 0, cycles(10));
    kit_release_credits(kit, PORT_DISPATCH, 0, 1, cycles(11));
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 1, cycles(20));
    rig_finish(kit, 0, 1, cycles(21)); /* before its watch has a credit */
    kit_run_until(kit, cycles(30));
    kit_release_credits(kit, PORT_DISPATCH, 0, 8, cycles(31));
    kit_run_until(kit, cycles(40));
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, 0), 0);
    kit_destroy(kit);
}

Test(policies, begin_anew_after_an_alignment)
{
    kit_block *kit = begin(1);
    const uint32_t before = script.aligned;
    kit_reset(kit);
    cr_expect_eq(script.aligned, before + 1);
    kit_destroy(kit);
}

static void expect_fault(uint32_t victim, uint32_t saved, const char *text)
{
    kit_block *kit = begin(1);
    kit_expect_fault(kit);
    script.victim = 0;
    script.next = 20;
    script.next_victim = victim;
    script.next_but_one = 50;
    hd_grid grid = rig_grid(0, 2, 256);
    rig_launch(kit, &grid, 0);
    expect_one(kit, 0, HD_BLOCK_LAUNCH, 0, cycles(10));
    expect_one(kit, 0, HD_BLOCK_STOP, 0, cycles(30));
    script.saved = saved;
    if (saved != NO_BLOCK) {
        answer(kit, 0, HD_BLOCK_CONTEXT, 0, "x", 1, cycles(40));
        answer(kit, 0, HD_BLOCK_SAVED, 0, &size, sizeof size, cycles(41));
    }
    kit_run_until(kit, cycles(60));
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_str_eq(kit_fault_text(kit), text);
    kit_destroy(kit);
}

Test(policies, that_choose_what_cannot_be_are_faults)
{
    expect_fault(0, NO_BLOCK, "policy stops block 0, which does not run");
    expect_fault(9999, NO_BLOCK, "policy stops block 9999, which does not run");
    expect_fault(NO_BLOCK, 3, "policy restores block 3, which has not left its core");
}

/* A level of a block that is not there has no meaning. */
Test(policies, levels_of_nobody_are_faults)
{
    kit_block *kit = begin(1);
    kit_expect_fault(kit);
    const hd_block_level level = {0};
    answer(kit, 0, HD_BLOCK_LEVEL, 3, &level, sizeof level, cycles(5));
    kit_run_until(kit, cycles(10));
    cr_expect_str_eq(kit_fault_text(kit), "event[0]: a message of a type that has no meaning here");
    kit_destroy(kit);
}
