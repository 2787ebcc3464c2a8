/* SPDX-License-Identifier: MIT */
/* Threads share the work of a window, and nobody can tell. */
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "network.h"
#include "probe.h"

#define NETWORKS 25u

static const uint32_t teams[] = {2, 3, 8};
#define TEAMS (sizeof teams / sizeof *teams)

Test(threads, as_many_as_one_likes_give_the_same_to_the_bit)
{
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        hd_engine *alone = network_random(seed, WIRE_NONE);
        const uint64_t expected = network_run(alone);
        hd_engine_destroy(alone);
        for (uint32_t i = 0; i < TEAMS; i++) {
            hd_engine *engine = network_random_threads(seed, i % 2 ? WIRE_SOME : WIRE_NONE, teams[i]);
            cr_assert_eq(hd_engine_threads(engine), teams[i]);
            for (uint64_t disturbance = 0; disturbance < 3; disturbance++) {
                hd_engine_disturb(engine, disturbance * UINT64_C(0xD1B54A32D192ED03));
                hd_engine_reset(engine, seed);
                cr_expect_eq(network_run(engine), expected, "network %llu, %u threads, disturbance %llu",
                             (unsigned long long)seed, teams[i], (unsigned long long)disturbance);
                const hd_conservation packets = hd_engine_packets(engine);
                cr_expect_eq(packets.held, 0);
                cr_expect_eq(packets.in_links, 0);
                cr_expect_eq(packets.allocated, packets.freed);
                cr_expect_eq(hd_engine_check_credits(engine, NULL), 0);
            }
            hd_engine_destroy(engine);
        }
    }
}

/* ---- Fewer threads than were asked for ------------------------------------------------------------------------------ */

typedef void *thread_start(void *);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_start *start, void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_start *start, void *argument);

static int threads_left = -1; /* below 0: any number */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_start *start, void *argument)
{
    if (!threads_left)
        return EAGAIN;
    threads_left -= threads_left > 0;
    return __real_pthread_create(thread, attributes, start, argument);
}

/* The last one that can be had is left to the program of the host. */
Test(threads, as_many_as_there_are_give_the_same_to_the_bit)
{
    for (int room = 0; room < 8; room++) {
        hd_engine *alone = network_random(1, WIRE_NONE);
        const uint64_t expected = network_run(alone);
        hd_engine_destroy(alone);
        threads_left = room;
        hd_engine *engine = network_random_threads(1, WIRE_NONE, 8);
        const uint32_t kept = room == 7 ? 8 : room > 1 ? (uint32_t)room : 1;
        cr_expect_eq(hd_engine_threads(engine), kept, "%u threads where %d could be started", hd_engine_threads(engine),
                     room);
        cr_expect_eq(hd_engine_thread_shortage(engine), room == 7 ? 0 : EAGAIN);
        hd_engine_disturb(engine, UINT64_C(0xD1B54A32D192ED03)); /* every window is shared */
        hd_engine_reset(engine, 1);
        cr_expect_eq(network_run(engine), expected);
        hd_engine_destroy(engine);
        threads_left = -1;
    }
}

/* ---- What blocks say, seldom but all at once ------------------------------------------------------------------------ */

#define SPEAKERS 24u
#define LINES_MAX 2048u
#define PERIOD_PS 10000u
#define MISTAKE_PS 120000u

typedef struct heard {
    char lines[LINES_MAX][48];
    uint32_t count;
} heard;

static void on_log(void *context, uint32_t block, uint32_t severity, hd_time t, const char *text)
{
    heard *heard = context;
    cr_assert_lt(heard->count, LINES_MAX);
    snprintf(heard->lines[heard->count++], sizeof heard->lines[0], "%u %u %llu %s", block, severity,
             (unsigned long long)t, text);
}

static void on_rendezvous(void *context, hd_time t, uint32_t what, uint64_t argument)
{
    heard *heard = context;
    cr_assert_lt(heard->count, LINES_MAX);
    snprintf(heard->lines[heard->count++], sizeof heard->lines[0], "kept at %llu: %u %llu", (unsigned long long)t, what,
             (unsigned long long)argument);
}

/* Says two lines, reports progress, asks for a rendezvous, and at last makes a mistake. */
static hd_time speak(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *s = self->services;
    const hd_rendezvous *rendezvous = s->extension(s->context, HD_EXTENSION_RENDEZVOUS);
    hd_time t = (now + PERIOD_PS - 1) / PERIOD_PS * PERIOD_PS;
    for (; t < horizon; t += PERIOD_PS) {
        s->log(s->context, HD_LOG_WARNING, t, "first");
        s->log(s->context, HD_LOG_WARNING, t, "second %u", s->endpoint);
        s->progress(s->context, t + s->endpoint);
        rendezvous->request(s->context, t, HD_RENDEZVOUS_KERNEL_END, s->endpoint);
        if (t >= MISTAKE_PS)
            s->fault(s->context, t + (SPEAKERS - 1 - s->endpoint) / 2, "mistake of %u", s->endpoint);
    }
    return t;
}

static void hear(uint32_t threads, uint64_t disturbance, heard *heard)
{
    const probe_script script = {.advance = speak};
    hd_engine *engine = hd_engine_create();
    hd_engine_set_threads(engine, threads);
    for (uint32_t i = 0; i < SPEAKERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "speaker[%u]", i);
        probe_add(engine, name);
    }
    hd_engine_observe(engine, &(hd_observer){.context = heard, .log = on_log, .rendezvous = on_rendezvous});
    probe_start(engine, &script);
    hd_engine_disturb(engine, disturbance);
    hd_engine_run(engine, 500000);
    hd_time t;
    uint32_t block;
    const char *fault = hd_engine_fault(engine, &t, &block);
    cr_assert_not_null(fault);
    cr_expect_eq(t, MISTAKE_PS);
    cr_expect_eq(block, SPEAKERS - 2, "the first in time, then the first block");
    cr_expect_str_eq(fault, "mistake of 22");
    cr_expect_eq(hd_engine_progress(engine) % PERIOD_PS, SPEAKERS - 1);
    hd_engine_destroy(engine);
}

/* After a fault some blocks have gone further than others, as far as their window went. */
static uint32_t up_to_fault(const heard *heard)
{
    uint32_t count = 0;
    while (count < heard->count && !strstr(heard->lines[count], " 130000 "))
        count++;
    return count;
}

Test(threads, logs_faults_and_rendezvous_keep_their_order)
{
    heard *alone = calloc(1, sizeof *alone), *shared = calloc(1, sizeof *shared);
    hear(1, 0, alone);
    cr_expect_gt(alone->count, 4 * SPEAKERS);
    for (uint32_t i = 0; i < TEAMS; i++) {
        memset(shared, 0, sizeof *shared);
        hear(teams[i], 12345, shared);
        cr_assert_eq(up_to_fault(shared), up_to_fault(alone));
        for (uint32_t line = 0; line < up_to_fault(alone); line++)
            cr_expect_str_eq(shared->lines[line], alone->lines[line]);
    }
    free(alone);
    free(shared);
}

/* ---- Who runs ----------------------------------------------------------------------------------------------------------- */

static atomic_uint strangers; /* calls by other threads than the one that steps */
static pthread_t stepping;

static hd_time work_hard(probe *self, hd_time now, hd_time horizon)
{
    (void)now;
    for (volatile uint32_t i = 0; i < 20000; i++)
        ;
    self->counters[0]++;
    if (!pthread_equal(pthread_self(), stepping))
        atomic_fetch_add(&strangers, 1);
    return horizon + 1000;
}

static uint64_t run_hard(uint32_t threads)
{
    const probe_script script = {.advance = work_hard};
    hd_engine *engine = hd_engine_create();
    hd_engine_set_threads(engine, threads);
    for (uint32_t i = 0; i < 8; i++)
        probe_add(engine, (const char *[]){"a", "b", "c", "d", "e", "f", "g", "h"}[i]);
    probe_start(engine, &script);
    stepping = pthread_self();
    atomic_store(&strangers, 0);
    hd_engine_run(engine, 20000000);
    uint64_t calls = 0;
    for (uint32_t i = 0; i < 8; i++)
        calls += hd_engine_calls(engine, i);
    hd_engine_destroy(engine);
    return calls;
}

Test(threads, work_is_shared_where_there_is_enough_of_it)
{
    const uint64_t alone = run_hard(1);
    cr_expect_eq(atomic_load(&strangers), 0);
    for (uint32_t run = 0; run < 50 && atomic_load(&strangers) == 0;
         run++) /* a busy host may let one thread do it all */
        cr_expect_eq(run_hard(2), alone);
    cr_expect_gt(atomic_load(&strangers), 0, "nobody else called a block");
}

/* ---- Packets -------------------------------------------------------------------------------------------------------------- */

static uint32_t chunks(const pool_depot *depot)
{
    uint32_t count = 0;
    for (const void *const *chunk = (const void *const *)depot->chunks; chunk; chunk = *chunk)
        count++;
    return count;
}

/* One thread makes them, the other ends them: memory stays what is in use, and some stacks. */
Test(threads, packets_that_move_between_threads_do_not_pile_up)
{
    hd_engine *engine = hd_engine_create();
    hd_engine_set_threads(engine, 2);
    packet_pool *from = &engine->outboxes[0].pool, *to = &engine->outboxes[1].pool;
    hd_packet *held[100] = {0};
    for (uint32_t i = 0; i < 100000; i++) {
        if (held[i % 100])
            cr_assert(pool_free(to, held[i % 100]));
        held[i % 100] = pool_alloc(from, 128);
    }
    cr_expect_leq(chunks(&engine->depot), 8);
    for (uint32_t i = 0; i < 100; i++)
        cr_assert(pool_free(to, held[i]));
    cr_expect_not(pool_free(from, held[0]), "free already");
    const hd_conservation packets = hd_engine_packets(engine);
    cr_expect_eq(packets.allocated, 100000);
    cr_expect_eq(packets.freed, 100000);
    hd_engine_destroy(engine);
}
