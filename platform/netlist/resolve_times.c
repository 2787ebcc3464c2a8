/* SPDX-License-Identifier: MIT */
/* Durations: times, or cycles of a clock. Those of the machine count cycles of the slowest clock that a block has, so that a
 * machine of any speed has time to do something. */
#include "loader.h"

#include "text_value.h"

#define WATCHDOG_PS (2 * HD_PS_PER_SECOND / 1000)
#define WATCHDOG_CYCLES UINT64_C(500000)
#define LIMIT_PS HD_PS_PER_SECOND
#define LIMIT_CYCLES UINT64_C(500000000)
#define LONGEST_PS (UINT64_C(1) << 63) /* by default: the arithmetic of time stays far from its end */

static int is_in_cycles(const node *value)
{
    uint64_t cycles;
    const enum text_result result = text_to_unsigned(value->text, HD_UNIT_CYCLES, &cycles);
    return result == TEXT_OK || result == TEXT_NOT_WHOLE || result == TEXT_TOO_LARGE;
}

static int has_unit(loader *state, const node *value, const duration_rule *rule)
{
    uint64_t unused;
    const enum text_result as_time = text_to_unsigned(value->text, HD_UNIT_SECONDS, &unused);
    if (as_time != TEXT_UNIT_MISSING && (as_time != TEXT_UNIT_UNKNOWN || is_in_cycles(value)))
        return 1;
    report_error(&state->log, ERROR_WRONG_UNIT, value->at, "%s %s: '%s'", rule->what,
                 as_time == TEXT_UNIT_MISSING ? "needs a unit" : "has an unknown unit", value->text);
    report_note(&state->log, "it is a number of cycles %s, such as 5 cycles, or a time, such as %s", rule->of,
                rule->example);
    return 0;
}

int netlist_read_duration(loader *state, const node *value, const duration_rule *rule, hd_clock clock, hd_time *result)
{
    uint64_t read = 0;
    if (!has_unit(state, value, rule))
        return 0;
    if (!is_in_cycles(value)) {
        if (!netlist_read_unsigned(state, value, rule->what, HD_UNIT_SECONDS, rule->minimum, rule->time, &read))
            return 0;
        *result = read;
        return clock.hz != 0;
    }
    if (!netlist_read_unsigned(state, value, rule->what, HD_UNIT_CYCLES, rule->minimum, rule->cycles, &read) ||
        !clock.hz)
        return 0;
    const hd_u128 length = (hd_u128)read * HD_PS_PER_SECOND / clock.hz;
    *result = length < rule->time ? (hd_time)length : rule->time;
    return 1;
}

/* 0 hertz: one of them is not known. */
static hd_clock slowest(const draft *work)
{
    hd_clock clock = {HD_PS_PER_SECOND};
    for (uint32_t block = 0; block < work->machine->block_count; block++) {
        const uint64_t hz = work->clocks[work->blocks[block].clock].hz;
        clock.hz = hz < clock.hz ? hz : clock.hz;
    }
    return clock;
}

static hd_time standard(hd_time shortest, uint64_t cycles, hd_clock clock)
{
    const hd_u128 length = clock.hz ? (hd_u128)cycles * HD_PS_PER_SECOND / clock.hz : 0;
    const hd_time longest = length < LONGEST_PS ? (hd_time)length : LONGEST_PS;
    return longest > shortest ? longest : shortest;
}

static void value_time(loader *state, const draft *work, const char *key, hd_time *value)
{
    const duration_rule rule = {.what = key,
                                .of = "of the slowest clock",
                                .example = "2 ms",
                                .minimum = 1,
                                .cycles = UINT64_MAX,
                                .time = HD_NEVER - 1};
    const node *written = netlist_find(work->root, key);
    if (written)
        netlist_read_duration(state, written, &rule, slowest(work), value);
}

void netlist_value_times(loader *state, draft *work)
{
    work->machine->watchdog = standard(WATCHDOG_PS, WATCHDOG_CYCLES, slowest(work));
    work->machine->limit_is_standard = !netlist_find(work->root, "limit");
    work->machine->limit = standard(LIMIT_PS, LIMIT_CYCLES, slowest(work));
    value_time(state, work, "watchdog", &work->machine->watchdog);
    value_time(state, work, "limit", &work->machine->limit);
}
