/* SPDX-License-Identifier: MIT */
#include "kit_internal.h"

#include "compose.h"
#include "hd_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOADS 3u                  /* seeds of the stimulus */
#define DISTURBANCES 8u           /* random schedules per load */
#define REST UINT64_C(1000000000) /* ps after the load within which a block comes to rest */
#define RENEWALS 4u               /* random series of renewals per load */
#define SLICES 64u
#define PEEKS 64u             /* of a window, at a time */
#define RESET_CYCLES_MAX 255u /* after which a load is cut off */

typedef struct suite {
    const hd_block_class *block_class;
    const char *const *parameters;
    kit_setup *setup;
    kit_stimulus *stimulus;
    uint32_t findings;
} suite;

static void find(suite *suite, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void find(suite *suite, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "conformance of %s/%s: ", suite->block_class->kind, suite->block_class->type);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    suite->findings++;
}

static void bind_one_of_each(kit_block *kit)
{
    for (uint32_t p = 0; p < kit->block_class->port_count; p++)
        for (uint32_t e = 0; e == 0 || e < kit->block_class->ports[p].minimum_count; e++)
            if (kit->block_class->ports[p].direction < HD_PORT_TAPPED)
                kit_connect(kit, p, e, 0, 0);
}

static kit_block *make(const suite *suite, const char *const *parameters)
{
    kit_block *kit = kit_create(suite->block_class, parameters);
    kit_expect_fault(kit);
    kit_record(kit);
    if (suite->setup)
        suite->setup(kit);
    else
        bind_one_of_each(kit);
    return kit;
}

static kit_block *make_untraced(const suite *suite)
{
    kit_block *kit = make(suite, suite->parameters);
    kit->is_traced = 0;
    return kit;
}

static void load(const suite *suite, kit_block *kit, uint64_t seed)
{
    if (suite->stimulus)
        suite->stimulus(kit, seed);
}

static uint64_t run(const suite *suite, kit_block *kit, uint64_t seed)
{
    load(suite, kit, seed);
    kit_run_until(kit, kit_now(kit) + REST);
    return kit_fingerprint(kit);
}

/* ---- Life cycle -------------------------------------------------------------------------------------------------- */

static void check_life_cycle(suite *suite)
{
    kit_destroy(make(suite, suite->parameters)); /* never created */
    kit_block *kit = make(suite, suite->parameters);
    char error[1024];
    if (!kit_try_start(kit, error, sizeof error)) {
        find(suite, "refused: %s", error);
        kit_destroy(kit);
        return;
    }
    const uint64_t *counters = suite->block_class->counters(kit_instance(kit));
    for (uint32_t i = 0; i < suite->block_class->statistic_count; i++)
        if (counters[i] != 0)
            find(suite, "statistic %s is %llu after reset", suite->block_class->statistics[i].name,
                 (unsigned long long)counters[i]);
    kit_reset(kit);
    kit_reset(kit);
    kit_destroy(kit);
    kit = make(suite, suite->parameters);
    load(suite, kit, 1);
    kit_run_until(kit, kit_now(kit) + kit_cycles(kit, 20));
    kit_destroy(kit); /* in the middle of its work */
}

/* Created and destroyed by hand, never connected: what an engine does when another block refuses. */
static void check_unconnected(suite *suite)
{
    kit_block *kit = make_untraced(suite);
    char error[1024];
    if (kit_try_start(kit, error, sizeof error)) {
        hd_services services = *hd_engine_services(kit->engine, kit->block);
        hd_block *block = suite->block_class->create(&services, kit->values, error, sizeof error);
        if (block)
            suite->block_class->destroy(block);
        else
            find(suite, "a second instance is refused: %s", error);
    }
    kit_destroy(kit);
}

/* ---- Refusals ----------------------------------------------------------------------------------------------------- */

static void try_value(suite *suite, uint32_t index, uint64_t u)
{
    kit_block *kit = make(suite, suite->parameters);
    char error[1024];
    const hd_parameter *parameter = &suite->block_class->parameters[index];
    kit->values[index].u = u;
    if (!kit_try_start(kit, error, sizeof error) && strstr(error, "without a reason"))
        find(suite, "%s = %llu is refused without a reason", parameter->name, (unsigned long long)u);
    kit_destroy(kit);
}

static void try_text(suite *suite, uint32_t index, const char *text)
{
    hd_value value;
    const hd_parameter *parameter = &suite->block_class->parameters[index];
    if (!kit_parse_value(parameter, text, &value))
        find(suite, "%s accepts '%s'", parameter->name, text);
}

static void check_refusals(suite *suite)
{
    for (uint32_t i = 0; i < suite->block_class->parameter_count; i++) {
        const hd_parameter *parameter = &suite->block_class->parameters[i];
        if (parameter->type == HD_TYPE_CHOICE || parameter->type == HD_TYPE_BOOLEAN)
            try_text(suite, i, "no such value");
        if (parameter->type != HD_TYPE_UNSIGNED)
            continue;
        try_text(suite, i, "many");
        try_text(suite, i, parameter->unit == HD_UNITLESS ? "1 B" : "1");
        try_value(suite, i, parameter->minimum);
        try_value(suite, i, parameter->minimum + 1);
        try_value(suite, i, parameter->minimum + 2);
        if (parameter->maximum)
            try_value(suite, i, parameter->maximum);
    }
}

/* ---- Determinism -------------------------------------------------------------------------------------------------- */

static void check_no_packets(suite *suite, kit_block *kit, uint64_t seed, const char *when)
{
    const hd_conservation packets = hd_engine_packets(kit->engine);
    if (packets.held || packets.in_links)
        find(suite, "load %llu: %s, the block holds %llu packets and has not taken %llu", (unsigned long long)seed,
             when, (unsigned long long)packets.held, (unsigned long long)packets.in_links);
}

/* Wherever its packets are when it is reset, it lets them go. */
static void check_reset_at_work(suite *suite, kit_block *kit, uint64_t seed)
{
    for (uint32_t cycles = 1; cycles <= RESET_CYCLES_MAX; cycles = 2 * cycles + 1) {
        kit_reset(kit);
        load(suite, kit, seed);
        kit_run_until(kit, kit_now(kit) + kit_cycles(kit, cycles));
        kit_reset(kit);
        check_no_packets(suite, kit, seed, "after reset in the middle of work");
    }
}

static void check_conserved(suite *suite, kit_block *kit, uint64_t seed)
{
    const char *fault = kit_fault_text(kit);
    if (fault) {
        find(suite, "load %llu: fault at %llu ps: %s", (unsigned long long)seed,
             (unsigned long long)kit_fault_time(kit), fault);
        return;
    }
    if (kit_next(kit) != HD_NEVER)
        find(suite, "load %llu: still has work long after", (unsigned long long)seed);
    for (uint32_t p = 0; p < suite->block_class->port_count; p++)
        for (uint32_t e = 0; e < kit->ports[p].count; e++)
            if (kit->ports[p].elements[e].bound && kit_unsent(kit, p, e))
                find(suite, "load %llu: %u packets never found room at port %s[%u]", (unsigned long long)seed,
                     kit_unsent(kit, p, e), suite->block_class->ports[p].name, e);
    if (hd_engine_check_credits(kit->engine, NULL))
        find(suite, "load %llu: credits of a link do not add up", (unsigned long long)seed);
    kit_empty_queues(kit);
    check_no_packets(suite, kit, seed, "at rest");
}

static uint64_t check_reset(suite *suite, uint64_t seed)
{
    kit_block *kit = make(suite, suite->parameters);
    const uint64_t first = run(suite, kit, seed);
    check_conserved(suite, kit, seed);
    kit_reset(kit);
    if (run(suite, kit, seed) != first)
        find(suite, "load %llu: after reset it does not do the same again", (unsigned long long)seed);
    check_reset_at_work(suite, kit, seed + 1);
    if (run(suite, kit, seed) != first)
        find(suite, "load %llu: after reset in the middle of work it does not do the same again",
             (unsigned long long)seed);
    kit_destroy(kit);
    return first;
}

static void check_untraced(suite *suite, uint64_t seed)
{
    kit_block *traced = make(suite, suite->parameters), *plain = make_untraced(suite);
    uint32_t count;
    run(suite, traced, seed);
    kit_recorded(traced, &count);
    traced->recorded_hash = kit_hash_start;
    if (run(suite, plain, seed) != kit_fingerprint(traced))
        find(suite, "load %llu: it does something else when it is traced", (unsigned long long)seed);
    kit_destroy(traced);
    kit_destroy(plain);
}

static void check_schedules(suite *suite, uint64_t seed, uint64_t expected)
{
    for (uint64_t disturbance = 1; disturbance <= DISTURBANCES; disturbance++) {
        kit_block *kit = make(suite, suite->parameters);
        kit_disturb(kit, disturbance * UINT64_C(0x5851F42D4C957F2D));
        if (run(suite, kit, seed) != expected)
            find(suite, "load %llu, disturbance %llu: other horizons give other results", (unsigned long long)seed,
                 (unsigned long long)disturbance);
        kit_destroy(kit);
    }
}

static void check_independence(suite *suite, const uint64_t expected[LOADS])
{
    kit_block *pair[2];
    for (uint32_t i = 0; i < 2; i++) {
        pair[i] = make(suite, suite->parameters);
        kit_start(pair[i]);
    }
    hd_time end[2];
    for (uint32_t i = 0; i < 2; i++) {
        load(suite, pair[i], i + 1);
        end[i] = kit_now(pair[i]) + REST;
    }
    for (uint32_t slice = 1; slice <= SLICES; slice++)
        for (uint32_t i = 0; i < 2; i++) {
            const hd_time start = end[i] - REST;
            /* short slices first: that is where the work is */
            kit_run_until(pair[i], slice == SLICES ? end[i] : start + kit_cycles(pair[i], 3 * slice));
        }
    for (uint32_t i = 0; i < 2; i++) {
        if (kit_fingerprint(pair[i]) != expected[i])
            find(suite, "load %u: another instance beside it changes what it does", i + 1);
        kit_destroy(pair[i]);
    }
}

/* What debuggers see of registers, all over the windows of the block: whoever looks changes nothing. */
static void peek_everywhere(const suite *suite, kit_block *kit, uint64_t *random)
{
    uint8_t bytes[64];
    for (uint32_t w = 0; w < suite->block_class->window_count; w++) {
        const hd_window *window = &suite->block_class->windows[w];
        uint64_t base = window->base;
        for (uint32_t p = 0; window->base_parameter && p < suite->block_class->parameter_count; p++)
            if (strcmp(suite->block_class->parameters[p].name, window->base_parameter) == 0)
                base += kit->values[p].u;
        for (uint64_t at = 0; at < 256; at += sizeof bytes)
            kit_register_peek(kit, base + at, bytes, sizeof bytes);
        for (uint32_t i = 0; i < PEEKS; i++)
            kit_register_peek(kit, base + kit_random(random) % window->bytes, bytes, 1 + kit_random(random) % 16);
    }
}

static void check_peeks(suite *suite, uint64_t seed, uint64_t expected)
{
    kit_block *kit = make(suite, suite->parameters);
    uint64_t random = seed;
    load(suite, kit, seed);
    const hd_time start = kit_now(kit);
    for (uint32_t slice = 1; slice <= SLICES; slice++) {
        kit_run_until(kit, start + kit_cycles(kit, slice * slice));
        peek_everywhere(suite, kit, &random);
    }
    kit_run_until(kit, start + REST);
    if (kit_fingerprint(kit) != expected)
        find(suite, "load %llu: who looks at its registers changes what it does", (unsigned long long)seed);
    kit_destroy(kit);
}

static uint32_t has_state(const suite *suite)
{
    kit_block *kit = make_untraced(suite);
    const hd_block_class *block_class = suite->block_class;
    const uint32_t found =
        block_class->extension && block_class->extension(kit_instance(kit), HD_EXTENSION_STATE) != NULL;
    kit_destroy(kit);
    return found;
}

static uint64_t run_renewed(suite *suite, uint64_t load_seed, uint64_t series, uint32_t only_stops)
{
    kit_block *kit = make_untraced(suite);
    kit_renew(kit, series * UINT64_C(0x9FB21C651E98DF25), only_stops);
    const uint64_t result = run(suite, kit, load_seed);
    check_conserved(suite, kit, load_seed);
    kit_destroy(kit);
    return result;
}

/* Saved and restored, it goes on as it would have: what it does is that of a block that nobody saved. */
static void check_renewals(suite *suite, uint64_t seed)
{
    for (uint64_t series = 1; series <= RENEWALS; series++)
        if (run_renewed(suite, seed, series, 0) != run_renewed(suite, seed, series, 1))
            find(suite, "load %llu, renewals %llu: saved and restored it does something else", (unsigned long long)seed,
                 (unsigned long long)series);
}

static void check_behaviour(suite *suite)
{
    uint64_t expected[LOADS];
    check_unconnected(suite);
    check_refusals(suite);
    for (uint32_t i = 0; i < LOADS; i++) {
        expected[i] = check_reset(suite, i + 1);
        check_schedules(suite, i + 1, expected[i]);
        check_peeks(suite, i + 1, expected[i]);
        if (has_state(suite))
            check_renewals(suite, i + 1);
    }
    check_untraced(suite, 1);
    check_independence(suite, expected);
}

uint32_t kit_conformance(const hd_block_class *block_class, const char *const *parameters, kit_setup *setup,
                         kit_stimulus *stimulus)
{
    suite suite = {
        .block_class = kit_compose(block_class), .parameters = parameters, .setup = setup, .stimulus = stimulus};
    suite.findings = kit_check_declaration(suite.block_class);
    check_life_cycle(&suite);
    if (!suite.findings)
        check_behaviour(&suite);
    units_release(suite.block_class);
    return suite.findings;
}
