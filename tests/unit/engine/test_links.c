/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "probe.h"

#define SENDS(self) (strcmp((self)->services->name, "sender") == 0)
#define EDGE 1000u /* ps, of 1 GHz */

/* Sender at 0, receiver at 1, one link. */
static hd_engine *pair_of(hd_clock clock, const probe_script *script, hd_time latency, hd_time credit_latency,
                          uint32_t credits)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t sender = hd_engine_add_block(engine, &probe_class, "sender", 0, 1, clock, NULL);
    const uint32_t receiver = hd_engine_add_block(engine, &probe_class, "receiver", 0, 1, clock, NULL);
    probe_link(engine, sender, 0, receiver, 0, latency, credit_latency, credits);
    probe_start(engine, script);
    probe_keep_to_windows(engine);
    return engine;
}

static hd_engine *pair(const probe_script *script, hd_time latency, hd_time credit_latency, uint32_t credits)
{
    return pair_of((hd_clock){1000000000}, script, latency, credit_latency, credits);
}

static void expect_fault(hd_engine *engine, const char *text)
{
    hd_engine_run(engine, 100 * EDGE);
    const char *fault = hd_engine_fault(engine, NULL, NULL);
    cr_assert_not_null(fault, "expected: %s", text);
    cr_expect_str_eq(fault, text);
    hd_engine_destroy(engine);
}

/* ---- Packets and credits in time ---------------------------------------------------------------------------------- */

static hd_time sees_packet(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    if (SENDS(self)) {
        if (now == 0)
            services->send(services->context, self->out[0], probe_packet(self, 7), 0);
        return HD_NEVER;
    }
    for (hd_time t = now; t < horizon && t <= 3500; t++) {
        const hd_packet *packet = services->peek(services->context, self->in[0], t);
        cr_expect_eq(packet != NULL, t >= 3500, "at %llu ps", (unsigned long long)t);
        if (packet) {
            hd_packet *popped = services->pop(services->context, self->in[0], t);
            cr_expect_eq(popped, packet);
            cr_expect_eq(popped->tag, 7);
            services->free(services->context, popped);
            services->progress(services->context, t);
            return HD_NEVER;
        }
        cr_expect_null(services->pop(services->context, self->in[0], t));
    }
    return horizon <= 3500 ? horizon : HD_NEVER;
}

Test(links, a_packet_is_seen_at_its_arrival_and_not_before)
{
    hd_engine *engine = pair(&(probe_script){.advance = sees_packet}, 3500, 1000, 1);
    hd_engine_run(engine, 100 * EDGE);
    cr_expect_eq(hd_engine_progress(engine), 3500);
    hd_engine_destroy(engine);
}

/* The receiver pops at 2000; the credit takes 5500: the sender has it at 7500. */
static hd_time sees_credit(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    if (!SENDS(self)) {
        hd_packet *packet = services->pop(services->context, self->in[0], now);
        if (packet)
            services->free(services->context, packet);
        return HD_NEVER;
    }
    for (hd_time t = now; t < horizon && t < 9000; t++) {
        cr_expect_eq(services->credits(services->context, self->out[0], t), t == 0 || t >= 7500 ? 1 : 0, "at %llu ps",
                     (unsigned long long)t);
        if (t == 0) {
            services->send(services->context, self->out[0], probe_packet(self, 0), 0);
            cr_expect_eq(services->credits(services->context, self->out[0], 0), 0);
        }
    }
    return horizon < 9000 ? horizon : HD_NEVER;
}

Test(links, a_credit_comes_back_one_credit_latency_after_the_pop)
{
    hd_engine *engine = pair(&(probe_script){.advance = sees_credit}, 2000, 5500, 1);
    hd_engine_run(engine, 100 * EDGE);
    cr_expect_null(hd_engine_fault(engine, NULL, NULL));
    hd_engine_destroy(engine);
}

static hd_time sends_when_it_can(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    (void)horizon;
    if (!SENDS(self)) {
        hd_packet *packet = services->pop(services->context, self->in[0], now);
        if (packet)
            services->free(services->context, packet);
        return HD_NEVER;
    }
    while (services->credits(services->context, self->out[0], now) > 0)
        services->send(services->context, self->out[0], probe_packet(self, 0), now);
    return HD_NEVER;
}

Test(links, a_starved_sender_is_called_when_the_credit_arrives)
{
    hd_engine *engine = pair(&(probe_script){.advance = sends_when_it_can}, 2000, 3000, 1);
    hd_engine_run(engine, 11 * EDGE);
    const probe *sender = probe_of(engine, 0);
    cr_expect_geq(sender->calls, 3);
    cr_expect_eq(sender->now[0], 0);
    cr_expect_eq(sender->now[1], 5000);
    cr_expect_eq(sender->now[2], 10000);
    hd_engine_destroy(engine);
}

/* Sends once and never asks for credits again. */
static hd_time sends_one(probe *self, hd_time now, hd_time horizon)
{
    if (!SENDS(self) || now > 0)
        return SENDS(self) ? HD_NEVER : sends_when_it_can(self, now, horizon);
    self->services->send(self->services->context, self->out[0], probe_packet(self, 0), 0);
    return HD_NEVER;
}

Test(links, a_sender_that_awaits_no_credit_is_left_asleep)
{
    hd_engine *engine = pair(&(probe_script){.advance = sends_one}, 2000, 3000, 1);
    while (hd_engine_step(engine, HD_NEVER) != HD_NEVER)
        continue;
    cr_expect_eq(probe_of(engine, 0)->calls, 1);
    cr_expect_eq(probe_of(engine, 1)->calls, 2);
    hd_engine_destroy(engine);
}

/* ---- The cut at inputs --------------------------------------------------------------------------------------------- */

/* They arrive at three times, two of which lie within one window. */
static hd_time sends_three(probe *self, hd_time now, hd_time horizon)
{
    if (!SENDS(self))
        return sends_when_it_can(self, now, horizon);
    if (now == 0)
        for (uint32_t i = 0; i < 3; i++)
            self->services->send(self->services->context, self->out[i], probe_packet(self, i), 0);
    return HD_NEVER;
}

Test(links, no_call_spans_an_arrival)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t sender = probe_add(engine, "sender");
    const uint32_t receiver = probe_add(engine, "receiver");
    const hd_time latency[] = {20000, 21000, 22500};
    for (uint32_t i = 0; i < 3; i++)
        probe_link(engine, sender, i, receiver, i, latency[i], 20000, 8);
    probe_start(engine, &(probe_script){.advance = sends_three});
    hd_engine_run(engine, 30000);
    const probe *self = probe_of(engine, receiver);
    const hd_time edges[] = {20000, 21000, 23000}; /* of the receiver's clock */
    for (uint32_t i = 0; i < self->calls; i++)
        for (uint32_t j = 0; j < 3; j++)
            cr_expect(self->now[i] >= edges[j] || self->horizon[i] <= edges[j], "%llu to %llu",
                      (unsigned long long)self->now[i], (unsigned long long)self->horizon[i]);
    cr_expect_geq(self->calls, 4);
    for (uint32_t j = 0; j < 3; j++)
        cr_expect_eq(self->now[j + 1], edges[j]);
    hd_engine_destroy(engine);
}

static hd_time sends_at_edge_5(probe *self, hd_time now, hd_time horizon)
{
    const hd_time t = hd_clock_edge(self->services->clock, 5);
    if (!SENDS(self) || now > t)
        return SENDS(self) ? HD_NEVER : sends_when_it_can(self, now, horizon);
    if (horizon <= t)
        return t;
    self->services->send(self->services->context, self->out[0], probe_packet(self, 0), t);
    return HD_NEVER;
}

Test(links, a_receiver_is_called_at_an_edge_of_its_clock_even_if_the_packet_comes_before)
{
    const hd_clock clock = {1400000000};
    hd_engine *engine = pair_of(clock, &(probe_script){.advance = sends_at_edge_5}, 1500, 1000, 1);
    while (hd_engine_now(engine) <= hd_clock_edge(clock, 5))
        hd_engine_step(engine, HD_NEVER);
    cr_expect_eq(hd_engine_next(engine), hd_clock_edge(clock, 8), "1500 ps are between two and three cycles");
    hd_engine_run(engine, 100000);
    cr_assert_eq(probe_of(engine, 1)->calls, 3, "at time 0, for the packet, and to stand at the end");
    cr_expect_eq(probe_of(engine, 1)->now[1], hd_clock_edge(clock, 8));
    hd_engine_destroy(engine);
}

/* ---- What no block may do ------------------------------------------------------------------------------------------ */

static hd_time sends_too_much(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    for (uint64_t i = 0; SENDS(self) && now == 0 && i < 3; i++)
        self->services->send(self->services->context, self->out[0], probe_packet(self, i), 0);
    return HD_NEVER;
}

Test(links, sending_without_a_credit_is_a_fault)
{
    expect_fault(pair(&(probe_script){.advance = sends_too_much}, 2000, 3000, 2),
                 "sender sends on port out[0] without a credit");
}

static hd_time sends_backwards(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    if (SENDS(self) && now == 0) {
        self->services->send(self->services->context, self->out[0], probe_packet(self, 0), 1);
        self->services->send(self->services->context, self->out[0], probe_packet(self, 1), 0);
    }
    return HD_NEVER;
}

Test(links, sending_backwards_in_time_is_a_fault)
{
    expect_fault(pair(&(probe_script){.advance = sends_backwards}, 2000, 3000, 2),
                 "sender sends on port out[0] earlier than it sent before");
}

static hd_time takes_backwards(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    (void)horizon;
    if (SENDS(self)) {
        for (uint32_t i = 0; now == 0 && i < 2; i++)
            services->send(services->context, self->out[0], probe_packet(self, i), 0);
        return HD_NEVER;
    }
    for (uint32_t i = 0; now >= 2000 && i < 2; i++) {
        hd_packet *packet = services->pop(services->context, self->in[0], now + 1 - i);
        if (packet)
            services->free(services->context, packet);
    }
    return HD_NEVER;
}

Test(links, taking_backwards_in_time_is_a_fault)
{
    expect_fault(pair(&(probe_script){.advance = takes_backwards}, 2000, 3000, 2),
                 "receiver takes a packet from port in[0] earlier than it took one before");
}

static hd_time sends_ahead(probe *self, hd_time now, hd_time horizon)
{
    if (SENDS(self) && now == 0)
        self->services->send(self->services->context, self->out[0], probe_packet(self, 0), horizon);
    return HD_NEVER;
}

Test(links, sending_at_the_horizon_is_a_fault)
{
    expect_fault(pair(&(probe_script){.advance = sends_ahead}, 2000, 3000, 2),
                 "sender uses a link at 2000 ps, called for 0 ps to before 2000 ps");
}

static hd_time leaves_work(probe *self, hd_time now, hd_time horizon)
{
    return SENDS(self) && now == 0 ? horizon - 1 : HD_NEVER;
}

Test(links, leaving_work_before_the_horizon_is_a_fault)
{
    expect_fault(pair(&(probe_script){.advance = leaves_work}, 2000, 3000, 2),
                 "sender, called for 0 ps to before 2000 ps, left work at 1999 ps");
}

static hd_time promises_late(probe *self, hd_time now)
{
    return SENDS(self) ? now + 5000 : HD_NEVER;
}

static hd_time sends_at_once(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    if (SENDS(self) && now == 0)
        self->services->send(self->services->context, self->out[0], probe_packet(self, 0), 0);
    return HD_NEVER;
}

Test(links, breaking_a_promise_is_a_fault)
{
    expect_fault(pair(&(probe_script){.advance = sends_at_once, .promise = promises_late}, 2000, 3000, 2),
                 "sender sends on port out[0] earlier than it promised");
}

Test(links, a_late_promise_makes_a_wide_window)
{
    hd_engine *engine = pair(&(probe_script){.promise = promises_late}, 2000, 3000, 2);
    hd_engine_step(engine, HD_NEVER);
    cr_expect_eq(hd_engine_now(engine), 7000, "5000 promised, 2000 on the way");
    hd_engine_destroy(engine);
    engine = pair(&(probe_script){0}, 2000, 3000, 2);
    hd_engine_step(engine, HD_NEVER);
    cr_expect_eq(hd_engine_now(engine), 2000);
    hd_engine_destroy(engine);
}

/* The sender has work at 40000, the receiver always. */
static hd_time one_is_busy(probe *self, hd_time now, hd_time horizon)
{
    (void)now;
    return SENDS(self) && horizon < 40000 ? 40000 : horizon;
}

Test(links, a_promise_before_its_next_work_does_not_narrow_the_window)
{
    hd_engine *engine = pair(&(probe_script){.advance = one_is_busy}, 100, 2000, 2);
    hd_engine_step(engine, HD_NEVER);
    cr_expect_eq(hd_engine_now(engine), 100, "the sender has work at 0");
    hd_engine_step(engine, HD_NEVER);
    cr_expect_eq(hd_engine_now(engine), 2100, "the receiver's credits take 2000");
    hd_engine_destroy(engine);
}

static hd_time frees_twice(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    if (SENDS(self) && now == 0) {
        hd_packet *packet = probe_packet(self, 0);
        self->services->free(self->services->context, packet);
        self->services->free(self->services->context, packet);
    }
    return HD_NEVER;
}

Test(links, freeing_a_packet_twice_is_a_fault)
{
    expect_fault(pair(&(probe_script){.advance = frees_twice}, 2000, 3000, 2), "sender frees a packet twice");
}

static hd_time asks_too_much(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    if (SENDS(self) && now == 0) {
        hd_packet *packet = self->services->alloc(self->services->context, HD_PACKET_STREAM_MAX + 1);
        cr_expect_not_null(packet);
        self->services->free(self->services->context, packet);
    }
    return HD_NEVER;
}

Test(links, a_body_beyond_the_maximum_is_a_fault)
{
    expect_fault(pair(&(probe_script){.advance = asks_too_much}, 2000, 3000, 2),
                 "sender asks for a packet with a body of 1048577 bytes, more than 1048576");
}

/* The sender uses its only credit at 0 and asks for more; the receiver takes the packet at 1000 and sends one at 2000. */
static hd_time use_the_only_credit(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    if (strcmp(services->name, "sender") == 0) {
        if (now == 0) {
            services->send(services->context, self->out[0], probe_packet(self, 1), now);
            cr_expect_eq(services->credits(services->context, self->out[0], now), 0);
        }
        return HD_NEVER;
    }
    if (now <= 1000 && 1000 < horizon)
        services->free(services->context, services->pop(services->context, self->in[0], 1000));
    if (now <= 2000 && 2000 < horizon)
        services->send(services->context, self->out[0], probe_packet(self, 2), 2000);
    return horizon <= 2000 ? 2000 : HD_NEVER;
}

Test(links, a_credit_wakes_a_starved_sender_that_a_packet_woke_before)
{
    const probe_script script = {.advance = use_the_only_credit};
    hd_engine *engine = hd_engine_create();
    const uint32_t sender = probe_add(engine, "sender");
    const uint32_t receiver = probe_add(engine, "receiver");
    probe_link(engine, sender, 0, receiver, 0, 1000, 5000, 1);
    probe_link(engine, receiver, 0, sender, 0, 1000, 1000, 1);
    probe_start(engine, &script);
    hd_engine_run(engine, HD_NEVER);
    const probe *self = probe_of(engine, sender);
    cr_assert_eq(self->calls, 3);
    cr_expect_eq(self->now[1], 3000, "the packet");
    cr_expect_eq(self->now[2], 6000, "the credit");
    hd_engine_destroy(engine);
}
