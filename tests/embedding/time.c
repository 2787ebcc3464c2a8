/* SPDX-License-Identifier: MIT */
/* Simulated time, and what is told while it passes. */
#include "embedding.h"

#include <string.h>

Test(time, passes_until_exactly_then)
{
    heddle_machine *machine = open_small();
    const uint64_t begin = now(machine);
    EXPECT(heddle_advance_until(machine, begin));
    cr_expect_eq(now(machine), begin);
    EXPECT(heddle_advance_for(machine, 1234567));
    cr_expect_eq(now(machine), begin + 1234567);
    EXPECT(heddle_advance_until(machine, begin + 1234568));
    cr_expect_eq(now(machine), begin + 1234568);
    expect_refusal(heddle_advance_until(machine, begin), HEDDLE_ERROR_TIME, "have passed");
    EXPECT(heddle_close(machine));
}

Test(time, goes_on_until_nothing_moves)
{
    uint32_t is_done;
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine);
    heddle_address data = zeroed_words(machine, 64);
    EXPECT(heddle_advance_until_idle(machine));
    const uint64_t idle = now(machine);
    EXPECT(heddle_advance_until_idle(machine));
    cr_expect_eq(now(machine), idle);
    EXPECT(launch(machine, queue, "add", data, 64, 1));
    EXPECT(heddle_queue_poll(queue, &is_done));
    cr_expect_not(is_done);
    EXPECT(heddle_advance_until_idle(machine));
    cr_expect_gt(now(machine), idle);
    EXPECT(heddle_queue_poll(queue, &is_done));
    cr_expect(is_done);
    EXPECT(heddle_close(machine));
}

/* Launches, then lets time pass in such steps until all is done; returns when the event was. */
static uint64_t end_by_steps(uint64_t step)
{
    uint64_t end = 0;
    uint32_t is_done = 0;
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine);
    heddle_address data = zeroed_words(machine, 64);
    heddle_event *event;
    REQUIRE(heddle_event_create(machine, &event));
    EXPECT(heddle_advance_until(machine, 50000000));
    EXPECT(launch(machine, queue, "count", data, 64, 1));
    EXPECT(heddle_event_record(event, queue));
    while (!is_done) {
        REQUIRE(step ? heddle_advance_for(machine, step) : heddle_queue_wait(queue));
        REQUIRE(heddle_event_poll(event, &is_done, &end));
    }
    EXPECT(heddle_close(machine));
    return end;
}

Test(time, passes_the_same_in_whatever_steps)
{
    const uint64_t end = end_by_steps(0);
    cr_expect_eq(end_by_steps(1000), end);
    cr_expect_eq(end_by_steps(77777), end);
    cr_expect_eq(end_by_steps(1000000000), end);
}

Test(time, of_a_call_that_waits_ends_at_a_multiple_of_the_grain)
{
    heddle_settings settings = small_machine();
    settings.grain = 3000000;
    heddle_machine *machine = open_with(&settings);
    zeroed_words(machine, 10);
    cr_expect_eq(now(machine) % 3000000, 0);
    cr_expect_geq(now(machine), 3000000);
    EXPECT(heddle_close(machine));
    machine = open_small();
    zeroed_words(machine, 10);
    cr_expect_eq(now(machine) % 100000, 0);
    cr_expect_lt(now(machine), 3000000);
    EXPECT(heddle_close(machine));
}

Test(time, a_device_that_idles_for_long_is_not_at_its_end)
{
    heddle_machine *machine = open_small();
    heddle_address data = zeroed_words(machine, 64);
    EXPECT(heddle_advance_for(machine, UINT64_C(1000000000000)));
    EXPECT(launch(machine, default_queue(machine), "add", data, 64, 1));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_close(machine));
}

/* The last moment there is, whatever would be beyond it. */
Test(time, passes_up_to_its_end)
{
    heddle_machine *machine = open_small();
    EXPECT(heddle_advance_for(machine, 1234567));
    expect_refusal(heddle_advance_for(machine, UINT64_MAX), HEDDLE_ERROR_LIMIT, "limit of simulated time");
    cr_expect_eq(now(machine), UINT64_MAX - 1);
    EXPECT(heddle_close(machine));
}

/* ---- Calls that are interrupted ----------------------------------------------------------------------------------------- */

/* Of the end of two launches, and a copy. */
static uint64_t end_with_patience(uint32_t patience, uint32_t words[20000], uint32_t *interrupted)
{
    heddle_settings settings = small_machine();
    settings.patience = patience;
    heddle_machine *machine = open_with(&settings);
    heddle_queue *queue = default_queue(machine);
    heddle_address data = zeroed_words(machine, 20000);
    heddle_error error;
    *interrupted = 0;
    for (uint32_t i = 0; i < 8; i++)
        EXPECT(launch(machine, queue, "add", data, 20000, 1));
    while ((error = heddle_copy_from_device(machine, words, data, 20000 * sizeof *words)) == HEDDLE_ERROR_INTERRUPTED)
        ++*interrupted;
    EXPECT(error);
    for (uint32_t i = 0; i < 8; i++)
        EXPECT(launch(machine, queue, "add", data, 20000, 1));
    while ((error = heddle_queue_wait(queue)) == HEDDLE_ERROR_INTERRUPTED)
        ++*interrupted;
    EXPECT(error);
    const uint64_t end = now(machine);
    if (patience) {
        EXPECT(launch(machine, queue, "add", data, 20000, 1));
        error = heddle_advance_for(machine, 10000000000);
        expect_refusal(error, HEDDLE_ERROR_INTERRUPTED, "the call has waited for 1 ms, until ");
        cr_expect_eq(now(machine) % 100000, 0);
    }
    EXPECT(heddle_close(machine));
    return end;
}

Test(time, of_calls_that_are_interrupted_is_the_same)
{
    static uint32_t words[20000], whole[20000];
    uint32_t interrupted;
    const uint64_t end = end_with_patience(0, whole, &interrupted);
    cr_expect_eq(interrupted, 0);
    cr_expect_eq(end_with_patience(1, words, &interrupted), end);
    cr_expect_gt(interrupted, 5);
    cr_expect_arr_eq(words, whole, sizeof words);
}

/* ---- Callbacks ---------------------------------------------------------------------------------------------------------- */

typedef struct heard {
    heddle_machine *machine;
    char printed[256];
    uint32_t launches[8];
    uint64_t times[8];
    uint32_t count;
    heddle_error nested;
    uint32_t logs;
} heard;

static void on_print(void *context, const char *line)
{
    heard *h = context;
    strncat(h->printed, line, sizeof h->printed - strlen(h->printed) - 1);
    strncat(h->printed, ";", sizeof h->printed - strlen(h->printed) - 1);
}

static void on_finished(void *context, uint32_t launch, uint64_t time)
{
    heard *h = context;
    cr_assert_lt(h->count, 8);
    h->launches[h->count] = launch;
    h->times[h->count++] = time;
    h->nested = heddle_wait(h->machine);
}

static void on_log(void *context, uint32_t severity, uint64_t time, const char *block, const char *line)
{
    heard *h = context;
    (void)time;
    cr_expect(severity <= HEDDLE_LOG_WARNING && block && line[0]);
    h->logs++;
}

Test(callbacks, tell_what_kernels_print_and_when_launches_end)
{
    heard heard = {0};
    heddle_settings settings = small_machine();
    settings.callbacks = (heddle_callbacks){&heard, on_print, on_log, on_finished};
    heddle_machine *machine = heard.machine = open_with(&settings);
    heddle_queue *queue = default_queue(machine);
    heddle_address data = zeroed_words(machine, 64);
    EXPECT(launch(machine, queue, "say", data, 64, 7));
    EXPECT(launch(machine, queue, "say", data, 64, 8));
    cr_expect_eq(heard.count, 0);
    const uint64_t begin = now(machine);
    EXPECT(heddle_wait(machine));
    const char *first = strstr(heard.printed, "the value is 7;"), *second = strstr(heard.printed, "the value is 8;");
    cr_expect(first && second && first < second, "%s", heard.printed);
    cr_assert_eq(heard.count, 2);
    cr_expect(heard.launches[0] == 0 && heard.launches[1] == 1);
    cr_expect(heard.times[0] > begin && heard.times[1] > heard.times[0] && heard.times[1] <= now(machine));
    cr_expect_eq(heard.nested, HEDDLE_ERROR_BUSY, "a callback makes a call");
    EXPECT(heddle_close(machine));
}
