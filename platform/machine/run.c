/* SPDX-License-Identifier: MIT */
#include "machine_internal.h"

#include "driver.h"
#include "host_side.h"
#include "machine_state.h"
#include "program_check.h"
#include "sampling.h"
#include "simulation.h"
#include "transactions_check.h"

#include <stdlib.h>
#include <string.h>

#define GOING HD_OUTCOME_GOING

static const char *const outcome_names[] = {
    [HD_OUTCOME_PASS] = "pass",
    [HD_OUTCOME_FAIL] = "fail",
    [HD_OUTCOME_ERROR] = "error",
    [HD_OUTCOME_FAULT] = "fault",
    [HD_OUTCOME_DEADLOCK] = "deadlock",
    [HD_OUTCOME_LIVELOCK] = "livelock",
    [HD_OUTCOME_LIMIT] = "limit",
    [HD_OUTCOME_INTERRUPTED] = "interrupted",
    [HD_OUTCOME_SIMT_DEADLOCK] = "simt_deadlock",
    [HD_OUTCOME_STOPPED] = "stopped",
};

const char *hd_outcome_name(uint32_t outcome)
{
    return outcome < sizeof outcome_names / sizeof *outcome_names ? outcome_names[outcome] : "?";
}

static uint32_t judge_program(const hd_machine *machine)
{
    if (!machine->has_app)
        return GOING;
    switch (machine->progress->status(machine->host)) {
    case HD_HOST_PASS: return HD_OUTCOME_PASS;
    case HD_HOST_FAIL: return HD_OUTCOME_FAIL;
    case HD_HOST_ERROR: return HD_OUTCOME_ERROR;
    default: return GOING;
    }
}

/* A program outside that asks for nothing, or has to say something first, is not there to see what a model does. */
uint32_t run_is_over(void *context)
{
    const hd_machine *machine = context;
    if (machine->driver)
        return !host_driver_has_work(machine->driver) || host_driver_awaits_owner(machine->driver);
    return judge_program(machine) != GOING;
}

/* A model has called sc_stop. If it is the host, or there is none, it is its right to say when all is done. */
static uint32_t judge_stop(const hd_machine *machine)
{
    return (machine->has_app && !machine->has_foreign_cpu) || machine->driver ? HD_OUTCOME_STOPPED : HD_OUTCOME_PASS;
}

/* next: when anything moves again, foreign models included. */
static uint32_t judge(hd_machine *machine, hd_time next)
{
    hd_engine *engine = machine->engine;
    uint32_t outcome = judge_program(machine);
    if (outcome != GOING)
        return outcome;
    const uint32_t status = hd_engine_status(engine, machine->netlist->watchdog);
    if (status != HD_RUN_FAULT && simulation_stopped_at(machine) != HD_NEVER)
        return judge_stop(machine);
    switch (status) {
    case HD_RUN_FAULT: return HD_OUTCOME_FAULT;
    case HD_RUN_LIVELOCK: return HD_OUTCOME_LIVELOCK;
    case HD_RUN_GOING: break;
    default:
        if (next == HD_NEVER && status == HD_RUN_DONE && machine->driver)
            break;
        if (next == HD_NEVER)
            return status == HD_RUN_DONE && !machine->has_app ? HD_OUTCOME_PASS : HD_OUTCOME_DEADLOCK;
    }
    return machine->time >= machine->limit ? HD_OUTCOME_LIMIT : GOING;
}

/* The next multiple; or the last before something moves or has to be judged: none in between would tell anything new. */
hd_time hd_machine_quiet_until(const hd_machine *machine, hd_time step)
{
    const hd_engine *engine = machine->engine;
    const hd_time judged = hd_engine_patient_until(engine, machine->netlist->watchdog);
    hd_time until = machine->time / step * step + step;
    if (machine->next > until + step && machine->next != HD_NEVER) {
        const hd_time quiet = hd_earlier(machine->next, judged);
        until += quiet > until ? (quiet - until) / step * step : 0;
    }
    return hd_earlier(until, machine->limit);
}

/* Everything before `until` is done and every sample taken, or there is a fault; returns when something moves again. */
static hd_time run_until(hd_machine *machine, hd_time until)
{
    hd_engine *engine = machine->engine;
    for (;;) {
        const hd_time due = hd_series_due(machine->series), looks = sampling_due(machine->sampling);
        const hd_time stop = hd_earlier(hd_earlier(until, machine_state_due(machine)), hd_earlier(due, looks));
        const hd_time next = simulation_run(machine, stop);
        if (hd_engine_fault(engine, NULL, NULL) || simulation_is_interrupted(machine))
            return next;
        if (machine_state_was_kernel(machine, until))
            continue;
        hd_engine_settle(engine, stop);
        program_check_drain(machine->program_check);
        if (stop == due)
            hd_series_sample(machine->series, stop);
        machine_state_was_time(machine, stop, until);
        if (stop == looks)
            sampling_step(machine->sampling, stop);
        if (stop == until)
            return sampling_next(machine->sampling, next);
    }
}

/* Nothing is judged but faults. */
static uint32_t come_to(hd_machine *machine, hd_time until)
{
    const hd_time next = run_until(machine, until);
    if (hd_engine_fault(machine->engine, &machine->time, NULL))
        return HD_OUTCOME_FAULT;
    machine->next = next;
    if (simulation_is_interrupted(machine)) {
        machine->time = hd_engine_now(machine->engine);
        return HD_OUTCOME_INTERRUPTED;
    }
    machine->time = until;
    return GOING;
}

static uint32_t stretch(hd_machine *machine, hd_time until)
{
    const uint32_t outcome = come_to(machine, until);
    return outcome == GOING ? judge(machine, machine->next) : outcome;
}

static char *describe_fault(hd_machine *machine)
{
    hd_time t;
    uint32_t block;
    hd_engine *engine = machine->engine;
    char time[HD_TEXT_TIME_BYTES];
    const char *text = hd_engine_fault(engine, &t, &block);
    return hd_text_format("%s\n  reported by %s at %s", text,
                          block == HD_NO_BLOCK ? "the platform" : hd_engine_block_name(engine, block),
                          hd_text_time(time, t));
}

/* A program may fail without a word: an error is never empty. */
static char *describe_program(const hd_machine *machine)
{
    const char *text = machine->has_app ? machine->progress->message(machine->host) : "";
    if (*text || machine->outcome == HD_OUTCOME_PASS)
        return hd_text_format("%s", text);
    return hd_text_format("the program ended with failure and gave no reason");
}

static char *describe(hd_machine *machine)
{
    switch (machine->outcome) {
    case HD_OUTCOME_FAULT: return describe_fault(machine);
    case HD_OUTCOME_DEADLOCK:
    case HD_OUTCOME_LIVELOCK:
    case HD_OUTCOME_LIMIT:
    case HD_OUTCOME_STOPPED:
    case HD_OUTCOME_INTERRUPTED: return hang_describe(machine);
    default: return describe_program(machine);
    }
}

/* What checks have found and not told yet goes before why the run ended, which may come of it. */
static void add_findings(hd_machine *machine)
{
    program_check_drain(machine->program_check);
    char *found = program_check_text(machine->program_check);
    if (!found)
        return;
    char *message = *machine->message ? hd_text_format("%s%s", found, machine->message)
                                      : hd_text_format("%.*s", (int)strlen(found) - 1, found);
    free(found);
    free(machine->message);
    machine->message = message;
    if (machine->outcome <= HD_OUTCOME_ERROR)
        machine->outcome = HD_OUTCOME_FAULT;
}

static void end(hd_machine *machine, uint32_t outcome)
{
    machine->outcome = outcome;
    free(machine->message);
    machine->message = describe(machine);
    add_findings(machine);
}

static uint32_t next_stretch(hd_machine *machine)
{
    if (machine->time >= hot_places_from(machine))
        hot_places_begin(machine);
    return stretch(machine, hd_machine_quiet_until(machine, HD_MACHINE_STRETCH_PS));
}

/* Goes on for a little, to see where the program is. */
static uint32_t interrupt(hd_machine *machine)
{
    uint32_t outcome = GOING;
    const double began = hot_places_clock();
    if (host_side_is_abandoned(machine))
        return HD_OUTCOME_INTERRUPTED;
    hot_places_begin(machine);
    while (outcome == GOING && hot_places_go_on(machine, began))
        outcome = next_stretch(machine);
    return outcome == GOING ? HD_OUTCOME_INTERRUPTED : outcome;
}

/* Kernels that end shortly before the program end at a rendezvous after it, where they are checked: what was wrong there explains results
 * that are. */
static uint32_t await_kernel_ends(hd_machine *machine, uint32_t ended)
{
    uint32_t outcome = ended;
    while (outcome == ended && hd_engine_rendezvous_asked(machine->engine, HD_RENDEZVOUS_KERNEL_END))
        outcome = stretch(machine, machine->time + HD_MACHINE_STRETCH_PS);
    return outcome;
}

/* The run is over, and nothing is simulated any more. */
static uint32_t finish(hd_machine *machine, uint32_t outcome)
{
    if (outcome == HD_OUTCOME_PASS || outcome == HD_OUTCOME_FAIL)
        outcome = await_kernel_ends(machine, outcome);
    simulation_end(machine, outcome == HD_OUTCOME_PASS);
    if (outcome == HD_OUTCOME_PASS && hd_engine_fault(machine->engine, NULL, NULL))
        outcome = HD_OUTCOME_FAULT;
    end(machine, outcome);
    sampling_finish(machine->sampling, machine->time);
    hd_statistics_finish(machine->statistics, hd_machine_time(machine));
    hd_statistics_stand_at(machine->statistics, machine->time);
    if (machine->series)
        hd_series_sample(machine->series, machine->time);
    return machine->outcome;
}

uint32_t hd_machine_run(hd_machine *machine, const hd_machine_watch *watch)
{
    uint32_t outcome = machine->resumed_until ? stretch(machine, machine->resumed_until) : next_stretch(machine);
    while (outcome == GOING) {
        const uint32_t asked = watch ? watch->look(watch->context, machine) : HD_WATCH_GO_ON;
        outcome = asked == HD_WATCH_END       ? interrupt(machine)
                  : asked == HD_WATCH_END_NOW ? HD_OUTCOME_INTERRUPTED
                                              : next_stretch(machine);
    }
    return finish(machine, outcome);
}

/* A machine that is driven may stand idle for as long as its owner likes. Only what is under way must end. */
static void put_off_limit(hd_machine *machine, hd_time until)
{
    const hd_time standard = machine->netlist->limit;
    if (!machine->netlist->limit_is_standard || host_driver_has_work(machine->driver))
        return;
    machine->limit = until < HD_NEVER - 1 - standard ? until + standard : HD_NEVER - 1;
}

static uint32_t advance_driven(hd_machine *machine, hd_time until)
{
    put_off_limit(machine, until);
    const uint32_t outcome = stretch(machine, hd_earlier(until, machine->limit));
    if (outcome != GOING)
        end(machine, outcome);
    return machine->outcome;
}

/* Judged where hd_machine_run does it, however it is stepped. */
static uint32_t advance_stepped(hd_machine *machine, hd_time until)
{
    uint32_t outcome = GOING;
    while (outcome == GOING && machine->time < until) {
        const hd_time judged = hd_machine_quiet_until(machine, HD_MACHINE_STRETCH_PS);
        outcome = judged <= until ? stretch(machine, judged) : come_to(machine, until);
    }
    return outcome == GOING ? GOING : finish(machine, outcome);
}

uint32_t hd_machine_advance(hd_machine *machine, hd_time until)
{
    if (machine->outcome != GOING)
        return machine->outcome;
    return machine->driver ? advance_driven(machine, until) : advance_stepped(machine, until);
}

void hd_machine_set_heap(hd_machine *machine, const struct runtime_heap *heap)
{
    machine->heap = heap;
}

uint32_t hd_machine_is_idle(hd_machine *machine)
{
    return machine->next == HD_NEVER && hd_engine_status(machine->engine, 0) == HD_RUN_DONE;
}

void hd_machine_post(hd_machine *machine, uint32_t lane, struct host_operation *operation)
{
    host_driver_post(machine->driver, lane, operation);
    hd_machine_wake_driver(machine);
}

void hd_machine_wake_driver(hd_machine *machine)
{
    hd_engine_wake(machine->engine, machine->host_endpoint);
    machine->next = machine->time;
}
