/* SPDX-License-Identifier: MIT */
/* Faults, logs, random streams, and the rule that nothing hangs silently. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "network.h"
#include "no_memory.h"
#include "probe.h"

/* Block b faults at 3000 - 1000 * b for b < 3; blocks 3 and 4 fault at 1000 like block 2. */
static hd_time faults_in_turn(probe *self, hd_time now, hd_time horizon)
{
    const uint32_t b = self->services->endpoint;
    const hd_time at = b < 3 ? 3000 - 1000 * b : 1000;
    if (at >= horizon)
        return at;
    if (now <= at)
        self->services->fault(self->services->context, at, "fault of %u", b);
    return HD_NEVER;
}

Test(faults, the_first_by_time_and_then_by_block_is_shown)
{
    for (uint64_t disturbance = 0; disturbance < 20; disturbance++) {
        hd_engine *engine = hd_engine_create();
        for (uint32_t i = 0; i < 5; i++)
            probe_add(engine, "probe");
        hd_engine_disturb(engine, disturbance);
        probe_start(engine, &(probe_script){.advance = faults_in_turn});
        hd_engine_run(engine, 100000);
        hd_time t = 0;
        uint32_t block = 0;
        const char *text = hd_engine_fault(engine, &t, &block);
        cr_assert_not_null(text);
        cr_expect_str_eq(text, "fault of 2");
        cr_expect_eq(t, 1000);
        cr_expect_eq(block, 2);
        cr_expect_eq(hd_engine_next(engine), HD_NEVER, "the run is over");
        cr_expect_eq(hd_engine_status(engine, 0), HD_RUN_FAULT);
        hd_engine_reset(engine, 0);
        cr_expect_null(hd_engine_fault(engine, NULL, NULL));
        hd_engine_destroy(engine);
    }
}

Test(faults, the_outside_can_report_one)
{
    hd_engine *engine = hd_engine_create();
    probe_add(engine, "probe");
    probe_start(engine, &(probe_script){0});
    hd_engine_report_fault(engine, HD_NO_BLOCK, 500, "late");
    hd_engine_report_fault(engine, HD_NO_BLOCK, 400, "early");
    hd_engine_report_fault(engine, HD_NO_BLOCK, 600, "later");
    cr_expect_str_eq(hd_engine_fault(engine, NULL, NULL), "early");
    hd_engine_destroy(engine);
}

/* ---- Logs --------------------------------------------------------------------------------------------------------- */

static hd_time logs(probe *self, hd_time now, hd_time horizon)
{
    for (hd_time t = now; t < horizon; t++)
        if (t % 2000 == 1000 * self->services->endpoint)
            self->services->log(self->services->context, HD_LOG_INFO, t, "%s at %u", self->services->name, (uint32_t)t);
    return horizon < 8000 ? horizon : HD_NEVER;
}

static void collect(void *context, uint32_t block, uint32_t severity, hd_time t, const char *text)
{
    (void)block;
    (void)t;
    cr_expect_eq(severity, HD_LOG_INFO);
    strcat(context, text);
    strcat(context, "\n");
}

Test(faults, log_lines_come_in_order_of_time_whatever_the_windows)
{
    for (uint64_t disturbance = 0; disturbance < 20; disturbance++) {
        char text[1024] = "";
        hd_engine *engine = hd_engine_create();
        probe_add(engine, "a");
        probe_add(engine, "b");
        hd_engine_observe(engine, &(hd_observer){.context = text, .log = collect});
        hd_engine_disturb(engine, disturbance);
        probe_start(engine, &(probe_script){.advance = logs});
        hd_engine_run(engine, 4000);
        cr_expect_str_eq(text, "a at 0\nb at 1000\na at 2000\nb at 3000\n");
        hd_engine_destroy(engine);
    }
}

/* ---- Random streams ------------------------------------------------------------------------------------------------ */

static uint64_t first_draw(const char *name, uint64_t seed)
{
    hd_engine *engine = hd_engine_create();
    probe_add(engine, name);
    probe_start(engine, &(probe_script){0});
    hd_engine_reset(engine, seed);
    const hd_services *services = hd_engine_services(engine, 0);
    const uint64_t first = services->random(services->context);
    cr_expect_neq(services->random(services->context), first);
    hd_engine_reset(engine, seed);
    cr_expect_eq(services->random(services->context), first, "reset restarts the stream");
    hd_engine_destroy(engine);
    return first;
}

Test(faults, a_random_stream_belongs_to_seed_and_name)
{
    cr_expect_eq(first_draw("core[0]", 1), first_draw("core[0]", 1));
    cr_expect_neq(first_draw("core[0]", 1), first_draw("core[1]", 1));
    cr_expect_neq(first_draw("core[0]", 1), first_draw("core[0]", 2));
}

/* ---- No silent hang ------------------------------------------------------------------------------------------------- */

typedef struct lines {
    char text[256];
} lines;

static void keep(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void keep(void *context, const char *format, ...)
{
    lines *lines = context;
    va_list arguments;
    va_start(arguments, format);
    const size_t used = strlen(lines->text);
    vsnprintf(lines->text + used, sizeof lines->text - used, format, arguments);
    va_end(arguments);
}

static uint32_t only_b_has_work(probe *self)
{
    return strcmp(self->services->name, "b") == 0;
}

Test(faults, work_left_and_nothing_moving_is_a_deadlock_and_is_described)
{
    hd_engine *engine = hd_engine_create();
    probe_add(engine, "a");
    probe_add(engine, "b");
    probe_start(engine, &(probe_script){.has_work = only_b_has_work});
    cr_expect_eq(hd_engine_status(engine, 0), HD_RUN_GOING);
    while (hd_engine_step(engine, HD_NEVER) != HD_NEVER)
        continue;
    cr_expect_eq(hd_engine_status(engine, 0), HD_RUN_DEADLOCK);
    lines lines = {0};
    hd_engine_describe_pending(engine, &(hd_text_sink){.context = &lines, .line = keep});
    cr_expect_str_eq(lines.text, "b: waits for the test");
    hd_engine_destroy(engine);
}

Test(faults, no_work_left_and_nothing_moving_is_the_end)
{
    hd_engine *engine = hd_engine_create();
    probe_add(engine, "a");
    probe_start(engine, &(probe_script){0});
    while (hd_engine_step(engine, HD_NEVER) != HD_NEVER)
        continue;
    cr_expect_eq(hd_engine_status(engine, 0), HD_RUN_DONE);
    hd_engine_destroy(engine);
}

static hd_time spins(probe *self, hd_time now, hd_time horizon)
{
    if (now <= 2000 && 2000 < horizon)
        self->services->progress(self->services->context, 2000);
    return horizon;
}

Test(faults, motion_without_progress_is_a_livelock_once_patience_ends)
{
    hd_engine *engine = hd_engine_create();
    probe_add(engine, "b");
    probe_start(engine, &(probe_script){.advance = spins, .has_work = only_b_has_work});
    hd_engine_run(engine, 102000);
    cr_expect_eq(hd_engine_progress(engine), 2000);
    cr_expect_eq(hd_engine_status(engine, 100000), HD_RUN_GOING);
    cr_expect_eq(hd_engine_status(engine, 0), HD_RUN_GOING, "endless patience");
    hd_engine_run(engine, 102001);
    cr_expect_eq(hd_engine_status(engine, 100000), HD_RUN_LIVELOCK);
    hd_engine_destroy(engine);
}

/* Blocks that sleep are judged by their progress while something outside may wake them. */
Test(faults, work_left_that_waits_for_the_outside_is_a_livelock_once_patience_ends)
{
    hd_engine *engine = hd_engine_create();
    probe_add(engine, "b");
    probe_start(engine, &(probe_script){.has_work = only_b_has_work});
    hd_engine_run(engine, 1000);
    hd_engine_set_outside_next(engine, 5000);
    cr_expect_eq(hd_engine_status(engine, 100000), HD_RUN_GOING);
    hd_engine_run(engine, 100001);
    cr_expect_eq(hd_engine_status(engine, 0), HD_RUN_GOING, "endless patience");
    cr_expect_eq(hd_engine_status(engine, 100000), HD_RUN_LIVELOCK);
    hd_engine_set_outside_next(engine, HD_NEVER);
    cr_expect_eq(hd_engine_status(engine, 100000), HD_RUN_DEADLOCK);
    hd_engine_set_outside_next(engine, 200000);
    hd_engine_reset(engine, 1);
    hd_engine_run(engine, 1000);
    cr_expect_eq(hd_engine_status(engine, 100000), HD_RUN_DEADLOCK, "after reset nothing is outside");
    hd_engine_destroy(engine);
}

/* What the engine asks, and what it is answered. */
static hd_time asked[64], computed_since;
static uint32_t asked_count, asked_anew;

static hd_time answers(probe *self, hd_time t, uint32_t anew)
{
    (void)self;
    asked[asked_count++ % 64] = t;
    asked_anew += anew;
    return computed_since;
}

static hd_engine *spinning(hd_time since)
{
    static const probe_script script = {.advance = spins, .has_work = only_b_has_work, .computes_since = answers};
    hd_engine *engine = hd_engine_create();
    asked_count = asked_anew = 0;
    computed_since = since;
    probe_add(engine, "b");
    probe_start(engine, &script);
    return engine;
}

static uint32_t status_at(hd_engine *engine, hd_time t)
{
    hd_engine_run(engine, t);
    return hd_engine_status(engine, 160000);
}

Test(faults, blocks_are_asked_whether_they_compute_from_a_quarter_of_the_patience_on)
{
    hd_engine *engine = spinning(HD_NEVER);
    for (hd_time t = 1000; t <= 162000; t += 1000)
        cr_expect_eq(status_at(engine, t), HD_RUN_GOING, "%llu", (unsigned long long)t);
    cr_expect_eq(asked[0], 42000);
    cr_expect_eq(asked[1], 52000, "then every sixteenth");
    cr_expect_eq(asked_count, 13);
    cr_expect_eq(asked_anew, 1);
    cr_expect_eq(status_at(engine, 162001), HD_RUN_LIVELOCK);
    hd_engine_destroy(engine);
}

Test(faults, a_block_that_computes_for_a_quarter_of_the_patience_makes_progress)
{
    hd_engine *engine = spinning(HD_NEVER);
    cr_expect_eq(status_at(engine, 42000), HD_RUN_GOING);
    computed_since = 42001;
    cr_expect_eq(status_at(engine, 82000), HD_RUN_GOING);
    cr_expect_eq(hd_engine_patient_since(engine), 2000, "a little less than a quarter");
    cr_expect_eq(status_at(engine, 92000), HD_RUN_GOING);
    cr_expect_eq(hd_engine_patient_since(engine), 92000);
    cr_expect_eq(hd_engine_progress(engine), 2000, "nobody has reported it");
    computed_since = HD_NEVER;
    cr_expect_eq(status_at(engine, 132000), HD_RUN_GOING);
    cr_expect_eq(asked_anew, 2, "what was before is forgotten");
    cr_expect_eq(status_at(engine, 252000), HD_RUN_GOING);
    cr_expect_eq(status_at(engine, 252001), HD_RUN_LIVELOCK);
    hd_engine_destroy(engine);
}

/* ---- Without memory ------------------------------------------------------------------------------------------------- */

Test(faults, an_engine_that_has_no_memory_ends_the_program, .signal = SIGABRT)
{
    no_memory_after(0);
    hd_engine_create();
}

Test(faults, an_engine_that_has_no_memory_for_versions_ends_the_program, .signal = SIGABRT)
{
    no_memory_after(1);
    hd_engine_create();
}
