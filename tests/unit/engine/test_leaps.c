/* SPDX-License-Identifier: MIT */
/* Two sides of a machine are ahead of each other by turns, and nobody can tell. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine_internal.h"
#include "network.h"
#include "probe.h"

#define NETWORKS 60u
#define SENDS(self) (strcmp((self)->services->name, "sender") == 0)

static uint64_t calls_of(const hd_engine *engine)
{
    uint64_t calls = 0;
    for (uint32_t b = 0; b < hd_engine_block_count(engine); b++)
        calls += hd_engine_calls(engine, b);
    return calls;
}

static uint64_t in_windows(hd_engine *engine, uint64_t seed)
{
    probe_keep_to_windows(engine);
    hd_engine_reset(engine, seed);
    cr_assert(!leap_is_possible(engine));
    const uint64_t result = network_run_unobserved(engine);
    hd_engine_limit_windows(engine, 0, NULL);
    hd_engine_reset(engine, seed);
    return result;
}

Test(leaps, do_what_windows_do)
{
    uint64_t calls = 0, calls_in_windows = 0;
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        hd_engine *engine = network_random(seed, WIRE_NONE);
        const uint64_t expected = in_windows(engine, seed);
        hd_engine_reset(engine, seed);
        cr_assert(leap_is_possible(engine));
        cr_expect_eq(network_run_unobserved(engine), expected, "network %llu", (unsigned long long)seed);
        const hd_conservation packets = hd_engine_packets(engine);
        cr_expect_eq(packets.held + packets.in_links, 0);
        cr_expect_eq(hd_engine_check_credits(engine, NULL), 0);
        calls += calls_of(engine);
        hd_engine_destroy(engine);
        engine = network_random(seed, WIRE_NONE);
        in_windows(engine, seed);
        probe_keep_to_windows(engine);
        network_run_unobserved(engine);
        calls_in_windows += calls_of(engine);
        hd_engine_destroy(engine);
    }
    cr_expect_lt(calls, calls_in_windows, "blocks are called for longer");
}

Test(leaps, are_the_same_on_any_number_of_threads)
{
    for (uint64_t seed = 1; seed <= NETWORKS / 2; seed++)
        for (uint32_t threads = 2; threads <= 4; threads += 2) {
            hd_engine *engine = network_random_threads(seed, WIRE_NONE, threads);
            const uint64_t expected = in_windows(engine, seed);
            cr_expect_eq(network_run_unobserved(engine), expected, "network %llu, %u threads", (unsigned long long)seed,
                         threads);
            hd_engine_destroy(engine);
        }
}

/* Both sides meet wherever whoever steps wants to look. */
Test(leaps, can_be_taken_in_pieces)
{
    for (uint64_t seed = 1; seed <= NETWORKS / 2; seed++) {
        hd_engine *engine = network_random(seed, WIRE_NONE);
        const uint64_t expected = in_windows(engine, seed);
        for (hd_time t = 0; hd_engine_next(engine) != HD_NEVER && t < 2000000; t += 1 + t % 7919) {
            hd_engine_run(engine, t);
            cr_assert_eq(hd_engine_now(engine), t);
            cr_assert_geq(hd_engine_next(engine), t);
        }
        cr_expect_eq(network_run_unobserved(engine), expected, "network %llu", (unsigned long long)seed);
        hd_engine_destroy(engine);
    }
}

/* Blocks that a link joins are on different sides; those of a circle of three cannot all be. */
Test(leaps, have_sides_that_links_join)
{
    uint32_t across = 0, links = 0;
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        hd_engine *engine = network_random(seed, WIRE_NONE);
        for (uint32_t i = 0; i < engine->link_count; i++, links++)
            across += engine->leap.side[engine->links[i]->sender->index] !=
                      engine->leap.side[engine->links[i]->receiver->index];
        hd_engine_destroy(engine);
    }
    cr_expect_eq(across, links, "%u of %u: these networks are trees", across, links);
}

static hd_time promises_late(probe *self, hd_time now)
{
    return SENDS(self) ? 5000 : now;
}

static hd_time sends_at_once(probe *self, hd_time now, hd_time horizon)
{
    if (!SENDS(self))
        return horizon;
    if (now == 0)
        self->services->send(self->services->context, self->out[0], probe_packet(self, 0), 0);
    return HD_NEVER;
}

/* The receiver, whose side is called first, has been called beyond what it now gets. */
Test(leaps, that_rely_on_a_promise_name_who_breaks_it)
{
    const hd_clock clock = {1000000000};
    hd_engine *engine = hd_engine_create();
    const uint32_t receiver = hd_engine_add_block(engine, &probe_class, "receiver", 0, 1, clock, NULL);
    const uint32_t sender = hd_engine_add_block(engine, &probe_class, "sender", 0, 1, clock, NULL);
    probe_link(engine, sender, 0, receiver, 0, 2000, 3000, 2);
    probe_start(engine, &(probe_script){.advance = sends_at_once, .promise = promises_late});
    hd_engine_run(engine, 100000);
    const char *fault = hd_engine_fault(engine, NULL, NULL);
    cr_assert_not_null(fault);
    cr_expect_str_eq(fault, "sender sends on port out[0] earlier than it promised");
    hd_engine_destroy(engine);
}

static hd_time changed_at; /* HD_NEVER: not yet */

static hd_time promises_until_changed(probe *self, hd_time now)
{
    return SENDS(self) && changed_at == HD_NEVER ? 900000 : now;
}

static hd_time sends_when_changed(probe *self, hd_time now, hd_time horizon)
{
    const hd_services *services = self->services;
    if (!SENDS(self)) {
        hd_packet *packet = services->pop(services->context, self->in[0], now);
        if (packet)
            services->free(services->context, packet);
        return horizon;
    }
    if (now != changed_at)
        return changed_at == HD_NEVER ? (horizon > 50000 ? horizon : 50000) : HD_NEVER;
    services->send(services->context, self->out[0], probe_packet(self, 0), now);
    return HD_NEVER;
}

/* What a block promised may not hold for what the outside has made of it. */
Test(leaps, ask_anew_whoever_the_outside_has_changed)
{
    const hd_clock clock = {1000000000};
    hd_engine *engine = hd_engine_create();
    const uint32_t receiver = hd_engine_add_block(engine, &probe_class, "receiver", 0, 1, clock, NULL);
    const uint32_t sender = hd_engine_add_block(engine, &probe_class, "sender", 0, 1, clock, NULL);
    probe_link(engine, sender, 0, receiver, 0, 2000, 3000, 2);
    changed_at = HD_NEVER;
    probe_start(engine, &(probe_script){.advance = sends_when_changed, .promise = promises_until_changed});
    hd_engine_run(engine, 40000);
    changed_at = 40000;
    hd_engine_wake(engine, sender);
    hd_engine_run(engine, 100000);
    cr_expect_null(hd_engine_fault(engine, NULL, NULL));
    const hd_conservation packets = hd_engine_packets(engine);
    cr_expect_eq(packets.allocated, 1);
    cr_expect_eq(packets.freed, 1);
    hd_engine_destroy(engine);
}
