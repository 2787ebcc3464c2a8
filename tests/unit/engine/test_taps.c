/* SPDX-License-Identifier: MIT */
/* Blocks joined by taps: whatever the windows and the order of the calls, one is told by the other at its own time. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "hd_tap.h"
#include "network.h"
#include "probe.h"
#include "tapped.h"

#define IS(self, name_) (strcmp((self)->services->name, name_) == 0)

/* ---- Random machines -------------------------------------------------------------------------------------------- */

typedef struct partition {
    hd_engine *engine;
    uint32_t ledgers[2];
    uint32_t gate;
} partition;

static uint64_t draw_from(uint64_t *seed, uint64_t bound)
{
    return kit_random(seed) % bound;
}

static void join(hd_engine *engine, uint64_t *seed, uint32_t from, uint32_t from_port, uint32_t to, uint32_t to_port,
                 uint32_t to_element)
{
    const hd_clock clock = hd_engine_block_clock(engine, from);
    network_link(engine, from, from_port, 0, to, to_port, to_element, hd_clock_cycles(clock, 1 + draw_from(seed, 30)),
                 hd_clock_cycles(clock, 1 + draw_from(seed, 30)), 1 + (uint32_t)draw_from(seed, 6));
}

static void listen(hd_engine *engine, uint32_t from, uint32_t from_element, uint32_t to, uint32_t to_element)
{
    hd_engine_add_link(engine, &(hd_binding){.from_block = from,
                                             .from_port = LEDGER_TAP,
                                             .from_element = from_element,
                                             .to_block = to,
                                             .to_port = GATE_TAP,
                                             .to_element = to_element});
}

/* Two ledgers with a source each; a gate between a third source and the first ledger listens to that one, or to both. */
static partition make_partition_of(uint64_t seed, uint32_t heard)
{
    static const uint64_t clocks[] = {1000000000, 1400000000, 700000000, 924000000};
    static const char *const gaps[] = {"gap=1 cycle", "gap=5 cycles", "gap=70 cycles"};
    partition made = {.engine = hd_engine_create()};
    uint32_t sources[3], sinks[2];
    for (uint32_t i = 0; i < 2; i++)
        sinks[i] =
            network_add(made.engine, &example_sink, i ? "sink[1]" : "sink[0]", clocks[draw_from(&seed, 4)], NULL);
    made.gate = draw_from(&seed, 2) ? network_add(made.engine, &tapped_gate, "gate", clocks[draw_from(&seed, 4)], NULL)
                                    : HD_NO_BLOCK;
    for (uint32_t i = 0; i < 2; i++)
        made.ledgers[i] =
            network_add(made.engine, &tapped_ledger, i ? "ledger[1]" : "ledger[0]", clocks[draw_from(&seed, 4)], NULL);
    if (made.gate == HD_NO_BLOCK) /* before and behind the ledgers */
        made.gate = network_add(made.engine, &tapped_gate, "gate", clocks[draw_from(&seed, 4)], NULL);
    for (uint32_t i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "source[%u]", i);
        sources[i] = network_add(
            made.engine, &example_source, name, clocks[draw_from(&seed, 4)],
            (const char *[]){"packets=80", gaps[draw_from(&seed, 3)], "first_destination=0", "destinations=1", NULL});
    }
    for (uint32_t i = 0; i < 2; i++) {
        join(made.engine, &seed, sources[i], EXAMPLE_SOURCE_OUT, made.ledgers[i], LEDGER_REQUEST, 0);
        join(made.engine, &seed, made.ledgers[i], LEDGER_REPLY, sinks[i], EXAMPLE_SINK_IN, 0);
        if (i < heard)
            listen(made.engine, made.ledgers[i], 0, made.gate, i);
    }
    join(made.engine, &seed, sources[2], EXAMPLE_SOURCE_OUT, made.gate, GATE_IN, 0);
    join(made.engine, &seed, made.gate, GATE_OUT, made.ledgers[0], LEDGER_REQUEST, 1);
    return made;
}

static partition make_partition(uint64_t seed)
{
    return make_partition_of(seed, 2);
}

Test(taps, results_do_not_depend_on_threads)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const uint32_t heard = 1 + seed % 2;
        partition plain = make_partition_of(seed, heard), threads = make_partition_of(seed, heard);
        hd_engine_set_threads(threads.engine, 3);
        cr_assert_eq(hd_engine_elaborate(plain.engine, NULL), 0);
        cr_assert_eq(hd_engine_elaborate(threads.engine, NULL), 0);
        hd_engine_disturb(threads.engine, seed); /* share the work, however little */
        cr_expect_eq(network_run(threads.engine), network_run(plain.engine), "seed %llu", (unsigned long long)seed);
        hd_engine_destroy(plain.engine);
        hd_engine_destroy(threads.engine);
    }
}

Test(taps, results_depend_on_neither_windows_nor_the_order_of_calls)
{
    uint64_t taken = 0, told = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const uint32_t heard = 1 + seed % 2;
        partition plain = make_partition_of(seed, heard), disturbed = make_partition_of(seed, heard);
        cr_assert_eq(hd_engine_elaborate(plain.engine, NULL), 0);
        cr_assert_eq(hd_engine_elaborate(disturbed.engine, NULL), 0);
        hd_engine_disturb(disturbed.engine, seed * 77);
        const uint64_t expected = network_run(plain.engine);
        cr_expect_eq(network_run(disturbed.engine), expected, "seed %llu", (unsigned long long)seed);
        hd_engine_reset(plain.engine, 0);
        cr_expect_eq(network_run(plain.engine), expected, "seed %llu, again", (unsigned long long)seed);
        taken += hd_engine_counters(plain.engine, plain.gate)[1];
        told += hd_engine_counters(plain.engine, plain.gate)[2];
        const uint64_t accepted = hd_engine_counters(plain.engine, plain.ledgers[0])[0];
        cr_expect_eq(accepted, 160, "nothing is lost or done twice");
        hd_engine_destroy(plain.engine);
        hd_engine_destroy(disturbed.engine);
    }
    cr_expect_gt(taken, 100);
    cr_expect_gt(told, 30000);
}

/* Blocks that are told by others are not only called when they have said. */
Test(taps, leaps_do_what_windows_do)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        partition leaps = make_partition_of(seed, 1 + seed % 2), windows = make_partition_of(seed, 1 + seed % 2);
        cr_assert_eq(hd_engine_elaborate(leaps.engine, NULL), 0);
        cr_assert_eq(hd_engine_elaborate(windows.engine, NULL), 0);
        probe_keep_to_windows(windows.engine);
        cr_expect_eq(network_run_unobserved(leaps.engine), network_run_unobserved(windows.engine), "seed %llu",
                     (unsigned long long)seed);
        hd_engine_destroy(leaps.engine);
        hd_engine_destroy(windows.engine);
    }
}

/* ---- Order at one time ------------------------------------------------------------------------------------------- */

/* Called by the ledger: how far the listener had been advanced, and when it is called next. */
static hd_time told_at, advanced_until, called_after;
static uint32_t uses_link;

static uint32_t notes_how_far(hd_block *block, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    probe *self = (probe *)block;
    (void)element;
    (void)note;
    told_at = access->t;
    advanced_until = self->horizon[self->calls - 1];
    called_after = HD_NEVER;
    if (uses_link)
        self->services->credits(self->services->context, self->out[0], access->t);
    return HD_TAP_PASS;
}

static hd_time works_at_every_edge(probe *self, hd_time now, hd_time horizon)
{
    if (IS(self, "listener")) {
        called_after = hd_earlier(called_after, now);
        return now + 1000 > horizon ? now + 1000 : horizon;
    }
    if (now == 0 && self->out[0])
        self->services->send(self->services->context, self->out[0], probe_packet(self, 1), 0);
    hd_link *in = self->in[0];
    if (in && self->services->peek(self->services->context, in, now))
        self->services->free(self->services->context, self->services->pop(self->services->context, in, now));
    return HD_NEVER;
}

static const hd_tap note_tap = {notes_how_far, NULL, NULL};

/* One packet of the probe `sender` reaches the ledger at `latency`; the probe `listener` is told. */
static hd_engine *told_once(hd_time latency, uint32_t listener_first)
{
    static probe_script script;
    script = (probe_script){.advance = works_at_every_edge, .tap = &note_tap};
    hd_engine *engine = hd_engine_create();
    const uint32_t sender = probe_add(engine, "sender");
    const uint32_t sink = probe_add(engine, "sink");
    uint32_t listener = listener_first ? probe_add(engine, "listener") : 0;
    const uint32_t ledger = network_add(engine, &tapped_ledger, "ledger", 1000000000, NULL);
    listener = listener_first ? listener : probe_add(engine, "listener");
    const hd_link_timing timing = {.latency = latency, .credit_latency = 20000, .credits = 1};
    hd_engine_add_link(
        engine, &(hd_binding){.from_block = sender, .from_port = PROBE_OUT, .to_block = ledger, .request = timing});
    hd_engine_add_link(engine, &(hd_binding){.from_block = ledger,
                                             .from_port = LEDGER_REPLY,
                                             .to_block = sink,
                                             .to_port = PROBE_IN,
                                             .request = {20000, 20000, 1, 0}});
    hd_engine_add_link(
        engine,
        &(hd_binding){.from_block = ledger, .from_port = LEDGER_TAP, .to_block = listener, .to_port = PROBE_TAP});
    probe_link(engine, listener, 0, sink, 1, 20000, 20000, 1);
    probe_start(engine, &script);
    told_at = HD_NEVER;
    hd_engine_run(engine, 100000);
    return engine;
}

Test(taps, a_listener_has_done_all_before_the_time_at_which_it_is_told_and_nothing_more)
{
    for (uint32_t listener_first = 0; listener_first < 2; listener_first++) {
        hd_engine *engine = told_once(24000, listener_first);
        cr_expect_eq(told_at, 24000);
        cr_expect_leq(advanced_until, 24000, "it has work at that very time, which comes after");
        cr_expect_gt(advanced_until, 24000 - 1000);
        cr_expect_eq(called_after, 24000, "at its first edge at or after what it was told");
        cr_expect_null(hd_engine_fault(engine, NULL, NULL));
        hd_engine_destroy(engine);
    }
}

Test(taps, a_listener_may_not_use_its_links_while_it_is_told)
{
    uses_link = 1;
    hd_engine *engine = told_once(24000, 1);
    const char *fault = hd_engine_fault(engine, NULL, NULL);
    cr_assert_not_null(fault);
    cr_expect(strstr(fault, "listener uses a link at 24000 ps"), "%s", fault);
    hd_engine_destroy(engine);
}

/* ---- From outside, and what is refused ---------------------------------------------------------------------------- */

typedef struct witness {
    uint64_t numbers[4];
    uint32_t count;
} witness;

static void counts(hd_block *context, uint32_t element, const hd_tap_release *release)
{
    witness *self = (witness *)context;
    cr_expect_eq(element, 0);
    if (self->count < 4)
        self->numbers[self->count] = release->number;
    self->count++;
}

Test(taps, the_outside_listens_too)
{
    static const hd_tap tap = {NULL, NULL, counts};
    partition made = make_partition(5);
    witness first = {.count = 0}, second = {.count = 0};
    hd_engine_add_tap(made.engine, made.ledgers[0], LEDGER_TAP, 1, &tap, (hd_block *)&first);
    hd_engine_add_tap(made.engine, made.ledgers[0], LEDGER_TAP, 2, &tap, (hd_block *)&second);
    cr_assert_eq(hd_engine_elaborate(made.engine, NULL), 0);
    network_run(made.engine);
    cr_expect_eq(first.count, 160);
    cr_expect_eq(second.count, 160);
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(first.numbers[i], i);
    hd_engine_destroy(made.engine);
}

static char complaint[256];

static void keep(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void keep(void *context, const char *format, ...)
{
    va_list arguments;
    (void)context;
    va_start(arguments, format);
    vsnprintf(complaint, sizeof complaint, format, arguments);
    va_end(arguments);
}

static void expect_refusal(partition made, const char *text)
{
    const hd_text_sink sink = {.line = keep};
    complaint[0] = 0;
    cr_expect_gt(hd_engine_elaborate(made.engine, &sink), 0);
    cr_expect(strstr(complaint, text), "%s", complaint);
    hd_engine_destroy(made.engine);
}

Test(taps, bindings_that_make_no_sense_are_refused)
{
    partition made = make_partition(5);
    listen(made.engine, made.ledgers[0], 0, made.gate, 2);
    expect_refusal(made, "an element of its port for taps is bound twice, or one is left out");
    made = make_partition(5);
    listen(made.engine, made.ledgers[0], 2, made.gate, 2);
    expect_refusal(made, "bound twice, or one is left out");
    made = make_partition(5);
    listen(made.engine, made.ledgers[0], 1, made.gate, 1);
    expect_refusal(made, "gate: listens twice by one element of its port");
    made = make_partition(5);
    listen(made.engine, made.ledgers[0], 1, made.ledgers[1], 0);
    expect_refusal(made, "does not join an ordering point with one that listens");
    made = make_partition(5);
    hd_engine_add_link(made.engine, &(hd_binding){.from_block = made.ledgers[0],
                                                  .from_port = LEDGER_TAP,
                                                  .from_element = 1,
                                                  .to_block = HD_FOREIGN});
    expect_refusal(made, "does not join an ordering point with one that listens");
}

Test(taps, who_must_listen_and_does_not_is_refused)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t gate = network_add(engine, &tapped_gate, "gate", 1000000000, NULL);
    network_link(engine, gate, GATE_OUT, 0, gate, GATE_IN, 0, 1000, 1000, 1);
    expect_refusal((partition){.engine = engine}, "gate: port tap needs at least 1 elements and has 0");
}

Test(taps, circles_are_refused)
{
    static const probe_script script = {.tap = &note_tap};
    hd_engine *engine = hd_engine_create();
    hd_engine_provide(engine, PROBE_SCRIPT, &script);
    for (uint32_t i = 0; i < 2; i++)
        probe_add(engine, i ? "b" : "a");
    for (uint32_t i = 0; i < 2; i++)
        hd_engine_add_link(
            engine, &(hd_binding){.from_block = i, .from_port = PROBE_TAPPED, .to_block = 1 - i, .to_port = PROBE_TAP});
    expect_refusal((partition){.engine = engine}, "listens to itself, through taps in a circle");
}
