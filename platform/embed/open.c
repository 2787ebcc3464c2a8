/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "session.h"

#define STANDARD_GRAIN 100000u /* ps */
#define STANDARD_STACK 4096u

static void destroy(session *s)
{
    hd_machine_close(s->machine);
    observe_end(s);
    app_options_free(&s->app_options);
    maps_forget(s);
    session_drop_lines(s);
    for (uint32_t i = 0; i < s->event_count; i++)
        host_mark_release(s->events[i].mark);
    for (uint32_t i = 0; i < s->report_count; i++)
        free((char *)(uintptr_t)s->reports[i].name);
    statistics_end(s);
    heap_release(&s->heap);
    free(s->events);
    free(s->kernels);
    free(s->programs);
    free(s->moments);
    free(s->reports);
    free(s->results);
    free(s->name);
    arena_free(&s->texts);
    free(s);
}

static heddle_error open_machine(session *s, const heddle_settings *settings, hd_machine_setup *setup)
{
    char *error;
    netlist_plugin_request *plugins = calloc(settings->plugin_count + 1, sizeof *plugins);
    if (!plugins)
        return fail_memory();
    for (size_t i = 0; i < settings->plugin_count; i++)
        plugins[i] =
            (netlist_plugin_request){.where = "heddle_open", .before = "plugin ", .path = settings->plugins[i]};
    setup->plugins = plugins;
    setup->plugin_count = settings->plugin_count;
    s->machine = hd_machine_open(setup, &error);
    free(plugins);
    if (!s->machine)
        return fail_text(HEDDLE_ERROR_NETLIST, error);
    if (setup->driven) {
        hd_machine_set_heap(s->machine, &s->heap);
        s->driver = hd_machine_driver(s->machine);
    }
    return HEDDLE_OK;
}

/* As a host program does first (runtime_memory.c). */
static heddle_error identify(session *s)
{
    static const uint32_t registers[] = {HD_REGISTER_IDENTIFICATION, HD_REGISTER_VERSION, HD_REGISTER_QUEUES,
                                         HD_REGISTER_MEMORY_PAGES};
    uint32_t values[4] = {0};
    heddle_error error = HEDDLE_OK;
    for (uint32_t i = 0; i < 4 && !error; i++)
        error = session_read(s, &values[i], HD_HOST_MMIO_BASE + registers[i], 4);
    if (error)
        return error;
    if (values[0] != HD_IDENTIFICATION || values[1] != HD_QUEUE_VERSION)
        return fail(HEDDLE_ERROR_DEVICE,
                    "there is no device of version %u behind the host's bus: identification 0x%08x, version %u",
                    HD_QUEUE_VERSION, values[0], values[1]);
    s->device_queues = values[2] & ~HD_QUEUES_COPY;
    s->has_copies = (values[2] & HD_QUEUES_COPY) != 0;
    s->heap.begin = HD_GLOBAL_BASE;
    s->memory_bytes = values[3] * UINT64_C(4096);
    s->heap.end = HD_GLOBAL_BASE + s->memory_bytes;
    return HEDDLE_OK;
}

static heddle_error begin(session *s, const heddle_settings *settings)
{
    hd_machine_setup setup;
    s->callbacks = settings->callbacks;
    s->patience = settings->patience;
    s->grain = settings->grain ? settings->grain : STANDARD_GRAIN;
    s->seed = settings->seed ? settings->seed : 1;
    s->stack_bytes = STANDARD_STACK;
    s->statistics_time = HD_NEVER;
    s->is_busy = 1; /* callbacks do not get in either */
    if (settings->name && !(s->name = strdup(settings->name)))
        return fail_memory();
    heddle_error error = settings_fill(s, settings, &setup);
    if (!error)
        error = observe_begin(s, settings, &setup);
    if (!error)
        error = open_machine(s, settings, &setup);
    if (!error)
        error = observe_check(s, &setup);
    if (!error)
        error = statistics_begin(s);
    return error || !s->driver ? error : identify(s);
}

heddle_error heddle_open(const heddle_settings *settings, heddle_machine **machine)
{
    if (!machine)
        return fail_null("heddle_open", "machine");
    *machine = NULL;
    if (!settings)
        return fail_null("heddle_open", "settings");
    heddle_settings whole;
    heddle_error error = settings_read(&whole, settings);
    if (error)
        return error;
    session *s = calloc(1, sizeof *s);
    if (!s)
        return fail_memory();
    error = begin(s, &whole);
    if (!error && !session_enter_table(s))
        error = fail(HEDDLE_ERROR_HOST_MEMORY, "heddle_open: too many machines are open");
    if (error) {
        destroy(s);
        return error;
    }
    *machine = handle_of(s, HANDLE_MACHINE, 0, 0);
    return session_leave(s, HEDDLE_OK);
}

heddle_error heddle_close(heddle_machine *machine)
{
    session *s;
    uint32_t index;
    heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    session_leave_table(s);
    error = trace_put_in_place(s);
    destroy(s);
    return error;
}

/* ---- Time ------------------------------------------------------------------------------------------------------------- */

heddle_error heddle_time(heddle_machine *machine, uint64_t *time)
{
    session *s;
    uint32_t index;
    if (!time)
        return fail_null(__func__, "time");
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    *time = hd_machine_time(s->machine);
    return session_leave(s, HEDDLE_OK);
}

static heddle_error advance(session *s, hd_time until)
{
    heddle_error error = session_state(s);
    uint64_t began = 0;
    while (!error && hd_machine_outcome(s->machine) == HD_OUTCOME_GOING && hd_machine_stands_at(s->machine) < until) {
        error = session_step(s, hd_machine_is_idle(s->machine)
                                    ? until
                                    : hd_earlier(until, hd_machine_quiet_until(s->machine, s->grain)));
        if (!error && hd_machine_stands_at(s->machine) < until)
            error = session_be_patient(s, &began);
    }
    return error;
}

heddle_error heddle_advance_until(heddle_machine *machine, uint64_t time)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    const hd_time now = hd_machine_time(s->machine);
    if (time < now)
        return session_leave(s, fail(HEDDLE_ERROR_TIME, "%s: %llu ps have passed, it is %llu ps", __func__,
                                     (unsigned long long)time, (unsigned long long)now));
    return session_leave(s, advance(s, time));
}

heddle_error heddle_advance_for(heddle_machine *machine, uint64_t duration)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    const hd_time now = hd_machine_time(s->machine);
    return session_leave(s, advance(s, duration < HD_NEVER - 1 - now ? now + duration : HD_NEVER - 1));
}

static uint32_t is_idle(session *s, uint32_t unused)
{
    (void)unused;
    return hd_machine_is_idle(s->machine);
}

heddle_error heddle_advance_until_idle(heddle_machine *machine)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    return error ? error : session_leave(s, session_wait(s, is_idle, 0));
}
