/* SPDX-License-Identifier: MIT */
/* Packets that are late by chance: as much as allowed, in order, and the same again with the same seed. */
#include <criterion/criterion.h>

#include "engine_internal.h"
#include "network.h"
#include "probe.h"

#define NETWORKS 25u
#define DELAY 3000u
#define LATENCY 2000u
#define PACKETS 2000u

Test(perturb, a_seed_gives_the_same_to_the_bit_whoever_carries_the_packets)
{
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        hd_engine *alone = network_perturbed(seed, WIRE_NONE, 1, 5, DELAY);
        const uint64_t expected = network_run(alone);
        hd_engine_reset(alone, seed);
        cr_expect_eq(network_run(alone), expected, "network %llu again", (unsigned long long)seed);
        hd_engine_destroy(alone);
        for (uint32_t threads = 1; threads <= 3; threads++) {
            hd_engine *engine = network_perturbed(seed, threads % 2 ? WIRE_SOME : WIRE_NONE, threads, 5, DELAY);
            hd_engine_disturb(engine, threads);
            hd_engine_reset(engine, seed);
            cr_expect_eq(network_run(engine), expected, "network %llu, %u threads", (unsigned long long)seed, threads);
            cr_expect_eq(hd_engine_check_credits(engine, NULL), 0);
            cr_expect_eq(hd_engine_packets(engine).held, 0);
            hd_engine_destroy(engine);
        }
    }
}

Test(perturb, seeds_differ_and_none_is_the_machine_as_it_is)
{
    uint32_t different = 0, moved = 0;
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        uint64_t results[4];
        for (uint64_t perturbation = 0; perturbation < 3; perturbation++) {
            hd_engine *engine = network_perturbed(seed, WIRE_NONE, 1, perturbation, DELAY);
            results[perturbation] = network_run(engine);
            hd_engine_destroy(engine);
        }
        hd_engine *plain = network_random(seed, WIRE_NONE);
        cr_expect_eq(network_run(plain), results[0], "network %llu", (unsigned long long)seed);
        hd_engine_destroy(plain);
        moved += results[1] != results[0];
        different += results[1] != results[2];
    }
    cr_expect_eq(moved, NETWORKS);
    cr_expect_eq(different, NETWORKS);
}

/* ---- One link ------------------------------------------------------------------------------------------------------- */

/* A source that sends every `gap` cycles of 1 ns to the test. */
static hd_engine *source_of(const char *gap, const char *name, uint64_t perturbation, hd_time delay)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t source =
        network_add(engine, &example_source, name, 1000000000, (const char *[]){"packets=2000", gap, NULL});
    const hd_link_timing timing = {.latency = LATENCY, .credit_latency = 1000, .credits = 64, .is_perturbed = 1};
    hd_engine_perturb(engine, perturbation, delay);
    hd_engine_add_link(
        engine, &(hd_binding){
                    .from_block = source, .from_port = EXAMPLE_SOURCE_OUT, .to_block = HD_FOREIGN, .request = timing});
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    hd_engine_reset(engine, 1);
    return engine;
}

static void step_to_wire(hd_engine *engine)
{
    while (hd_engine_step(engine, HD_NEVER) != hd_engine_wire_next(engine))
        cr_assert_null(hd_engine_fault(engine, NULL, NULL), "%s", hd_engine_fault(engine, NULL, NULL));
}

/* When each packet arrives. */
static void arrivals(hd_engine *engine, hd_time *times)
{
    for (uint32_t i = 0; i < PACKETS; i++) {
        hd_wire_event event;
        step_to_wire(engine);
        cr_assert(hd_engine_wire_take(engine, HD_NEVER - 1, &event));
        cr_assert_eq(event.packet->tag, i);
        times[i] = event.t;
        hd_engine_free(engine, event.packet);
        cr_assert(hd_link_deliver_credit(event.link, event.t));
    }
    hd_engine_destroy(engine);
}

/* How many of the packets are late by 0, 1, ... ps, in steps of `unit`. */
static void count_lateness(uint64_t perturbation, hd_time delay, hd_time unit, uint32_t *counts, uint32_t most)
{
    static hd_time plain[PACKETS], late[PACKETS];
    arrivals(source_of("gap=10 cycles", "source", 0, delay), plain);
    arrivals(source_of("gap=10 cycles", "source", perturbation, delay), late);
    for (uint32_t i = 0; i < PACKETS; i++) {
        const hd_time by = late[i] - plain[i];
        cr_assert(by % unit == 0 && by / unit <= most, "packet %u is late by %llu ps", i, (unsigned long long)by);
        counts[by / unit]++;
    }
}

static void expect_even(const uint32_t *counts, uint32_t most)
{
    const uint32_t expected = PACKETS / (most + 1);
    for (uint32_t i = 0; i <= most; i++) /* the deviation is at most sqrt(2000) / 2 = 22 */
        cr_expect(counts[i] > expected - 100 && counts[i] < expected + 100, "%u cycles: %u", i, counts[i]);
}

/* 3 cycles of 1 ns fit into 3 ns and into 3.999 ns; where none fits, it is one. */
Test(perturb, a_packet_alone_is_late_by_any_number_of_cycles_that_fit_into_the_delay)
{
    static const struct {
        hd_time delay;
        uint32_t cycles;
    } delays[] = {{3000, 3}, {3999, 3}, {2999, 2}, {1000, 1}, {1, 1}};
    for (size_t i = 0; i < sizeof delays / sizeof *delays; i++) {
        uint32_t counts[4] = {0};
        count_lateness(9 + i, delays[i].delay, 1000, counts, delays[i].cycles);
        expect_even(counts, delays[i].cycles);
    }
}

static hd_time receives_nothing(probe *self, hd_time now, hd_time horizon)
{
    (void)self;
    (void)now;
    (void)horizon;
    return HD_NEVER;
}

/* The receiver of 400 MHz counts in steps of 2.5 ns: 0 or 1 of them in 3 ns. */
Test(perturb, the_cycles_are_those_of_the_receiver)
{
    hd_engine *engine = hd_engine_create();
    uint32_t counts[2] = {0};
    const uint32_t sender = probe_add(engine, "sender");
    const uint32_t receiver = hd_engine_add_block(engine, &probe_class, "receiver", 0, 1, (hd_clock){400000000}, NULL);
    const hd_link_timing timing = {.latency = LATENCY, .credit_latency = 1000, .credits = 1, .is_perturbed = 1};
    hd_engine_perturb(engine, 1, DELAY);
    hd_engine_add_link(engine, &(hd_binding){.from_block = sender,
                                             .from_port = PROBE_OUT,
                                             .to_block = receiver,
                                             .to_port = PROBE_IN,
                                             .request = timing});
    probe_start(engine, &(probe_script){.advance = receives_nothing});
    hd_link *link = hd_engine_link_out(engine, sender, PROBE_OUT, 0);
    for (hd_time t = 0; t < 1000; t++) {
        const hd_time by = perturb_next(link, t * 10000) % 10000;
        cr_assert(by == 0 || by == 2500, "%llu ps", (unsigned long long)by);
        counts[by / 2500]++;
    }
    cr_expect(counts[0] > 400 && counts[1] > 400, "%u, %u", counts[0], counts[1]);
    hd_engine_destroy(engine);
}

Test(perturb, packets_stay_in_order_and_none_is_too_late)
{
    static hd_time plain[PACKETS], late[PACKETS];
    uint32_t together = 0;
    arrivals(source_of("gap=1 cycle", "source", 0, DELAY), plain);
    arrivals(source_of("gap=1 cycle", "source", 3, DELAY), late);
    for (uint32_t i = 0; i < PACKETS; i++) {
        cr_assert_geq(late[i], plain[i]);
        cr_assert_leq(late[i], plain[i] + DELAY);
        cr_assert(i == 0 || late[i] >= late[i - 1], "packet %u overtakes", i);
        together += i && late[i] == late[i - 1];
    }
    cr_expect_gt(together, 0, "an earlier packet holds up the next");
}

Test(perturb, each_link_has_a_stream_of_its_own)
{
    static const char *const names[] = {"here", "there"};
    static hd_time plain[2][PACKETS], late[2][PACKETS];
    uint32_t alike = 0;
    for (int i = 0; i < 2; i++) {
        arrivals(source_of("gap=10 cycles", names[i], 0, DELAY), plain[i]);
        arrivals(source_of("gap=10 cycles", names[i], 1, DELAY), late[i]);
    }
    for (uint32_t i = 0; i < PACKETS; i++)
        alike += late[0][i] - plain[0][i] == late[1][i] - plain[1][i];
    cr_expect_lt(alike, PACKETS / 2); /* a quarter, by chance */
}

/* A block that counts bytes on one of its links is perturbed on that and on others. */
Test(perturb, links_that_count_bytes_are_late_as_well)
{
    static hd_time only_late[PACKETS], both[PACKETS];
    arrivals(source_of("gap=10 cycles", "source", 4, DELAY), only_late);
    hd_engine *engine = source_of("gap=10 cycles", "source", 4, DELAY);
    hd_link *link = hd_engine_link_out(engine, 0, EXAMPLE_SOURCE_OUT, 0);
    hd_link_count_bytes(link);
    arrivals(engine, both);
    cr_expect_arr_eq(both, only_late, sizeof both);
}

/* ---- Alignment ------------------------------------------------------------------------------------------------------ */

#define SENT 20u
#define CYCLE 1000u

typedef struct plan {
    uint32_t before;     /* packets that it sends first */
    uint32_t alignments; /* that it then asks for, one after the other */
    uint32_t asked;
    uint32_t aligned;
    uint32_t after; /* packets sent since the last of them */
    hd_time sent[SENT];
} plan;

static uint32_t is_over(const plan *of)
{
    return of->after == SENT;
}

static void follow(probe *self, hd_time t)
{
    plan *of = self->script->context;
    const hd_rendezvous *rendezvous = self->services->extension(self->services->context, HD_EXTENSION_RENDEZVOUS);
    const uint32_t is_aligned = of->aligned == of->alignments;
    if (of->before || is_aligned)
        self->services->send(self->services->context, self->out[0], probe_packet(self, is_aligned), t);
    if (is_aligned)
        of->sent[of->after++] = t;
    else if (of->before)
        of->before--;
    else if (of->asked == of->aligned && ++of->asked)
        rendezvous->request(rendezvous->context, t, HD_RENDEZVOUS_ALIGN, 0);
}

static hd_time follows_its_plan(probe *self, hd_time now, hd_time horizon)
{
    const plan *of = self->script->context;
    hd_time t = (now + CYCLE - 1) / CYCLE * CYCLE;
    for (; t < horizon && !is_over(of); t += CYCLE)
        follow(self, t);
    return is_over(of) ? HD_NEVER : t;
}

static void is_aligned(probe *self, hd_time t, const hd_write_back_sink *sink)
{
    (void)t;
    (void)sink;
    ((plan *)self->script->context)->aligned++;
}

/* How late each packet is that is sent after the alignments. */
static void lateness_after(uint32_t before, uint32_t alignments, hd_time *late)
{
    plan of = {.before = before, .alignments = alignments};
    hd_engine *engine = hd_engine_create();
    const uint32_t block = probe_add(engine, "sender");
    const hd_link_timing timing = {.latency = LATENCY, .credit_latency = CYCLE, .credits = 64, .is_perturbed = 1};
    hd_engine_perturb(engine, 1, DELAY);
    hd_engine_add_link(
        engine, &(hd_binding){.from_block = block, .from_port = PROBE_OUT, .to_block = HD_FOREIGN, .request = timing});
    probe_start(engine, &(probe_script){.context = &of, .advance = follows_its_plan, .align = is_aligned});
    for (uint32_t i = 0; i < SENT;) {
        hd_wire_event event;
        step_to_wire(engine);
        cr_assert(hd_engine_wire_take(engine, HD_NEVER - 1, &event));
        if (event.packet->tag == 1) {
            late[i] = event.t - of.sent[i] - LATENCY;
            i++;
        }
        hd_engine_free(engine, event.packet);
    }
    hd_engine_destroy(engine);
}

static uint32_t same(const hd_time *a, const hd_time *b, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += a[i] == b[i];
    return found;
}

Test(perturb, what_follows_an_alignment_is_the_same_whatever_was_sent_before)
{
    hd_time fresh[SENT], later[SENT], sum = 0;
    lateness_after(0, 1, fresh);
    lateness_after(7, 1, later);
    for (uint32_t i = 0; i < SENT; i++)
        sum += fresh[i];
    cr_expect_gt(sum, 0);
    cr_expect_eq(same(fresh, later, SENT), SENT);
}

Test(perturb, what_follows_the_second_alignment_is_not_what_follows_the_first)
{
    hd_time first[SENT], second[SENT];
    lateness_after(0, 1, first);
    lateness_after(0, 2, second);
    cr_expect_lt(same(first, second, SENT), SENT / 2);
}
