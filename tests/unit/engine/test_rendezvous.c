/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "network.h"
#include "probe.h"

#define WINDOW 50000u /* ps: a rendezvous is later than t by more than this */

typedef struct record {
    char text[1024];
    hd_time answers[4];
} record;

static void on_rendezvous(void *context, hd_time t, uint32_t what, uint64_t argument)
{
    record *record = context;
    const size_t used = strlen(record->text);
    snprintf(record->text + used, sizeof record->text - used, "%llu:%u:%llu ", (unsigned long long)t, what,
             (unsigned long long)argument);
}

static hd_time ask(probe *self, hd_time t, uint32_t what, uint64_t argument)
{
    const hd_rendezvous *rendezvous = self->services->extension(self->services->context, HD_EXTENSION_RENDEZVOUS);
    return rendezvous->request(rendezvous->context, t, what, argument);
}

static hd_time asks_at_start(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    record *record = self->script->context;
    if (now == 0)
        record->answers[self->services->endpoint] = ask(self, 0, HD_RENDEZVOUS_ALIGN, 0);
    return HD_NEVER;
}

static hd_time never_sends(probe *self, hd_time now)
{
    (void)self;
    (void)now;
    return HD_NEVER;
}

Test(rendezvous, is_the_first_common_edge_beyond_any_window)
{
    record record = {0};
    hd_engine *engine = hd_engine_create();
    const uint64_t hz[] = {1400000000, 700000000, 924000000};
    for (uint32_t i = 0; i < 3; i++)
        hd_engine_add_block(engine, &probe_class, "probe", i, 3, (hd_clock){hz[i]}, NULL);
    probe_start(engine, &(probe_script){.context = &record, .advance = asks_at_start, .promise = never_sends});
    cr_expect_eq(hd_engine_common_clock(engine).hz, 28000000);
    hd_engine_run(engine, 1000000);
    const hd_time expected = hd_clock_edge((hd_clock){28000000}, 2); /* 71.4 ns; edge 1 is at 35.7 ns */
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(record.answers[i], expected);
        cr_expect_gt(record.answers[i], WINDOW);
        cr_expect_leq(probe_of(engine, i)->horizon[0], record.answers[i], "nobody is called beyond it before");
        const hd_clock clock = {hz[i]};
        cr_expect_eq(hd_clock_edge(clock, hd_clock_index_at_or_after(clock, expected)), expected);
    }
    hd_engine_destroy(engine);
}

/* b asks at 0, 1000 and 2000, a at 1000; all meet at the same time. */
static hd_time asks_in_turn(probe *self, hd_time now, hd_time horizon)
{
    const uint32_t is_a = strcmp(self->services->name, "a") == 0;
    for (hd_time t = now; t < horizon; t++) {
        if (is_a && t == 1000)
            ask(self, t, HD_RENDEZVOUS_KERNEL_END, 1);
        if (!is_a && t <= 2000 && t % 1000 == 0)
            ask(self, t, HD_RENDEZVOUS_KERNEL_BEGIN, t);
        if (t == 2000)
            return HD_NEVER;
    }
    return horizon;
}

Test(rendezvous, requests_are_kept_in_the_order_of_asking_whatever_the_windows)
{
    for (uint64_t disturbance = 0; disturbance < 20; disturbance++) {
        record record = {0};
        hd_engine *engine = hd_engine_create();
        hd_engine_add_block(engine, &probe_class, "a", 0, 1, (hd_clock){10000000}, NULL); /* 100 ns */
        hd_engine_add_block(engine, &probe_class, "b", 0, 1, (hd_clock){10000000}, NULL);
        hd_engine_observe(engine, &(hd_observer){.context = &record, .rendezvous = on_rendezvous});
        hd_engine_disturb(engine, disturbance);
        probe_start(engine, &(probe_script){.advance = asks_in_turn});
        hd_engine_run(engine, 1000000);
        cr_expect_str_eq(record.text, "100000:2:0 100000:4:1 100000:2:1000 100000:2:2000 ");
        hd_engine_destroy(engine);
    }
}

static void aligns(probe *self, hd_time t, const hd_write_back_sink *sink)
{
    (void)sink;
    on_rendezvous(self->script->context, t, 0, self->horizon[self->calls - 1]);
}

Test(rendezvous, all_blocks_stand_at_its_time_when_aligned_and_go_on_from_there)
{
    record record = {0};
    hd_engine *engine = hd_engine_create();
    hd_engine_add_block(engine, &probe_class, "a", 0, 1, (hd_clock){10000000}, NULL);
    hd_engine_add_block(engine, &probe_class, "b", 0, 1, (hd_clock){10000000}, NULL);
    hd_engine_observe(engine, &(hd_observer){.context = &record, .rendezvous = on_rendezvous});
    probe_start(engine, &(probe_script){.context = &record, .advance = asks_at_start, .align = aligns});
    while (hd_engine_step(engine, HD_NEVER) != HD_NEVER)
        continue;
    cr_expect_str_eq(record.text, "100000:0:100000 100000:0:100000 100000:1:0 100000:1:0 ");
    for (uint32_t b = 0; b < 2; b++)
        cr_expect_eq(probe_of(engine, b)->now[probe_of(engine, b)->calls - 1], 100000);
    hd_engine_destroy(engine);
}

static hd_engine *requester_and_memory(void)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t requester = network_add(engine, &example_requester, "requester", 1000000000, NULL);
    const uint32_t memory = network_add(engine, &example_memory, "memory", 1000000000, NULL);
    network_link(engine, requester, EXAMPLE_REQUESTER_MEMORY, 0, memory, EXAMPLE_MEMORY_HOST, 0, 1000, 1000, 2);
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    return engine;
}

Test(rendezvous, dirty_data_reaches_the_next_level_by_memory_protocol)
{
    hd_engine *engine = requester_and_memory();
    uint64_t word = 0;
    const hd_block_class *memory = &example_memory;
    cr_assert_eq(memory->debug_access(hd_engine_block(engine, 1), EXAMPLE_DIRTY_ADDRESS, &word, 8, 0), 8);
    cr_expect_eq(word, 0);
    hd_engine_run(engine, 10000000);
    memory->debug_access(hd_engine_block(engine, 1), EXAMPLE_DIRTY_ADDRESS, &word, 8, 0);
    cr_expect_eq(word, EXAMPLE_DIRTY_WORD);
    cr_expect_gt(hd_engine_counters(engine, 0)[2], 0, "aligned_at");
    hd_engine_destroy(engine);
}

static void on_write_back(void *context, uint32_t block, uint64_t address, const void *data, uint32_t bytes)
{
    record *record = context;
    uint64_t word;
    cr_assert_eq(bytes, sizeof word);
    memcpy(&word, data, sizeof word);
    snprintf(record->text, sizeof record->text, "%u %llx %llx", block, (unsigned long long)address,
             (unsigned long long)word);
}

Test(rendezvous, the_platform_may_take_the_dirty_data_itself)
{
    record record = {0};
    hd_engine *engine = requester_and_memory();
    hd_engine_observe(engine, &(hd_observer){.context = &record, .write_back = on_write_back});
    hd_engine_run(engine, 10000000);
    cr_expect_str_eq(record.text, "0 800 123456789abcdef");
    hd_engine_destroy(engine);
}

static void writes_nowhere(probe *self, hd_time t, const hd_write_back_sink *sink)
{
    (void)t;
    if (self->services->endpoint == 0)
        sink->write_back(sink->context, 0x40, "12345678", 8);
}

Test(rendezvous, dirty_data_that_nobody_holds_is_a_fault)
{
    record record = {0};
    hd_engine *engine = hd_engine_create();
    probe_add(engine, "cache");
    probe_start(engine, &(probe_script){.context = &record, .advance = asks_at_start, .align = writes_nowhere});
    hd_engine_run(engine, 1000000);
    cr_assert_not_null(hd_engine_fault(engine, NULL, NULL));
    cr_expect_str_eq(
        hd_engine_fault(engine, NULL, NULL),
        "cache writes back 8 bytes at 0x40 before a kernel starts, but no memory is below it. A machine with "
        "launch_align: false writes nothing back in this way");
    hd_engine_destroy(engine);
}
