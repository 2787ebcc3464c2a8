/* SPDX-License-Identifier: MIT */
/* What heddle_open is asked for, and what it asks of the machine. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

#define FUNCTION "heddle_open"
#define APP_PREFIX "app."
#define OLDEST_BYTES offsetof(heddle_settings, app)

/* ---- Checked -------------------------------------------------------------------------------------------------------------- */

typedef struct text_list {
    const char *name;
    const char *const *texts;
    size_t count;
} text_list;

static heddle_error check_list(const text_list *list)
{
    if (list->count && !list->texts)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: settings.%s is NULL", FUNCTION, list->name);
    for (size_t i = 0; i < list->count; i++)
        if (!list->texts[i])
            return fail(HEDDLE_ERROR_ARGUMENT, "%s: one of settings.%s is NULL", FUNCTION, list->name);
    return HEDDLE_OK;
}

/* What is said of what is not asked for is a mistake. */
static heddle_error check_observed(const heddle_settings *settings)
{
    const heddle_trace *trace = &settings->trace;
    const uint32_t is_traced = trace->perfetto || trace->vcd;
    if (settings->tlm > HEDDLE_TLM_CHECKED)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: settings.tlm is %u, no HEDDLE_TLM_*", FUNCTION, settings->tlm);
    if (settings->series_statistic_count && !settings->series)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: settings.series_statistics without settings.series", FUNCTION);
    if (!is_traced && (trace->unit_count || trace->event_count || trace->kernel_count || trace->from || trace->to ||
                       trace->limit || trace->picoseconds))
        return fail(HEDDLE_ERROR_ARGUMENT,
                    "%s: settings.trace says what to trace, but neither its perfetto nor its vcd where to write it",
                    FUNCTION);
    if (trace->to && trace->from >= trace->to)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: settings.trace.to, %llu ps, is not after settings.trace.from, %llu ps",
                    FUNCTION, (unsigned long long)trace->to, (unsigned long long)trace->from);
    if (trace->picoseconds && !trace->perfetto)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: settings.trace.picoseconds is about perfetto, which is NULL", FUNCTION);
    return HEDDLE_OK;
}

static heddle_error check_settings(const heddle_settings *settings)
{
    if (!settings->netlist)
        return fail_null(FUNCTION, "settings.netlist");
    heddle_error error = HEDDLE_OK;
    const text_list lists[] = {{"overrides", settings->overrides, settings->override_count},
                               {"plugins", settings->plugins, settings->plugin_count},
                               {"series_statistics", settings->series_statistics, settings->series_statistic_count},
                               {"trace.units", settings->trace.units, settings->trace.unit_count},
                               {"trace.events", settings->trace.events, settings->trace.event_count},
                               {"trace.kernels", settings->trace.kernels, settings->trace.kernel_count}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !error; i++)
        error = check_list(&lists[i]);
    if (error)
        return error;
    if (settings->checks & ~(HEDDLE_CHECK_MEMORY | HEDDLE_CHECK_RACES))
        return fail(HEDDLE_ERROR_ARGUMENT,
                    "%s: settings.checks is 0x%x, of which only HEDDLE_CHECK_MEMORY and "
                    "HEDDLE_CHECK_RACES are known",
                    FUNCTION, settings->checks);
    if (settings->threads > HD_THREADS_MAX)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: %u threads, at most %u are allowed", FUNCTION, settings->threads,
                    HD_THREADS_MAX);
    return check_observed(settings);
}

heddle_error settings_read(heddle_settings *whole, const heddle_settings *given)
{
    const size_t bytes = given->struct_bytes;
    *whole = (heddle_settings){0};
    if (bytes < OLDEST_BYTES || bytes > sizeof *whole || bytes % sizeof(void *))
        return fail(HEDDLE_ERROR_ARGUMENT,
                    "%s: settings.struct_bytes is %zu, this library's heddle_settings has %zu, that of its first "
                    "version had %zu",
                    FUNCTION, bytes, sizeof *whole, OLDEST_BYTES);
    memcpy(whole, given, bytes);
    return check_settings(whole);
}

/* ---- Filled in ------------------------------------------------------------------------------------------------------------ */

/* "app.n=4096" is an option of the app, if there is one; else an override of the machine. */
static heddle_error share_override(session *s, const heddle_settings *settings, const char *text)
{
    const size_t prefix = strlen(APP_PREFIX);
    if (!settings->app || strncmp(text, APP_PREFIX, prefix) != 0) {
        s->overrides[s->override_count++] = text;
        return HEDDLE_OK;
    }
    char *name = arena_copy(&s->texts, text + prefix, strlen(text + prefix)), *equals = strchr(name, '=');
    if (!equals || equals == name)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: override '%s': it must be app.NAME=VALUE", FUNCTION, text);
    *equals = '\0';
    s->options[s->option_count++] = (hd_host_option){.name = name, .value = equals + 1};
    return HEDDLE_OK;
}

static heddle_error share_overrides(session *s, const heddle_settings *settings)
{
    heddle_error error = HEDDLE_OK;
    s->overrides = arena_alloc(&s->texts, (settings->override_count + 1) * sizeof *s->overrides);
    s->options = arena_alloc(&s->texts, (settings->override_count + 1) * sizeof *s->options);
    for (size_t i = 0; i < settings->override_count && !error; i++)
        error = share_override(s, settings, settings->overrides[i]);
    return error;
}

/* Against what the app declares. */
static heddle_error read_options(session *s)
{
    char *said = NULL;
    size_t bytes;
    FILE *out = open_memstream(&said, &bytes);
    if (!out)
        return fail_memory();
    const int refused = app_options_read(&s->app_options, out, s->app, s->options, s->option_count);
    fclose(out);
    if (refused)
        return fail_text(HEDDLE_ERROR_NETLIST, said);
    free(said);
    return HEDDLE_OK;
}

heddle_error settings_fill(session *s, const heddle_settings *settings, hd_machine_setup *setup)
{
    const uint32_t has_program = settings->app || settings->firmware;
    heddle_error error = share_overrides(s, settings);
    s->app = settings->app ? arena_copy(&s->texts, settings->app, strlen(settings->app)) : NULL;
    if (!error && s->app)
        error = read_options(s);
    s->checks_memory = (settings->checks & HEDDLE_CHECK_MEMORY) != 0;
    s->tlm = (hd_tlm_options){.threads = settings->threads,
                              .always = settings->tlm != HEDDLE_TLM_AUTO,
                              .checked = settings->tlm == HEDDLE_TLM_CHECKED};
    *setup = (hd_machine_setup){.netlist = settings->netlist,
                                .overrides = s->overrides,
                                .override_count = s->override_count,
                                .app = s->app,
                                .firmware = settings->firmware,
                                .options = s->app_options.given,
                                .option_count = s->app_options.given_count,
                                .seed = s->seed,
                                .check_memory = settings->checks & HEDDLE_CHECK_MEMORY,
                                .check_races = settings->checks & HEDDLE_CHECK_RACES,
                                .driven = !has_program,
                                .stepped = has_program,
                                .tlm = s->tlm,
                                .print = session_keep_print,
                                .log = session_keep_log,
                                .context = s};
    return error;
}
