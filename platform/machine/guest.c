/* SPDX-License-Identifier: MIT */
/* A machine whose simulation is somebody else's: it is looked at when it has moved, and ends when that simulation does. */
#include "machine_internal.h"

#include <stdlib.h>

#include "app.h"
#include "engine_link.h"
#include "program_check.h"
#include "results.h"

/* Not more often than this, while it moves: judging costs. */
#define STRETCH_PS UINT64_C(2000000)

static uint32_t conclude(hd_machine *machine, uint32_t outcome)
{
    hd_time t;
    char time[HD_TEXT_TIME_BYTES];
    const char *fault = hd_engine_fault(machine->engine, &t, NULL);
    machine->outcome = outcome;
    free(machine->message);
    if (outcome == HD_OUTCOME_FAULT)
        machine->message = hd_text_format("%s (at %s)", fault, hd_text_time(time, t));
    else
        machine->message = hang_describe(machine);
    hd_tlm_retire(machine->systemc);
    return machine->outcome;
}

/* What lies before is done; it may have run ahead. */
static void stand_at(hd_engine *engine, hd_time now)
{
    if (now > hd_engine_now(engine) && hd_engine_next(engine) >= now && !hd_engine_fault(engine, NULL, NULL))
        hd_engine_settle(engine, now);
}

/* Is it asleep with work left? */
static uint32_t is_stuck(hd_engine *engine)
{
    hd_engine_set_outside_next(engine, HD_NEVER);
    return hd_engine_status(engine, 0) == HD_RUN_DEADLOCK;
}

uint32_t hd_machine_look(hd_machine *machine, hd_time now, hd_time *again)
{
    hd_engine *engine = machine->engine;
    const hd_time patience = machine->netlist->watchdog;
    *again = HD_NEVER;
    if (machine->outcome != HD_OUTCOME_GOING)
        return machine->outcome;
    if (hd_engine_fault(engine, NULL, NULL))
        return conclude(machine, HD_OUTCOME_FAULT);
    const hd_time next = hd_engine_next(engine);
    if (next != HD_NEVER && now < machine->time + STRETCH_PS)
        return HD_OUTCOME_GOING;
    stand_at(engine, now);
    program_check_drain(machine->program_check);
    machine->time = now;
    if (machine->is_idle)
        machine->resumed = now; /* idle time is nobody's fault */
    machine->is_idle = next == HD_NEVER && !is_stuck(engine);
    if (!patience || machine->is_idle)
        return HD_OUTCOME_GOING;
    /* Nobody knows what the owner of the simulation may still do: it is given the time that it takes to lose patience. */
    hd_engine_set_outside_next(engine, now + 1);
    const uint32_t status = hd_engine_status(engine, patience);
    const hd_time until = hd_engine_patient_until(engine, patience), resumed = machine->resumed + patience + 1;
    if (status == HD_RUN_LIVELOCK && now >= resumed)
        return conclude(machine, HD_OUTCOME_LIVELOCK);
    if (next == HD_NEVER)
        *again = until > resumed ? until : resumed;
    return HD_OUTCOME_GOING;
}

uint32_t hd_machine_check_results(const char *path, char **error)
{
    return hd_results_file_check(path, error);
}

uint32_t hd_machine_write_results(const hd_machine *machine, const char *path, char **error)
{
    hd_results results;
    hd_machine_results(machine, &results);
    results.host.tlm = "module";
    results.host.threads = 1;
    return hd_results_file_write(path, &results, error);
}

/* The file is not needed any more when it has been decoded. */
uint32_t hd_machine_load_kernels(hd_machine *machine, const char *path, char **error)
{
    char refusal[512];
    size_t bytes;
    uint8_t *elf = hd_app_read(path, &bytes, error);
    if (!elf)
        return 0;
    const uint32_t module = hd_program_registry_load(machine->programs, elf, bytes, refusal, sizeof refusal);
    free(elf);
    if (module == HD_NO_MODULE)
        *error = hd_text_format("error: kernels %s: %s\n", path, refusal);
    return module != HD_NO_MODULE;
}

uint32_t hd_machine_leave(hd_machine *machine, hd_time now)
{
    hd_engine *engine = machine->engine;
    stand_at(engine, now);
    machine->time = now;
    hd_statistics_finish(machine->statistics, now);
    if (machine->outcome == HD_OUTCOME_GOING)
        return is_stuck(engine) || hd_engine_next(engine) != HD_NEVER ? conclude(machine, HD_OUTCOME_DEADLOCK)
                                                                      : (machine->outcome = HD_OUTCOME_PASS);
    return machine->outcome;
}
