/* SPDX-License-Identifier: MIT */
/* What the ends of a link read in place (hd_link.h): as the platform's functions answer, and without a call of them. */
#include <criterion/criterion.h>
#include <string.h>

#include "hd_link.h"
#include "probe.h"

#define LATENCY 3500u
#define CREDIT_LATENCY 5500u

typedef struct seen {
    uint32_t sent, taken;
    hd_time taken_at[3];
} seen;

/* Nothing can be called by way of it. */
static const hd_services no_calls;

static void send_one(probe *self, seen *seen, hd_time t)
{
    const hd_services *services = self->services;
    cr_expect_eq(hd_link_has_credit(seen->sent % 2 ? &no_calls : services, self->out[0], t), 1);
    services->send(services->context, self->out[0], probe_packet(self, seen->sent++), t);
}

/* Two at once, which is all there is credit for, and one more when there is again. */
static void run_sender(probe *self, seen *seen, hd_time now)
{
    const hd_services *services = self->services;
    if (seen->sent == 0) {
        send_one(self, seen, now);
        send_one(self, seen, now);
    }
    const uint32_t credits = seen->sent == 3 ? 1 : now >= 4000 + CREDIT_LATENCY ? 2 : 0;
    cr_expect_eq(hd_link_has_credit(services, self->out[0], now), credits != 0);
    cr_expect_eq(services->credits(services->context, self->out[0], now), credits);
    if (credits == 2)
        send_one(self, seen, now);
}

static void take_one(probe *self, seen *seen, hd_time arrival, hd_time t)
{
    const hd_services *services = self->services;
    hd_link *in = self->in[0];
    cr_expect_eq(hd_link_arrival(in), arrival);
    cr_expect_eq(services->arrival(services->context, in), arrival);
    cr_expect_null(hd_link_peek(in, arrival - 1));
    const hd_packet *head = hd_link_peek(in, t);
    cr_assert_not_null(head);
    cr_expect_eq(head->tag, seen->taken);
    cr_expect_eq(services->peek(services->context, in, t), head);
    cr_expect_null(hd_link_pop(&no_calls, in, arrival - 1));
    hd_packet *packet = hd_link_pop(services, in, t);
    cr_expect_eq(packet, head);
    seen->taken_at[seen->taken++] = t;
    services->free(services->context, packet);
}

static void run_receiver(probe *self, seen *seen, hd_time now)
{
    hd_link *in = self->in[0];
    while (hd_link_arrival(in) <= now)
        take_one(self, seen, (seen->taken < 2 ? 0 : 10000) + LATENCY, now);
    cr_expect_null(hd_link_peek(in, now));
    cr_expect_null(hd_link_pop(&no_calls, in, now));
}

static hd_time advance(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    if (strcmp(self->services->name, "sender") == 0)
        run_sender(self, self->script->context, now);
    else
        run_receiver(self, self->script->context, now);
    return HD_NEVER;
}

static void expect_all(hd_engine *engine, seen *seen)
{
    *seen = (struct seen){0};
    hd_engine_run(engine, 20000);
    cr_expect_null(hd_engine_fault(engine, NULL, NULL));
    cr_assert_eq(seen->taken, 3);
    cr_expect_eq(hd_link_arrival(probe_of(engine, 1)->in[0]), HD_NEVER);
    cr_expect_eq(seen->taken_at[1], 4000);
    cr_expect_eq(seen->taken_at[2], 14000);
}

Test(link_heads, say_what_the_platform_says_and_what_they_say_is_gone_after_a_reset)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t sender = probe_add(engine, "sender"), receiver = probe_add(engine, "receiver");
    probe_link(engine, sender, 0, receiver, 0, LATENCY, CREDIT_LATENCY, 2);
    seen seen = {0};
    probe_start(engine, &(probe_script){.context = &seen, .advance = advance});
    expect_all(engine, &seen);
    for (hd_time middle = 1000; middle <= 12000; middle += 11000) { /* the first packets are on their way, or the last is */
        hd_engine_reset(engine, 0);
        seen = (struct seen){0};
        hd_engine_run(engine, middle);
        cr_expect_eq(hd_link_arrival(probe_of(engine, receiver)->in[0]), (middle < 10000 ? 0 : 10000) + LATENCY);
        hd_engine_reset(engine, 0);
        cr_expect_eq(hd_link_arrival(probe_of(engine, receiver)->in[0]), HD_NEVER);
        expect_all(engine, &seen);
    }
    hd_engine_destroy(engine);
}
