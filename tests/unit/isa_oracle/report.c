/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "assemble.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const stop_names[] = {
    [STOP_NONE] = "?",          [STOP_END] = "end",         [STOP_COUNT] = "count",
    [STOP_ILLEGAL] = "illegal", [STOP_DATA] = "data fault", [STOP_FETCH] = "fetch fault",
};

static void say(comparison *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(comparison *c, const char *format, ...)
{
    size_t length = strlen(c->report);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->report + length, sizeof c->report - length, format, arguments);
    va_end(arguments);
}

static int lane_differs(const comparison *c, uint32_t lane)
{
    const oracle_lane *expected = &c->expected;
    if (expected->complaint || expected->pc != c->run.pc[lane] || expected->stop != c->run.stop[lane] ||
        expected->fcsr != c->run.fcsr[lane] || memcmp(expected->memory, c->run.memory[lane], PAGE_BYTES) != 0)
        return 1;
    for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++)
        if (expected->registers[number] != subject_register(&c->run, number, lane))
            return 1;
    return 0;
}

static int was_touched(const comparison *c, const sequence *s, uint32_t lane)
{
    if (c->run.fcsr[lane] != s->fcsr[lane])
        return 1;
    for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++)
        if (subject_register(&c->run, number, lane) != s->registers[number * s->lanes + lane])
            return 1;
    return 0;
}

/* Executes lane in the oracle, as far as it went here. Returns whether they differ. */
static int run_both(comparison *c, oracle *o, const sequence *s, uint32_t lane)
{
    uint32_t steps = c->run.stop[lane] == STOP_COUNT ? c->run.steps[lane] : MAX_STEPS + 1;
    if (steps == 0)
        return 0;
    oracle_run(o, s, lane, steps, &c->expected);
    return lane_differs(c, lane);
}

static void list_sequence(comparison *c, const sequence *s)
{
    char text[64];
    for (uint32_t i = 0; i < s->count; i++) {
        isa_instruction instruction = isa_decode(s->words[i]);
        uint32_t pc = sequence_start(s) + 4 * i;
        isa_disassemble(&instruction, pc, text, sizeof text);
        say(c, "    %08x: %08x  %s\n", pc, s->words[i], text);
    }
}

static void list_inputs(comparison *c, uint32_t pc, uint32_t lane, const sequence *s)
{
    char text[64];
    uint32_t index = (pc - sequence_start(s)) / 4;
    if (index >= s->count)
        return;
    isa_instruction instruction = isa_decode(s->words[index]);
    isa_disassemble(&instruction, pc, text, sizeof text);
    say(c, "  %08x: %s  with fcsr = %02x", pc, text, c->run.fcsr[lane]);
    for (uint32_t number = 1; number < ISA_REGISTER_COUNT; number++)
        if (instruction.reads >> number & 1)
            say(c, ", %s = %08x", isa_register_name(number), subject_register(&c->run, number, lane));
    say(c, "\n");
}

static void list_differences(comparison *c, uint32_t lane)
{
    const oracle_lane *expected = &c->expected;
    if (expected->complaint)
        say(c, "  the oracle says: %s\n", expected->complaint);
    if (expected->pc != c->run.pc[lane])
        say(c, "  pc: expected %08x, got %08x\n", expected->pc, c->run.pc[lane]);
    if (expected->stop != c->run.stop[lane])
        say(c, "  stops: expected %s, got %s\n", stop_names[expected->stop], stop_names[c->run.stop[lane]]);
    if (expected->fcsr != c->run.fcsr[lane])
        say(c, "  fcsr: expected %02x, got %02x\n", expected->fcsr, c->run.fcsr[lane]);
    for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++) {
        uint32_t got = subject_register(&c->run, number, lane);
        if (expected->registers[number] != got)
            say(c, "  %s: expected %08x, got %08x\n", isa_register_name(number), expected->registers[number], got);
    }
    for (uint32_t i = 0; i < PAGE_BYTES; i++)
        if (expected->memory[i] != c->run.memory[lane][i])
            say(c, "  byte at %08x: expected %02x, got %02x\n", DATA_PAGE + i, expected->memory[i],
                c->run.memory[lane][i]);
}

/* Repeats the sequence with one instruction more each time, until this lane differs. */
static void find_instruction(comparison *c, oracle *o, const sequence *s, uint32_t lane)
{
    for (uint32_t steps = 1; steps <= MAX_STEPS; steps++) {
        subject_run(&c->run, s, steps, NULL);
        if (!run_both(c, o, s, lane))
            continue;
        subject_run(&c->run, s, steps - 1, NULL);
        say(c, "  instruction %u of the lane:\n", steps);
        list_inputs(c, c->run.pc[lane], lane, s);
        subject_run(&c->run, s, steps, NULL);
        run_both(c, o, s, lane);
        return;
    }
    subject_run(&c->run, s, MAX_STEPS, NULL);
    run_both(c, o, s, lane);
}

static void start_report(comparison *c, const sequence *s)
{
    c->report[0] = 0;
    say(c, "  seed %" PRIu64 ", %u lanes, mask %016" PRIx64 "\n", s->seed, s->lanes, s->mask);
}

int compare_sequence(comparison *c, oracle *o, const sequence *s)
{
    subject_run(&c->run, s, MAX_STEPS, NULL);
    oracle_load(o, s);
    start_report(c, s);
    if (c->run.complaint) {
        say(c, "  %s\n", c->run.complaint);
        list_sequence(c, s);
        return 1;
    }
    for (uint32_t lane = 0; lane < s->lanes; lane++) {
        int active = s->mask >> lane & 1;
        if (active ? !run_both(c, o, s, lane) : !was_touched(c, s, lane)) {
            c->lanes += (uint32_t)active;
            c->instructions += c->run.steps[lane];
            continue;
        }
        say(c, "  lane %u%s\n", lane, active ? "" : ", which is inactive, was changed");
        if (active) {
            find_instruction(c, o, s, lane);
            list_differences(c, lane);
        }
        list_sequence(c, s);
        return 1;
    }
    return 0;
}
