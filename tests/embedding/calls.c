/* SPDX-License-Identifier: MIT */
/* Functions of the program that are called in queues. */
#include "embedding.h"

typedef struct call_log {
    heddle_machine *machine;
    uint32_t word; /* that is copied to the device behind the call */
    uint32_t count;
    uint64_t time;
    heddle_error busy;
} call_log;

static void on_call(void *context, uint64_t time)
{
    call_log *log = context;
    uint64_t at;
    log->busy = heddle_time(log->machine, &at);
    log->word = 5;
    log->time = time;
    log->count++;
}

Test(calls, come_when_all_before_is_done_and_before_all_behind)
{
    uint32_t word;
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine);
    const heddle_address data = zeroed_words(machine, 64);
    call_log log = {.machine = machine, .word = 1};
    heddle_launch_times before = {.struct_bytes = sizeof before}, behind = before;
    EXPECT(launch(machine, queue, "count", data, 64, 1));
    EXPECT(heddle_queue_call(queue, on_call, &log));
    EXPECT(heddle_queue_copy_to_device(queue, data, &log.word, 4));
    EXPECT(launch(machine, queue, "add", data, 64, 1));
    cr_expect_eq(log.count, 0);
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_copy_from_device(machine, &word, data, 4));
    cr_expect_eq(word, 6, "%u", word);
    cr_expect_eq(log.count, 1);
    cr_expect_eq(log.busy, HEDDLE_ERROR_BUSY);
    EXPECT(heddle_launch_times_get(machine, 0, &before));
    EXPECT(heddle_launch_times_get(machine, 1, &behind));
    cr_expect(log.time >= before.finished && behind.began > log.time);
    EXPECT(heddle_close(machine));
}

/* The last in the queue, the only one, and many: none is a hang. */
Test(calls, are_enough_to_keep_a_queue_going)
{
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine), *other;
    call_log log = {.machine = machine};
    REQUIRE(heddle_queue_create(machine, &other));
    for (uint32_t i = 0; i < 50; i++)
        EXPECT(heddle_queue_call(i % 2 ? queue : other, on_call, &log));
    EXPECT(heddle_advance_for(machine, UINT64_C(10000000)));
    EXPECT(heddle_wait(machine));
    cr_expect_eq(log.count, 50);
    EXPECT(heddle_advance_until_idle(machine));
    EXPECT(heddle_close(machine));
}

/* What another queue waits for comes behind a call. */
Test(calls, lead_to_what_others_wait_for)
{
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine), *other;
    heddle_event *event;
    uint32_t word;
    const heddle_address data = zeroed_words(machine, 64);
    call_log log = {.machine = machine};
    REQUIRE(heddle_queue_create(machine, &other));
    REQUIRE(heddle_event_create(machine, &event));
    EXPECT(heddle_queue_call(queue, on_call, &log));
    EXPECT(heddle_event_record(event, queue));
    EXPECT(heddle_queue_wait_event(other, event));
    EXPECT(launch(machine, other, "add", data, 64, 2));
    EXPECT(heddle_queue_wait(other));
    EXPECT(heddle_copy_from_device(machine, &word, data, 4));
    cr_expect_eq(word, 2);
    EXPECT(heddle_close(machine));
}

Test(calls, never_come_if_the_machine_ends_before)
{
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine);
    const heddle_address data = zeroed_words(machine, 64);
    call_log log = {.machine = machine};
    EXPECT(launch(machine, queue, "count", data, 64, 1));
    EXPECT(heddle_queue_call(queue, on_call, &log));
    EXPECT(heddle_close(machine));
    cr_expect_eq(log.count, 0);
    machine = open_small();
    expect_refusal(heddle_queue_call(default_queue(machine), NULL, NULL), HEDDLE_ERROR_ARGUMENT, "function is NULL");
    EXPECT(heddle_close(machine));
}
