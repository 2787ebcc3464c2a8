/* SPDX-License-Identifier: MIT */
/* Trace events (hd_trace.h): what blocks record comes out in order, whatever the windows are. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"
#include "probe.h"

#define LINES_MAX 256u

typedef struct listener {
    hd_engine *engine;
    char lines[LINES_MAX][96];
    uint32_t count;
    uint64_t events;           /* wanted */
    const char *unwanted;      /* path of a track */
    char paths[LINES_MAX][64]; /* of all tracks */
    uint32_t path_count;
} listener;

static void on_record(void *context, const hd_traced *traced)
{
    static const char *const forms[] = {"begin", "end", "instant", "counter", "flow"};
    listener *self = context;
    cr_assert_lt(self->count, LINES_MAX);
    snprintf(self->lines[self->count++], sizeof *self->lines, "%llu %s/%s %s %u %llu %llu",
             (unsigned long long)traced->t, hd_engine_block_name(self->engine, traced->block),
             hd_engine_track_name(self->engine, traced->block, traced->track), forms[traced->form], traced->event,
             (unsigned long long)traced->values[0], (unsigned long long)traced->values[1]);
}

static uint64_t on_events(void *context, hd_engine *engine, uint32_t block)
{
    (void)engine, (void)block;
    return ((listener *)context)->events;
}

static uint32_t on_track(void *context, hd_engine *engine, uint32_t block, uint32_t track, const char *path)
{
    listener *self = context;
    (void)engine, (void)block, (void)track;
    snprintf(self->paths[self->path_count++], sizeof *self->paths, "%s", path);
    return !self->unwanted || strcmp(path, self->unwanted) != 0;
}

typedef struct setting {
    listener listener;
    hd_tracer tracer;
    hd_engine *engine;
} setting;

static void set_up(setting *at)
{
    at->engine = at->listener.engine = hd_engine_create();
    at->listener.events = UINT64_MAX;
    at->tracer = (hd_tracer){.context = &at->listener, .record = on_record, .events = on_events, .track = on_track};
    hd_engine_observe(at->engine, &(hd_observer){.tracer = &at->tracer});
}

static void expect_lines(const setting *at, const char *const *lines)
{
    uint32_t i = 0;
    for (; lines[i]; i++)
        cr_expect_str_eq(i < at->listener.count ? at->listener.lines[i] : "nothing", lines[i], "line %u: '%s'", i,
                         i < at->listener.count ? at->listener.lines[i] : "nothing");
    cr_expect_eq(at->listener.count, i, "'%s' is one too many", at->listener.lines[i]);
}

/* Works at 0 and 3000 ps: a span that ends later, a level, an instant with an arrow. */
static hd_time works(probe *self, hd_time now, hd_time horizon)
{
    for (hd_time t = (now + 2999) / 3000 * 3000; t < horizon; t += 3000) {
        if (t > 3000)
            return HD_NEVER;
        hd_trace_begin(self->trace, PROBE_SLOT + 1, PROBE_WORK, t, t / 1000, 0x10);
        hd_trace_end(self->trace, PROBE_SLOT + 1, PROBE_WORK, t + 2500);
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, PROBE_LEVEL, t, t + 7);
        hd_trace_instant(self->trace, HD_TRACE_BLOCK, PROBE_POINT, t + 1, 5);
        hd_trace_flow(self->trace, PROBE_POINT, PROBE_ARROW, t + 1, HD_TRACE_FROM, 99);
    }
    return horizon <= 3000 ? 3000 : HD_NEVER;
}

static const char *const all_lines[] = {
    "0 a/slot[1] begin 0 0 16",    "0 a/a counter 2 7 0",         "0 b/slot[1] begin 0 0 16",
    "0 b/b counter 2 7 0",         "1 a/a instant 1 5 0",         "1 a/a flow 3 99 0",
    "1 b/b instant 1 5 0",         "1 b/b flow 3 99 0",           "2500 a/slot[1] end 0 0 0",
    "2500 b/slot[1] end 0 0 0",    "3000 a/slot[1] begin 0 3 16", "3000 a/a counter 2 3007 0",
    "3000 b/slot[1] begin 0 3 16", "3000 b/b counter 2 3007 0",   "3001 a/a instant 1 5 0",
    "3001 a/a flow 3 99 0",        "3001 b/b instant 1 5 0",      "3001 b/b flow 3 99 0",
    "5500 a/slot[1] end 0 0 0",    "5500 b/slot[1] end 0 0 0",    NULL};

static void run_two(setting *at, const probe_script *script, uint64_t disturbance, uint32_t threads)
{
    probe_add(at->engine, "a");
    probe_add(at->engine, "b");
    hd_engine_set_threads(at->engine, threads);
    probe_start(at->engine, script);
    hd_engine_disturb(at->engine, disturbance);
    hd_engine_run(at->engine, 10000);
    cr_expect_null(hd_engine_fault(at->engine, NULL, NULL), "%s", hd_engine_fault(at->engine, NULL, NULL));
}

static const probe_script working = {.advance = works};

Test(trace, events_come_out_by_time_then_block_then_order_of_the_calls)
{
    setting at = {0};
    set_up(&at);
    run_two(&at, &working, 0, 1);
    expect_lines(&at, all_lines);
    hd_engine_destroy(at.engine);
}

Test(trace, other_windows_and_threads_give_the_same)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        setting at = {0};
        set_up(&at);
        run_two(&at, &working, seed, 1 + seed % 2);
        expect_lines(&at, all_lines);
        hd_engine_destroy(at.engine);
    }
}

/* Nothing to do, but every 700 ps something to show. Calls end anywhere. */
static hd_time shows(probe *self, hd_time now, hd_time horizon)
{
    for (hd_time t = (now + 699) / 700 * 700; t < horizon; t += 700)
        hd_trace_instant(self->trace, HD_TRACE_BLOCK, PROBE_POINT, t, t);
    hd_trace_call_at(self->trace, (horizon + 699) / 700 * 700);
    return HD_NEVER;
}

/* One that works now and then, and one that shows something: it is called in time, and is no reason to go on. */
static hd_time works_or_shows(probe *self, hd_time now, hd_time horizon)
{
    if (self->services->name[0] == 'b')
        return shows(self, now, horizon);
    const hd_time next = (horizon + 2999) / 3000 * 3000;
    return next <= 9000 ? next : HD_NEVER;
}

static void expect_shown(setting *at, uint32_t points)
{
    cr_expect_eq(at->listener.count, points, "%u are shown", at->listener.count);
    for (uint32_t i = 0; i < points && i < at->listener.count; i++) {
        char line[96];
        snprintf(line, sizeof line, "%u b/b instant 1 %u 0", 700 * i, 700 * i);
        cr_expect_str_eq(at->listener.lines[i], line);
    }
}

Test(trace, a_block_without_work_is_called_when_it_has_something_to_show)
{
    static const probe_script script = {.advance = works_or_shows};
    for (uint64_t seed = 0; seed <= 20; seed++) {
        setting at = {0};
        set_up(&at);
        run_two(&at, &script, seed, 1 + seed % 2);
        expect_shown(&at, 15);
        cr_expect_eq(hd_engine_next(at.engine), HD_NEVER);
        hd_engine_run(at.engine, 20000); /* nobody works */
        expect_shown(&at, 29);
        cr_expect_null(hd_engine_fault(at.engine, NULL, NULL));
        hd_engine_destroy(at.engine);
    }
}

Test(trace, reset_begins_anew)
{
    setting at = {0};
    set_up(&at);
    run_two(&at, &working, 0, 1);
    hd_engine_reset(at.engine, 0);
    hd_engine_run(at.engine, 1);
    at.listener.count = 0;
    hd_engine_reset(at.engine, 0); /* what was recorded in advance is forgotten */
    hd_engine_run(at.engine, 10000);
    expect_lines(&at, all_lines);
    hd_engine_destroy(at.engine);
}

Test(trace, a_track_is_known_by_its_path)
{
    setting at = {0};
    set_up(&at);
    run_two(&at, &working, 0, 1);
    cr_assert_eq(at.listener.path_count, 2 * (1 + PROBE_SLOTS));
    cr_expect_str_eq(at.listener.paths[0], "a");
    cr_expect_str_eq(at.listener.paths[2], "a/slot[1]");
    cr_expect_eq(hd_engine_track_count(at.engine, 1), 1 + PROBE_SLOTS);
    cr_expect_eq(hd_engine_track_parent(at.engine, 1, 2), HD_TRACE_BLOCK);
    hd_engine_destroy(at.engine);
}

Test(trace, only_what_is_wanted_is_recorded)
{
    static const char *const lines[] = {"0 a/slot[1] begin 0 0 16",
                                        "0 b/slot[1] begin 0 0 16",
                                        "1 b/b instant 1 5 0",
                                        "1 b/b flow 3 99 0",
                                        "2500 a/slot[1] end 0 0 0",
                                        "2500 b/slot[1] end 0 0 0",
                                        "3000 a/slot[1] begin 0 3 16",
                                        "3000 b/slot[1] begin 0 3 16",
                                        "3001 b/b instant 1 5 0",
                                        "3001 b/b flow 3 99 0",
                                        "5500 a/slot[1] end 0 0 0",
                                        "5500 b/slot[1] end 0 0 0",
                                        NULL};
    setting at = {0};
    set_up(&at);
    at.listener.events = 1u << PROBE_WORK | 1u << PROBE_POINT | 1u << PROBE_ARROW;
    at.listener.unwanted = "a";
    run_two(&at, &working, 0, 1);
    expect_lines(&at, lines);
    hd_engine_destroy(at.engine);
}

Test(trace, an_arrow_goes_with_its_event)
{
    setting at = {0};
    set_up(&at);
    at.listener.events = 1u << PROBE_ARROW;
    run_two(&at, &working, 0, 1);
    cr_expect_eq(at.listener.count, 0);
    hd_engine_destroy(at.engine);
}

Test(trace, nothing_comes_after_it_was_stopped)
{
    setting at = {0};
    set_up(&at);
    probe_add(at.engine, "a");
    probe_start(at.engine, &working);
    hd_engine_run(at.engine, 2);
    const uint32_t before = at.listener.count;
    hd_engine_stop_tracing(at.engine);
    hd_engine_run(at.engine, 10000);
    cr_expect_eq(before, 4);
    cr_expect_eq(at.listener.count, before);
    hd_engine_destroy(at.engine);
}

/* Only while somebody looks. */
static hd_time shows_what_is_looked_at(probe *self, hd_time now, hd_time horizon)
{
    return hd_trace_selects(self->trace, PROBE_POINT) ? shows(self, now, horizon) : HD_NEVER;
}

/* The call that it has asked for before is not missed when it is called over that time and asks for no other. */
Test(trace, a_block_need_not_ask_for_a_call_again)
{
    static const probe_script script = {.advance = shows_what_is_looked_at};
    setting at = {0};
    set_up(&at);
    probe_add(at.engine, "a");
    probe_start(at.engine, &script);
    hd_engine_run(at.engine, 2000);
    hd_engine_stop_tracing(at.engine);
    hd_engine_settle(at.engine, 4000);
    cr_expect_null(hd_engine_fault(at.engine, NULL, NULL), "%s", hd_engine_fault(at.engine, NULL, NULL));
    hd_engine_destroy(at.engine);
}

Test(trace, a_block_that_is_not_traced_has_no_service)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t block = probe_add(engine, "a");
    probe_start(engine, &working);
    cr_expect_null(probe_of(engine, block)->trace);
    cr_expect_eq(hd_engine_track_count(engine, block), 0);
    hd_engine_run(engine, 10000);
    cr_expect_null(hd_engine_fault(engine, NULL, NULL));
    hd_engine_destroy(engine);
}

/* ---- What a block must not do -------------------------------------------------------------------------------------- */

static hd_time records_too_late(probe *self, hd_time now, hd_time horizon)
{
    if (now >= 5000 && now < 5001)
        hd_trace_instant(self->trace, HD_TRACE_BLOCK, PROBE_POINT, 4999, 0);
    return horizon <= 5000 ? 5000 : HD_NEVER;
}

static hd_time records_what_is_not_declared(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, PROBE_EVENTS, now, 0);
    return HD_NEVER;
}

static hd_time takes_a_span_for_a_counter(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, PROBE_WORK, now, 0);
    return HD_NEVER;
}

static hd_time records_on_no_track(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    hd_trace_counter(self->trace, PROBE_SLOT + PROBE_SLOTS, PROBE_LEVEL, now, 0);
    return HD_NEVER;
}

static hd_time begins_an_arrow_nowhere(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, PROBE_POINT, now, 0);
    hd_trace_flow(self->trace, PROBE_POINT, PROBE_ARROW, now + 1, HD_TRACE_FROM, 0);
    return HD_NEVER;
}

static hd_time makes_a_track_late(probe *self, hd_time now, hd_time horizon)
{
    (void)now;
    (void)horizon;
    hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "late", 2);
    return HD_NEVER;
}

Test(trace, a_block_that_breaks_a_rule_is_named)
{
    static const struct {
        hd_time (*advance)(probe *self, hd_time now, hd_time horizon);
        const char *text;
    } rows[] = {
        {records_too_late, "a records point at 4999 ps, when everything before 5000 ps is done"},
        {records_what_is_not_declared, "a records a counter as event 4, which is not declared as one"},
        {takes_a_span_for_a_counter, "a records a counter as event 0, which is not declared as one"},
        {records_on_no_track, "a records level on track 4 of 4"},
        {begins_an_arrow_nowhere, "a records the flow arrow, which does not follow what it belongs to"},
        {makes_a_track_late, "a makes the track 'late' after it was created"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const probe_script script = {.advance = rows[i].advance};
        setting at = {0};
        set_up(&at);
        probe_add(at.engine, "a");
        probe_start(at.engine, &script);
        hd_engine_run(at.engine, 5000);
        hd_engine_run(at.engine, 10000);
        const char *fault = hd_engine_fault(at.engine, NULL, NULL);
        cr_expect_str_eq(fault ? fault : "none", rows[i].text);
        hd_engine_destroy(at.engine);
    }
}
