/* SPDX-License-Identifier: MIT */
#include "machine_run.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "identities.h"
#include "measures.h"
#include "results.h"
#include "traffic.h"

#define AT_REST_PS (HD_PS_PER_SECOND / 1000) /* after the program's end nothing moves for so long */

/* Sorts what stands after --set into overrides of the machine and options of the app. */
typedef struct sorted_sets {
    const char *overrides[RUN_CHANGES];
    hd_host_option options[RUN_CHANGES];
    char texts[RUN_CHANGES][128];
    uint32_t override_count;
    uint32_t option_count;
} sorted_sets;

static void sort_sets(const char *const *sets, sorted_sets *sorted)
{
    memset(sorted, 0, sizeof *sorted);
    for (; sets && *sets; sets++) {
        cr_assert(sorted->override_count < RUN_CHANGES && sorted->option_count < RUN_CHANGES);
        if (strncmp(*sets, "app.", 4)) {
            sorted->overrides[sorted->override_count++] = *sets;
            continue;
        }
        char *text = sorted->texts[sorted->option_count];
        cr_assert_lt(strlen(*sets), sizeof sorted->texts[0]);
        strcpy(text, *sets + 4);
        char *equals = strchr(text, '=');
        cr_assert(equals, "%s", *sets);
        *equals = '\0';
        sorted->options[sorted->option_count++] = (hd_host_option){.name = text, .value = equals + 1};
    }
}

static void say(void *context, const char *format, ...)
{
    (void)context;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static void come_to_rest(hd_machine *machine)
{
    const hd_text_sink sink = {.line = say};
    hd_engine *engine = hd_machine_engine(machine);
    hd_engine_run(engine, hd_engine_now(engine) + AT_REST_PS);
    const char *fault = hd_engine_fault(engine, NULL, NULL);
    cr_expect_null(fault, "after the program's end: %s", fault);
    const hd_conservation packets = hd_engine_packets(engine);
    cr_expect_eq(packets.in_links, 0, "%llu packets never came to their end", (unsigned long long)packets.in_links);
    cr_expect_eq(packets.held, 0, "%llu packets are left in blocks", (unsigned long long)packets.held);
    cr_expect_eq(hd_engine_check_credits(engine, &sink), 0);
}

/* The statistics as they stand now. */
static void update(hd_machine *machine, json_t *measures)
{
    const netlist *list = hd_machine_netlist(machine);
    uint32_t number = 0;
    for (uint32_t b = 0; b < list->block_count; b++) {
        const hd_block_class *type = list->blocks[b].block_class;
        for (uint32_t i = 0; type->create && i < list->blocks[b].count; i++) {
            const uint64_t *counters = hd_engine_counters(hd_machine_engine(machine), number++);
            json_t *values = json_object_get(measure_find(measures, list->blocks[b].name, i), "values");
            for (uint32_t s = 0; s < type->statistic_count; s++)
                json_object_set_new(values, type->statistics[s].name, json_integer((json_int_t)counters[s]));
        }
    }
}

static void measure(hd_machine *machine, const traffic *seen, machine_run *run)
{
    hd_results results;
    hd_machine_results(machine, &results);
    run->results = hd_results_json(&results);
    json_object_del(run->results, "host");
    const int rests = run->outcome == HD_OUTCOME_PASS && !hd_machine_transport_calls(machine);
    if (rests)
        come_to_rest(machine);
    run->measures = measures_of_results(run->results);
    if (rests)
        update(machine, run->measures);
    traffic_measure(seen, run->measures);
    if (run->outcome != HD_OUTCOME_PASS)
        return;
    expect_results_identities(run->results);
    if (rests)
        expect_identities(run->measures, IDENTITY_AT_REST);
}

/* How often each block recorded each of its events. */
typedef struct event_counts {
    hd_tracer tracer;
    uint64_t (*counts)[HD_TRACE_EVENTS_MAX];
    uint32_t blocks;
} event_counts;

static void count_event(void *context, const hd_traced *traced)
{
    event_counts *self = context;
    while (self->blocks <= traced->block) {
        self->counts = realloc(self->counts, (self->blocks + 1) * sizeof *self->counts);
        memset(self->counts[self->blocks++], 0, sizeof *self->counts);
    }
    self->counts[traced->block][traced->event] += traced->form != HD_TRACED_END;
}

static json_t *event_counts_json(const event_counts *self, const hd_engine *engine)
{
    json_t *all = json_object();
    for (uint32_t b = 0; b < self->blocks; b++) {
        const hd_block_class *type = hd_engine_block_class(engine, b);
        char name[2 * HD_NAME_MAX];
        snprintf(name, sizeof name, "%s/%s", type->kind, type->type);
        if (!json_object_get(all, name))
            json_object_set_new(all, name, json_object());
        json_t *of_class = json_object_get(all, name);
        for (uint32_t e = 0; e < type->trace_event_count; e++) {
            const json_int_t before = json_integer_value(json_object_get(of_class, type->trace_events[e].name));
            json_object_set_new(of_class, type->trace_events[e].name,
                                json_integer(before + (json_int_t)self->counts[b][e]));
        }
    }
    return all;
}

machine_run run_machine(const run_request *request)
{
    sorted_sets sorted;
    char *error;
    machine_run run = {0};
    traffic *seen = traffic_new();
    event_counts events = {.tracer = {.record = count_event}};
    events.tracer.context = &events;
    sort_sets(request->sets, &sorted);
    const hd_machine_setup setup = {.netlist = request->netlist,
                                    .overrides = sorted.overrides,
                                    .override_count = sorted.override_count,
                                    .app = request->app,
                                    .options = sorted.options,
                                    .option_count = sorted.option_count,
                                    .check_transactions = request->check_transactions,
                                    .check_memory = request->check_memory,
                                    .check_races = request->check_races,
                                    .seed = request->seed ? request->seed : 1,
                                    .more = request->more,
                                    .tlm = request->tlm,
                                    .sent = traffic_sent,
                                    .tracer = request->is_traced ? &events.tracer : NULL,
                                    .sent_context = seen};
    hd_machine *machine = hd_machine_open(&setup, &error);
    if (!machine) {
        run.was_refused = 1;
        run.message = error;
        traffic_free(seen);
        return run;
    }
    traffic_watch(seen, machine);
    hd_engine_disturb(hd_machine_engine(machine), request->disturbance);
    run.outcome = hd_machine_run(machine, NULL);
    run.time = hd_machine_time(machine);
    run.message = strdup(hd_machine_message(machine));
    measure(machine, seen, &run);
    if (request->is_traced)
        run.traced = event_counts_json(&events, hd_machine_engine(machine));
    free(events.counts);
    hd_machine_close(machine);
    traffic_free(seen);
    return run;
}

void run_free(machine_run *run)
{
    json_decref(run->results);
    json_decref(run->measures);
    json_decref(run->traced);
    free(run->message);
}
