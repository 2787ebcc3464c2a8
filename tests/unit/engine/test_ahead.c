/* SPDX-License-Identifier: MIT */
/* Blocks that look ahead: a call spans arrivals, which the block finds by itself; without any it sleeps until woken. */
#include <criterion/criterion.h>
#include <string.h>

#include "probe.h"

#define IS(self, name_) (strcmp((self)->services->name, name_) == 0)

static hd_engine *pair(const hd_block_class *sender, const hd_block_class *receiver, const probe_script *script,
                       const hd_time latencies[3], hd_time credit_latency, uint32_t credits)
{
    const hd_clock clock = {1000000000};
    hd_engine *engine = hd_engine_create();
    const uint32_t from = hd_engine_add_block(engine, sender, "sender", 0, 1, clock, NULL);
    const uint32_t to = hd_engine_add_block(engine, receiver, "receiver", 0, 1, clock, NULL);
    for (uint32_t i = 0; i < 3 && latencies[i]; i++)
        probe_link(engine, from, i, to, i, latencies[i], credit_latency, credits);
    probe_start(engine, script);
    probe_keep_to_windows(engine);
    return engine;
}

static uint32_t taken, asked;

/* Takes everything that arrives before the horizon, each at its time. */
static hd_time takes_all(probe *self, hd_time horizon)
{
    const hd_services *services = self->services;
    for (;;) {
        hd_time first = HD_NEVER;
        uint32_t link = 0;
        for (uint32_t i = 0; i < 3 && self->in[i]; i++) {
            const hd_time t = services->arrival(services->context, self->in[i]);
            link = t < first ? i : link;
            first = hd_earlier(first, t);
        }
        if (first >= horizon)
            return first;
        hd_packet *packet = services->pop(services->context, self->in[link], first);
        if (!packet) /* refused: called too late for it, which is a fault */
            return HD_NEVER;
        services->free(services->context, packet);
        taken++;
    }
}

static hd_time sends_three(probe *self, hd_time now, hd_time horizon)
{
    if (!IS(self, "sender"))
        return takes_all(self, horizon);
    for (uint32_t i = 0; now == 0 && i < 3; i++)
        self->services->send(self->services->context, self->out[i], probe_packet(self, i), 0);
    return HD_NEVER;
}

Test(ahead, one_call_spans_all_arrivals_of_a_window)
{
    const hd_time latencies[] = {20000, 21000, 22500};
    hd_engine *engine =
        pair(&probe_class, &probe_ahead_class, &(probe_script){.advance = sends_three}, latencies, 20000, 8);
    while (hd_engine_step(engine, HD_NEVER) != HD_NEVER)
        continue;
    const probe *receiver = probe_of(engine, 1);
    cr_expect_null(hd_engine_fault(engine, NULL, NULL));
    cr_expect_eq(taken, 3);
    cr_assert_eq(receiver->calls, 2, "at time 0 and once for all three");
    cr_expect_eq(receiver->now[1], 20000);
    cr_expect_gt(receiver->horizon[1], 23000);
    hd_engine_destroy(engine);
}

/* What credit_arrival answers at time 0 with all credits taken, and in each later call. */
static hd_time answers[8];

static hd_time asks_for_credit(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    if (!IS(self, "sender"))
        return takes_all(self, horizon);
    hd_time credit = HD_NEVER;
    for (hd_time t = now; t < horizon; t = credit) {
        while (services->credits(services->context, self->out[0], t) > 0)
            services->send(services->context, self->out[0], probe_packet(self, 0), t);
        credit = services->credit_arrival(services->context, self->out[0]);
        if (asked < 8)
            answers[asked++] = credit;
    }
    return credit;
}

Test(ahead, a_credit_that_is_not_on_its_way_wakes_its_sender)
{
    const hd_time latencies[3] = {2000};
    memset(answers, 0, sizeof answers);
    hd_engine *engine =
        pair(&probe_ahead_class, &probe_class, &(probe_script){.advance = asks_for_credit}, latencies, 3000, 1);
    hd_engine_run(engine, 16000);
    cr_expect_null(hd_engine_fault(engine, NULL, NULL));
    const probe *sender = probe_of(engine, 0);
    cr_assert_geq(sender->calls, 4);
    for (uint32_t i = 0; i < 4; i++) {
        cr_expect_eq(sender->now[i], 5000 * i, "call %u", i);
        cr_expect_eq(answers[i], HD_NEVER);
    }
    cr_expect_eq(taken, 3);
    hd_engine_destroy(engine);
}

/* The receiver takes two packets at times 2000 and 3000, so that two credits are on their way at once. */
static hd_time sends_two_then_asks(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    if (!IS(self, "sender"))
        return takes_all(self, horizon);
    if (now == 0) {
        services->send(services->context, self->out[0], probe_packet(self, 0), 0);
        services->send(services->context, self->out[0], probe_packet(self, 0), 1000);
        return 10000;
    }
    hd_time t = now;
    while (t < horizon) {
        services->credits(services->context, self->out[0], t);
        t = services->credit_arrival(services->context, self->out[0]);
        answers[asked++ % 8] = t;
    }
    return t;
}

Test(ahead, credits_on_their_way_are_told_one_by_one)
{
    const hd_time latencies[3] = {2000};
    memset(answers, 0, sizeof answers);
    hd_engine *engine =
        pair(&probe_ahead_class, &probe_class, &(probe_script){.advance = sends_two_then_asks}, latencies, 20000, 2);
    hd_engine_run(engine, 40000);
    cr_expect_null(hd_engine_fault(engine, NULL, NULL));
    cr_expect_eq(answers[0], HD_NEVER, "the receiver pops in the same window, beyond which its credits arrive");
    cr_assert_eq(probe_of(engine, 0)->now[2], 22000);
    cr_expect_eq(answers[1], 23000);
    cr_expect_eq(answers[2], HD_NEVER);
    hd_engine_destroy(engine);
}

/* Sends to itself: what it does in a call may wake it. */
static hd_time sends_to_itself(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    if (now == 0)
        services->send(services->context, self->out[0], probe_packet(self, 0), 0);
    if (services->arrival(services->context, self->in[0]) < horizon)
        takes_all(self, horizon);
    return HD_NEVER;
}

Test(ahead, a_packet_to_oneself_wakes_too)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t self = hd_engine_add_block(engine, &probe_ahead_class, "self", 0, 1, (hd_clock){1000000000}, NULL);
    probe_link(engine, self, 0, self, 0, 7000, 1000, 1);
    probe_start(engine, &(probe_script){.advance = sends_to_itself});
    hd_engine_run(engine, 40000);
    cr_expect_null(hd_engine_fault(engine, NULL, NULL));
    cr_expect_eq(taken, 1);
    cr_expect_eq(probe_of(engine, self)->now[1], 7000);
    hd_engine_destroy(engine);
}

static uint32_t named[3];

/* Links 0 and 2 get a packet each at first, and link 0 two more once it has been emptied. */
static hd_time takes_what_is_named(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    uint32_t port, element;
    if (IS(self, "sender")) {
        if (now != 0 && now != 100000)
            return now < 100000 ? 100000 : HD_NEVER;
        services->send(services->context, self->out[0], probe_packet(self, 0), now);
        services->send(services->context, self->out[now ? 0 : 2], probe_packet(self, 0), now);
        return now ? HD_NEVER : 100000;
    }
    while (services->filled(services->context, &port, &element)) {
        cr_assert_eq(port, PROBE_IN);
        named[element]++;
    }
    return takes_all(self, horizon);
}

Test(ahead, links_that_were_empty_are_named_once)
{
    const hd_time latencies[] = {20000, 21000, 22500};
    hd_engine *engine =
        pair(&probe_class, &probe_ahead_class, &(probe_script){.advance = takes_what_is_named}, latencies, 20000, 8);
    while (hd_engine_step(engine, HD_NEVER) != HD_NEVER)
        continue;
    cr_expect_null(hd_engine_fault(engine, NULL, NULL));
    cr_expect_eq(taken, 4);
    cr_expect_eq(named[0], 2);
    cr_expect_eq(named[1], 0);
    cr_expect_eq(named[2], 1);
    hd_engine_reset(engine, 1);
    const hd_services *services = hd_engine_services(engine, 1);
    uint32_t port, element;
    cr_expect_eq(services->filled(services->context, &port, &element), 0, "after a reset nothing is");
    hd_engine_destroy(engine);
}
