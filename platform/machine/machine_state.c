/* SPDX-License-Identifier: MIT */
#include "machine_state.h"

#include <stdlib.h>

#include "host.h"

/* ---- What cannot be saved -------------------------------------------------------------------------------------------- */

/* Beside blocks. */
static const char *refused_part(const hd_machine *machine, const hd_machine_setup *setup)
{
    if (machine->systemc)
        return "it is a SystemC simulation, with models from elsewhere or by --tlm";
    if (machine->driver || setup->guest)
        return "its host program is outside of the simulator";
    if (setup->tracer)
        return "the run is traced (--trace, --vcd)";
    if (machine->check || machine->program_check)
        return "what checks have seen is not saved (--check-memory, --check-races, --check-tx)";
    if (setup->profile)
        return "counts by place in the program are not saved (--profile)";
    return machine->beside_count ? "several apps run (--with)" : NULL;
}

static uint32_t is_possible(const hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    hd_text lines = {0};
    const hd_text_sink sink = hd_text_lines(&lines);
    const char *part = refused_part(machine, setup);
    if (!part && !hd_engine_state_refused(machine->engine, &sink))
        return 1;
    char *blocks = hd_text_take(&lines);
    *error = hd_text_format("error: %s: no checkpoint can be made or resumed: %s%s", machine->netlist->file,
                            part ? part : blocks, part ? "\n" : "");
    free(blocks);
    return 0;
}

/* ---- Both directions ------------------------------------------------------------------------------------------------- */

static void save(hd_machine *machine, hd_time until)
{
    state_bytes bytes = {0};
    machine->is_saved = 1;
    const hd_state_stream stream = state_bytes_saved_by(&bytes);
    hd_state_number(&stream, until);
    hd_state_number(&stream, machine->kernel_ends);
    hd_engine_save(machine->engine, &bytes);
    hd_statistics_transfer(machine->statistics, &stream);
    hd_state_number(&stream, machine->series != NULL);
    if (machine->series)
        hd_series_transfer(machine->series, &stream);
    machine->checkpoint->save(machine->checkpoint->context, hd_engine_now(machine->engine), &bytes);
    state_bytes_release(&bytes);
}

static uint32_t refuse(const hd_machine *machine, char **error, char *lines)
{
    *error = hd_text_format("error: %s: the checkpoint is of another machine: %s", machine->netlist->file, lines);
    free(lines);
    return 0;
}

static uint32_t restore_engine(hd_machine *machine, state_bytes *bytes, char **error)
{
    hd_text lines = {0};
    const hd_text_sink sink = hd_text_lines(&lines);
    if (hd_engine_restore(machine->engine, bytes, &sink))
        return refuse(machine, error, hd_text_take(&lines));
    const char *fault = hd_engine_fault(machine->engine, NULL, NULL);
    if (fault)
        *error = hd_text_format("error: %s\n", fault);
    return !fault;
}

static uint32_t restore_series(hd_machine *machine, const hd_state_stream *stream, char **error)
{
    const uint64_t was_there = hd_state_number(stream, 0);
    if (!machine->series || (was_there && hd_series_transfer(machine->series, stream)))
        return 1;
    *error = hd_text_format("error: --series: the run that made the checkpoint had %s\n",
                            was_there ? "other intervals or statistics" : "none");
    return 0;
}

static uint32_t restore(hd_machine *machine, char **error)
{
    state_bytes *bytes = machine->checkpoint->from;
    const hd_state_stream stream = state_bytes_restored_from(bytes);
    machine->resumed_until = hd_state_number(&stream, 0);
    machine->kernel_ends = (uint32_t)hd_state_number(&stream, 0);
    if (!restore_engine(machine, bytes, error))
        return 0;
    hd_statistics_transfer(machine->statistics, &stream);
    if (!restore_series(machine, &stream, error))
        return 0;
    machine->time = hd_engine_now(machine->engine);
    machine->next = hd_engine_next(machine->engine);
    return 1;
}

/* ---- The run --------------------------------------------------------------------------------------------------------- */

void machine_state_prepare(hd_machine *machine, const hd_machine_setup *setup)
{
    machine->checkpoint = setup->checkpoint;
    if (machine->checkpoint && machine->app.library)
        hd_host_native_keep_record(machine->host);
}

uint32_t machine_state_begin(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    if (!machine->checkpoint)
        return 1;
    return is_possible(machine, setup, error) && (!machine->checkpoint->from || restore(machine, error));
}

hd_time machine_state_due(const hd_machine *machine)
{
    const hd_machine_checkpoint *checkpoint = machine->checkpoint;
    return checkpoint && checkpoint->save && !machine->is_saved && !checkpoint->kernels ? checkpoint->at : HD_NEVER;
}

static uint32_t has_enough_kernels(const hd_machine *machine)
{
    const hd_machine_checkpoint *checkpoint = machine->checkpoint;
    return checkpoint && checkpoint->save && !machine->is_saved && checkpoint->kernels &&
           machine->kernel_ends >= checkpoint->kernels;
}

void machine_state_kernel_end(hd_machine *machine)
{
    machine->kernel_ends++;
    if (has_enough_kernels(machine))
        hd_engine_pause(machine->engine);
}

uint32_t machine_state_was_kernel(hd_machine *machine, hd_time until)
{
    const uint32_t is_due = has_enough_kernels(machine);
    if (is_due)
        save(machine, until);
    return is_due;
}

void machine_state_was_time(hd_machine *machine, hd_time t, hd_time until)
{
    if (t >= machine_state_due(machine))
        save(machine, until);
}
