/* SPDX-License-Identifier: MIT */
/* What a machine is watched with: a trace, a series, a profile. */
#include <stdlib.h>
#include <string.h>

#include "machine_trace.h"
#include "output_file.h"
#include "session.h"

/* ---- Opening -------------------------------------------------------------------------------------------------------------- */

/* A copy of the texts, of which the recorder borrows. */
static const char *const *keep_texts(session *s, const char *const *texts, size_t count)
{
    const char **copy = arena_alloc(&s->texts, (count + 1) * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_copy(&s->texts, texts[i], strlen(texts[i]));
    return copy;
}

static hd_recorder_options recorder_options(session *s, const heddle_trace *trace)
{
    const hd_recorder_options options = {
        .machine = s->trace_name,
        .perfetto = trace->perfetto ? arena_copy(&s->texts, trace->perfetto, strlen(trace->perfetto)) : NULL,
        .vcd = trace->vcd ? arena_copy(&s->texts, trace->vcd, strlen(trace->vcd)) : NULL,
        .units = keep_texts(s, trace->units, trace->unit_count),
        .unit_count = trace->unit_count,
        .events = keep_texts(s, trace->events, trace->event_count),
        .event_count = trace->event_count,
        .kernels = keep_texts(s, trace->kernels, trace->kernel_count),
        .kernel_count = trace->kernel_count,
        .from = trace->from,
        .to = trace->to ? trace->to : HD_NEVER,
        .limit = trace->limit == UINT64_MAX ? 0
                 : trace->limit             ? trace->limit
                                            : HD_RECORDER_LIMIT_STANDARD,
        .picoseconds = trace->picoseconds};
    return options;
}

static heddle_error check_files(const hd_recorder_options *options)
{
    char *error;
    const output_name names[] = {{"settings.trace.perfetto", options->perfetto}, {"settings.trace.vcd", options->vcd}};
    if (hd_recorder_check(options, &error) && output_names_check(names, 2, &error))
        return HEDDLE_OK;
    return fail_text(HEDDLE_ERROR_FILE, error);
}

static heddle_error begin_trace(session *s, const heddle_settings *settings, hd_machine_setup *setup)
{
    if (!settings->trace.perfetto && !settings->trace.vcd)
        return HEDDLE_OK;
    s->trace_name = hd_machine_trace_name(settings->netlist);
    if (!s->trace_name)
        return fail_memory();
    const hd_recorder_options options = recorder_options(s, &settings->trace);
    const heddle_error error = check_files(&options);
    if (!error)
        s->recorder = hd_machine_trace_prepare(&options, setup, &s->series);
    return error;
}

heddle_error observe_begin(session *s, const heddle_settings *settings, hd_machine_setup *setup)
{
    s->series = (hd_series_setup){.interval = settings->series,
                                  .patterns = settings->series_statistics,
                                  .pattern_count = settings->series_statistic_count};
    setup->series = settings->series ? &s->series : NULL;
    setup->profile = settings->profile != 0;
    s->profile = setup->profile && setup->driven;
    return begin_trace(s, settings, setup);
}

heddle_error observe_check(session *s, const hd_machine_setup *setup)
{
    const char *what, *useless = hd_machine_trace_begin(s->recorder, setup, s->machine, &what);
    if (!useless)
        return HEDDLE_OK;
    return fail(HEDDLE_ERROR_ARGUMENT, "heddle_open: settings.trace.%ss: '%s': the machine has no %s of this name",
                what, useless, strcmp(what, "unit") ? "trace event" : "unit or track");
}

void observe_end(session *s)
{
    hd_recorder_destroy(s->recorder);
    free(s->trace_name);
}

/* ---- Asked for ------------------------------------------------------------------------------------------------------------ */

heddle_error trace_put_in_place(session *s)
{
    char *note, *error;
    if (!s->recorder || s->trace_has_ended)
        return HEDDLE_OK;
    s->trace_has_ended = 1;
    hd_recorder_finish(s->recorder, hd_engine_now(hd_machine_engine(s->machine)), &note, &error);
    free(note);
    return error ? fail_text(HEDDLE_ERROR_FILE, error) : HEDDLE_OK;
}

heddle_error heddle_trace_end(heddle_machine *machine)
{
    session *s;
    uint32_t index;
    heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    if (!s->recorder || s->trace_has_ended)
        error =
            fail(HEDDLE_ERROR_ARGUMENT, "%s: the machine is not traced%s", __func__, s->recorder ? " any more" : "");
    else
        error = trace_put_in_place(s);
    return session_leave(s, error);
}

heddle_error heddle_series(heddle_machine *machine, const char **text)
{
    session *s;
    uint32_t index;
    if (!text)
        return fail_null(__func__, "text");
    *text = NULL;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    *text = hd_machine_series(s->machine);
    return session_leave(
        s, *text ? HEDDLE_OK : fail(HEDDLE_ERROR_ARGUMENT, "%s: settings.series of the machine was NULL", __func__));
}
