/* SPDX-License-Identifier: MIT */
/* Memory, launches, queues and events. */
#include "embedding.h"

#include <stdlib.h>
#include <string.h>

Test(queues, a_kernel_works_on_what_was_copied)
{
    enum { N = 1000 };
    uint32_t words[N], back[N];
    heddle_machine *machine = open_small();
    heddle_address data;
    for (uint32_t i = 0; i < N; i++)
        words[i] = 7 * i;
    REQUIRE(heddle_allocate(machine, sizeof words, &data));
    EXPECT(heddle_copy_to_device(machine, data, words, sizeof words));
    EXPECT(launch(machine, default_queue(machine), "add", data, N, 5));
    EXPECT(heddle_copy_from_device(machine, back, data, sizeof back));
    for (uint32_t i = 0; i < N; i++)
        cr_assert_eq(back[i], 7 * i + 5);
    EXPECT(heddle_fill(machine, data, 0x1A5, 10));
    EXPECT(heddle_copy_from_device(machine, back, data, 12));
    cr_expect_eq(back[0], 0xA5A5A5A5);
    cr_expect_eq(back[2], ((2 * 7 + 5) & 0xFFFF0000) | 0xA5A5);
    EXPECT(heddle_free(machine, data));
    EXPECT(heddle_close(machine));
}

Test(queues, variables_of_the_kernels_can_be_read_and_written)
{
    uint32_t table[16], back[4];
    uint64_t bytes;
    heddle_machine *machine = open_small();
    heddle_address address, data = zeroed_words(machine, 4);
    EXPECT(heddle_variable(machine, "table", &address, &bytes));
    cr_expect_eq(bytes, sizeof table);
    EXPECT(heddle_copy_from_device(machine, table, address, sizeof table));
    cr_expect(table[0] == 1 && table[3] == 4 && table[4] == 0);
    table[1] = 1000;
    EXPECT(heddle_copy_to_device(machine, address, table, sizeof table));
    EXPECT(launch(machine, default_queue(machine), "add_from_table", data, 4, 0));
    EXPECT(heddle_copy_from_device(machine, back, data, sizeof back));
    cr_expect(back[0] == 1 && back[1] == 1000 && back[2] == 3);
    EXPECT(heddle_close(machine));
}

Test(queues, what_is_in_one_queue_is_done_in_order_whatever_it_is)
{
    enum { N = 64 };
    uint32_t ones[N], first[N], second[N];
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine);
    heddle_address data = zeroed_words(machine, N);
    for (uint32_t i = 0; i < N; i++)
        ones[i] = 1;
    const uint64_t before = now(machine);
    EXPECT(heddle_queue_copy_to_device(queue, data, ones, sizeof ones));
    EXPECT(launch(machine, queue, "add", data, N, 10));
    EXPECT(heddle_queue_copy_from_device(queue, first, data, sizeof first));
    EXPECT(launch(machine, queue, "add", data, N, 100));
    EXPECT(launch(machine, queue, "add", data, N, 100));
    EXPECT(heddle_queue_copy_from_device(queue, second, data, sizeof second));
    EXPECT(heddle_queue_fill(queue, data, 0, 4));
    cr_expect_eq(now(machine), before, "appending takes no time");
    EXPECT(heddle_queue_wait(queue));
    cr_expect_gt(now(machine), before);
    cr_expect(first[0] == 11 && first[N - 1] == 11 && second[0] == 211 && second[N - 1] == 211);
    EXPECT(heddle_copy_from_device(machine, first, data, sizeof first));
    cr_expect(first[0] == 0 && first[1] == 211);
    EXPECT(heddle_close(machine));
}

Test(queues, more_launches_than_a_ring_holds_are_all_done)
{
    enum { LAUNCHES = 300 };
    uint32_t word;
    heddle_machine *machine = open_small();
    heddle_address data = zeroed_words(machine, 1);
    for (uint32_t i = 0; i < LAUNCHES; i++)
        REQUIRE(launch(machine, default_queue(machine), "add", data, 1, i));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_copy_from_device(machine, &word, data, 4));
    cr_expect_eq(word, LAUNCHES * (LAUNCHES - 1) / 2);
    cr_expect_eq(value_of(machine, "command_processor.launches"), LAUNCHES);
    EXPECT(heddle_close(machine));
}

Test(queues, launches_are_told_and_can_be_waited_for_one_by_one)
{
    heddle_machine *machine = open_small();
    heddle_address data = zeroed_words(machine, 64);
    heddle_launch_record first, second;
    EXPECT(launch(machine, default_queue(machine), "add", data, 64, 1));
    EXPECT(launch(machine, default_queue(machine), "count", data, 64, 1));
    EXPECT(heddle_launch_info(machine, 0, &first));
    cr_expect_not(first.is_complete);
    EXPECT(heddle_launch_wait(machine, 0));
    EXPECT(heddle_launch_info(machine, 0, &first));
    EXPECT(heddle_launch_info(machine, 1, &second));
    cr_expect(first.is_complete && first.end_cycle > first.start_cycle);
    cr_expect_not(second.is_complete);
    EXPECT(heddle_launch_wait(machine, 1));
    EXPECT(heddle_launch_info(machine, 1, &second));
    cr_expect_geq(second.start_cycle, first.end_cycle);
    EXPECT(heddle_close(machine));
}

/* How long a kernel and a copy take, in one queue or in two. */
static uint64_t kernel_and_copy(uint32_t two_queues)
{
    enum { BYTES = 400000 };
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine), *other = queue;
    uint8_t *bytes = calloc(1, BYTES);
    heddle_address data = zeroed_words(machine, 64), buffer;
    REQUIRE(heddle_allocate(machine, BYTES, &buffer));
    if (two_queues)
        REQUIRE(heddle_queue_create(machine, &other));
    const uint64_t begin = now(machine);
    EXPECT(launch(machine, queue, "count", data, 64, 1));
    EXPECT(heddle_queue_copy_to_device(other, buffer, bytes, BYTES));
    EXPECT(heddle_wait(machine));
    const uint64_t taken = now(machine) - begin;
    const uint64_t overlap = value_of(machine, "command_processor.overlap_cycles");
    cr_expect(two_queues ? overlap > 1000 : overlap < 50, "%llu cycles", (unsigned long long)overlap);
    EXPECT(heddle_close(machine));
    free(bytes);
    return taken;
}

Test(queues, copies_overlap_with_kernels_of_other_queues)
{
    cr_expect_lt(kernel_and_copy(1), kernel_and_copy(0));
}

Test(queues, queues_come_back_and_end_with_the_device_s)
{
    heddle_queue *queues[64], *again;
    uint32_t count = 0, word;
    heddle_error error;
    heddle_machine *machine = open_small();
    heddle_address data = zeroed_words(machine, 1);
    while ((error = heddle_queue_create(machine, &queues[count])) == HEDDLE_OK)
        count++;
    expect_refusal(error, HEDDLE_ERROR_QUEUES, "no more than");
    cr_expect_null(queues[count]);
    for (uint32_t round = 0; round < 3; round++) {
        EXPECT(launch(machine, queues[0], "add", data, 1, 1));
        EXPECT(heddle_queue_destroy(queues[0]));
        EXPECT(heddle_queue_create(machine, &again));
        cr_expect_neq(again, queues[0]);
        expect_refusal(heddle_queue_wait(queues[0]), HEDDLE_ERROR_HANDLE, "closed");
        queues[0] = again;
    }
    for (uint32_t i = 0; i < count; i++) {
        EXPECT(launch(machine, queues[i], "add", data, 1, 1));
        EXPECT(heddle_queue_wait(queues[i]));
    }
    EXPECT(heddle_copy_from_device(machine, &word, data, 4));
    cr_expect_eq(word, 3 + count);
    EXPECT(heddle_close(machine));
}

Test(queues, an_event_says_when_what_is_before_it_is_done)
{
    uint32_t is_done = 0;
    uint64_t first_time, second_time;
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine);
    heddle_event *first, *second;
    heddle_address data = zeroed_words(machine, 64);
    REQUIRE(heddle_event_create(machine, &first));
    REQUIRE(heddle_event_create(machine, &second));
    EXPECT(heddle_event_poll(first, &is_done, NULL));
    cr_expect(is_done, "never recorded");
    EXPECT(launch(machine, queue, "add", data, 64, 1));
    EXPECT(heddle_event_record(first, queue));
    EXPECT(launch(machine, queue, "count", data, 64, 1));
    EXPECT(heddle_event_record(second, queue));
    EXPECT(heddle_event_poll(first, &is_done, NULL));
    cr_expect_not(is_done);
    EXPECT(heddle_event_wait(first));
    EXPECT(heddle_event_poll(first, &is_done, &first_time));
    cr_expect(is_done && first_time && first_time <= now(machine));
    EXPECT(heddle_event_poll(second, &is_done, NULL));
    cr_expect_not(is_done);
    EXPECT(heddle_queue_wait(queue));
    EXPECT(heddle_event_poll(second, &is_done, &second_time));
    cr_expect(is_done && second_time > first_time);
    EXPECT(heddle_event_destroy(first));
    EXPECT(heddle_event_destroy(second));
    EXPECT(heddle_close(machine));
}

Test(queues, a_queue_waits_for_an_event_of_another_as_last_recorded)
{
    uint32_t word = 0;
    heddle_machine *machine = open_small();
    heddle_queue *producer = default_queue(machine), *consumer;
    heddle_event *ready;
    heddle_address data = zeroed_words(machine, 64);
    REQUIRE(heddle_queue_create(machine, &consumer));
    REQUIRE(heddle_event_create(machine, &ready));
    EXPECT(heddle_queue_wait_event(consumer, ready)); /* never recorded: waits for nothing */
    EXPECT(heddle_queue_copy_from_device(consumer, &word, data, 4));
    EXPECT(heddle_queue_wait(consumer));
    for (uint32_t round = 1; round <= 3; round++) {
        EXPECT(launch(machine, producer, "count", data, 64, 1));
        EXPECT(heddle_event_record(ready, producer));
        EXPECT(heddle_queue_wait_event(consumer, ready));
        EXPECT(heddle_queue_copy_from_device(consumer, &word, data, 4));
    }
    EXPECT(heddle_event_destroy(ready));
    EXPECT(heddle_queue_wait(consumer));
    cr_expect_eq(word, 3 * 64);
    EXPECT(heddle_close(machine));
}

Test(queues, a_queue_waits_for_the_record_that_there_was_when_it_was_told_to)
{
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine);
    heddle_event *event;
    REQUIRE(heddle_event_create(machine, &event));
    heddle_queue *other;
    heddle_event *of_other;
    REQUIRE(heddle_queue_create(machine, &other));
    REQUIRE(heddle_event_create(machine, &of_other));
    EXPECT(launch(machine, queue, "add", zeroed_words(machine, 1), 1, 1));
    EXPECT(heddle_event_record(event, queue));
    EXPECT(heddle_queue_wait_event(other, event));
    EXPECT(heddle_event_record(of_other, other));
    EXPECT(heddle_event_record(event, other)); /* what `other` waits for stays the first record */
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_close(machine));
}
