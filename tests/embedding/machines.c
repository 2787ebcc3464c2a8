/* SPDX-License-Identifier: MIT */
/* Several machines in one process. */
#include "embedding.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 100

static uint32_t entries(const char *folder)
{
    uint32_t count = 0;
    DIR *opened = opendir(folder);
    while (opened && readdir(opened))
        count++;
    closedir(opened);
    return count;
}

/* What a run of two machines that take turns leaves of each. */
static char *results_of(heddle_machine *machine)
{
    const char *text;
    REQUIRE(heddle_results(machine, &text));
    char *copy = strdup(text);
    char *host = strstr(copy, "\"host\": {\n  \"build\"");
    if (host)
        *host = '\0'; /* what depends on the process is not compared */
    return copy;
}

/* The same work each time, in steps of its own. */
static void append_work(heddle_machine *machine, uint32_t n)
{
    heddle_address data = zeroed_words(machine, n);
    EXPECT(launch(machine, default_queue(machine), "count", data, 16, 1));
    EXPECT(launch(machine, default_queue(machine), "add", data, n, 1));
}

static char *alone(uint32_t n)
{
    heddle_machine *machine = open_small();
    append_work(machine, n);
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_advance_until(machine, 200000000));
    char *results = results_of(machine);
    EXPECT(heddle_close(machine));
    return results;
}

Test(machines, that_take_turns_do_what_each_does_alone)
{
    char *const a_alone = alone(100), *const b_alone = alone(200);
    heddle_machine *a = open_small(), *b = open_small();
    append_work(a, 100);
    append_work(b, 200);
    for (uint32_t i = 0; i < 300; i++) {
        EXPECT(heddle_advance_for(a, 100000));
        EXPECT(heddle_advance_for(b, 50000 + 1000 * i));
    }
    EXPECT(heddle_wait(b));
    EXPECT(heddle_wait(a));
    EXPECT(heddle_advance_until(a, 200000000));
    EXPECT(heddle_advance_until(b, 200000000));
    char *const a_results = results_of(a), *const b_results = results_of(b);
    cr_expect_str_eq(a_results, a_alone);
    cr_expect_str_eq(b_results, b_alone);
    cr_expect_str_neq(a_results, b_results);
    EXPECT(heddle_close(a));
    EXPECT(heddle_close(b));
    free(a_alone);
    free(b_alone);
    free(a_results);
    free(b_results);
}

Test(machines, two_are_opened_stepped_in_turn_and_closed_a_hundred_times, .timeout = 280)
{
    uint32_t files = 0, threads = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        heddle_machine *a = open_small(), *b = open_small();
        append_work(a, 64);
        append_work(b, 64);
        for (uint32_t i = 0; i < 5; i++) {
            EXPECT(heddle_advance_for(a, 300000));
            EXPECT(heddle_advance_for(b, 300000));
        }
        if (round % 3 == 0)
            EXPECT(heddle_wait(a)); /* the others are closed in the middle of it */
        EXPECT(heddle_close(round % 2 ? a : b));
        EXPECT(heddle_close(round % 2 ? b : a));
        if (round == 0) {
            files = entries("/proc/self/fd");
            threads = entries("/proc/self/task");
        }
    }
    cr_expect_eq(entries("/proc/self/fd"), files);
    cr_expect_eq(entries("/proc/self/task"), threads);
}

Test(machines, threads_that_simulate_change_nothing)
{
    heddle_settings settings = small_machine();
    char *results[2];
    for (uint32_t i = 0; i < 2; i++) {
        settings.threads = i ? 3 : 1;
        heddle_machine *machine = open_with(&settings);
        append_work(machine, 1000);
        EXPECT(heddle_wait(machine));
        results[i] = results_of(machine);
        EXPECT(heddle_close(machine));
    }
    cr_expect_str_eq(results[0], results[1]);
    free(results[0]);
    free(results[1]);
}

Test(machines, have_the_seed_and_the_overrides_that_they_are_given)
{
    const char *const sets[] = {"core.count=1", "name=lonely"};
    heddle_settings settings = small_machine();
    const char *text;
    uint64_t value;
    settings.overrides = sets;
    settings.override_count = 2;
    settings.seed = 77;
    settings.name = "the program";
    heddle_machine *machine = open_with(&settings);
    expect_refusal(heddle_statistic_value(machine, "core[1].cycles", &value), HEDDLE_ERROR_UNKNOWN, "core[1]");
    EXPECT(heddle_results(machine, &text));
    cr_expect(strstr(text, "\"seed\": 77") && strstr(text, "\"lonely\"") && strstr(text, "\"the program\""));
    EXPECT(heddle_close(machine));
}

Test(machines, may_have_models_from_elsewhere)
{
    const char *const sets[] = {"dram.type=timed_memory"}, *const plugins[] = {EMBEDDING_MODELS};
    heddle_settings settings = small_machine();
    uint32_t word;
    settings.overrides = sets;
    settings.override_count = 1;
    settings.plugins = plugins;
    settings.plugin_count = 1;
    heddle_machine *machine = open_with(&settings);
    heddle_address data = zeroed_words(machine, 64);
    EXPECT(launch(machine, default_queue(machine), "add", data, 64, 9));
    EXPECT(heddle_copy_from_device(machine, &word, data, 4));
    cr_expect_eq(word, 9);
    EXPECT(heddle_close(machine));
}

/* ---- Threads of the program --------------------------------------------------------------------------------------------- */

typedef struct shared {
    heddle_machine *machine;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint32_t inside; /* the callback of the first thread waits */
    uint32_t go_on;
} shared;

static void wait_in_callback(void *context, uint32_t launch, uint64_t time)
{
    shared *s = context;
    (void)launch;
    (void)time;
    pthread_mutex_lock(&s->mutex);
    s->inside = 1;
    pthread_cond_broadcast(&s->changed);
    while (!s->go_on)
        pthread_cond_wait(&s->changed, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
}

static void *wait_for_machine(void *context)
{
    shared *s = context;
    EXPECT(heddle_wait(s->machine));
    return NULL;
}

Test(machines, are_busy_for_a_second_thread_but_others_are_not)
{
    shared s = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    heddle_settings settings = small_machine();
    pthread_t thread;
    uint64_t time;
    settings.callbacks = (heddle_callbacks){.context = &s, .finished = wait_in_callback};
    s.machine = open_with(&settings);
    heddle_machine *other = open_small();
    append_work(s.machine, 64);
    cr_assert_eq(pthread_create(&thread, NULL, wait_for_machine, &s), 0);
    pthread_mutex_lock(&s.mutex);
    while (!s.inside)
        pthread_cond_wait(&s.changed, &s.mutex);
    pthread_mutex_unlock(&s.mutex);
    expect_refusal(heddle_time(s.machine, &time), HEDDLE_ERROR_BUSY, "heddle_time: another call");
    expect_refusal(heddle_close(s.machine), HEDDLE_ERROR_BUSY, "heddle_close: another call");
    append_work(other, 64);
    EXPECT(heddle_wait(other)); /* while the first stands in its callback */
    pthread_mutex_lock(&s.mutex);
    s.go_on = 1;
    pthread_cond_broadcast(&s.changed);
    pthread_mutex_unlock(&s.mutex);
    pthread_join(thread, NULL);
    EXPECT(heddle_close(s.machine));
    EXPECT(heddle_close(other));
}

static void *fail_once(void *context)
{
    uint64_t time;
    cr_expect_str_eq(heddle_message(), "", "of this thread");
    expect_refusal(heddle_time(context, &time), HEDDLE_ERROR_ARGUMENT, "machine is NULL");
    return NULL;
}

Test(machines, messages_belong_to_the_thread_that_made_the_call)
{
    pthread_t thread;
    expect_refusal(heddle_open(NULL, NULL), HEDDLE_ERROR_ARGUMENT, "heddle_open");
    cr_assert_eq(pthread_create(&thread, NULL, fail_once, NULL), 0);
    pthread_join(thread, NULL);
    cr_expect(strstr(heddle_message(), "heddle_open"));
}
