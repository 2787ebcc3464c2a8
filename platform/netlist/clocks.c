/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <inttypes.h>
#include <string.h>

#include "text_value.h"

#define FACTOR_MAX UINT64_C(1000000000)

/* base * multiply / divide */
typedef struct ratio {
    const char *base;
    size_t base_bytes;
    hd_u128 multiply;
    hd_u128 divide;
} ratio;

enum visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE, VISIT_FAILED };

static int is_letter(char character)
{
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
}

static size_t name_bytes(const char *text)
{
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
}

int netlist_check_name(loader *state, const node *name, const char *what)
{
    size_t length = strlen(name->text);
    if (is_letter(name->text[0]) && name_bytes(name->text) == length && length <= 64)
        return 1;
    report_error(&state->log, ERROR_BAD_NAME, name->at, "'%s' is not a valid name for a %s", name->text, what);
    report_note(&state->log, "a name is a letter followed by letters, digits and underscores, 64 at most");
    return 0;
}

static int is_ratio(const node *value)
{
    return is_letter(value->text[0]);
}

/* Factors that could overflow are refused as malformed: no clock needs them. */
static int read_ratio(const char *text, ratio *result)
{
    *result = (ratio){.base = text, .base_bytes = name_bytes(text), .multiply = 1, .divide = 1};
    const char *at = text + result->base_bytes;
    for (;;) {
        at += strspn(at, " \t");
        if (!*at)
            return 1;
        char sign = *at++;
        at += strspn(at, " \t");
        uint64_t factor = 0;
        if ((sign != '*' && sign != '/') || *at < '0' || *at > '9')
            return 0;
        while (*at >= '0' && *at <= '9' && factor <= FACTOR_MAX)
            factor = factor * 10 + (uint64_t)(*at++ - '0');
        hd_u128 *side = sign == '*' ? &result->multiply : &result->divide;
        if (factor == 0 || factor > FACTOR_MAX || *side > FACTOR_MAX * (hd_u128)FACTOR_MAX / factor)
            return 0;
        *side *= factor;
    }
}

static uint32_t find_clock(const draft *work, const char *name, size_t bytes)
{
    for (uint32_t i = 0; i < work->machine->clock_count; i++) {
        if (strlen(work->clocks[i].name) == bytes && memcmp(work->clocks[i].name, name, bytes) == 0)
            return i;
    }
    return NETLIST_NONE;
}

uint32_t netlist_clock_index(loader *state, const draft *work, const node *reference, const char *name, size_t bytes)
{
    uint32_t index = find_clock(work, name, bytes);
    if (index != NETLIST_NONE)
        return index;
    const char *word = arena_copy(state->memory, name, bytes);
    candidates known = {0};
    for (uint32_t i = 0; i < work->machine->clock_count; i++)
        candidates_add(state->memory, &known, work->clocks[i].name);
    span at = netlist_span_within(reference, (uint32_t)(name - reference->text), (uint32_t)bytes);
    report_error(&state->log, ERROR_UNKNOWN_CLOCK, at, "unknown clock '%s'", word);
    candidates_suggest(&state->log, word, &known);
    return NETLIST_NONE;
}

static void malformed(loader *state, const node *value)
{
    report_error(&state->log, ERROR_BAD_CLOCK, value->at, "'%s' is neither a frequency nor a ratio of a clock",
                 value->text);
    report_note(&state->log, "a clock is written as 1400 MHz, or as another clock times and over whole numbers: "
                             "core * 3 / 2");
}

void netlist_name_clocks(loader *state, draft *work)
{
    const node *clocks = netlist_find(work->root, "clocks");
    if (!clocks)
        return;
    work->clocks = arena_alloc(state->memory, clocks->count * sizeof *work->clocks);
    work->clock_nodes = arena_alloc(state->memory, clocks->count * sizeof *work->clock_nodes);
    work->machine->clocks = work->clocks;
    work->machine->clock_count = clocks->count;
    for (uint32_t i = 0; i < clocks->count; i++) {
        const entry *item = &clocks->entries[i];
        netlist_check_name(state, item->key, "clock");
        work->clocks[i] = (netlist_clock){.name = item->key->text, .place = netlist_place_of(item->value->at)};
        work->clock_nodes[i] = item->value;
    }
    for (uint32_t i = 0; i < clocks->count; i++) {
        const node *value = work->clock_nodes[i];
        ratio parts;
        if (is_ratio(value) && !read_ratio(value->text, &parts))
            malformed(state, value);
        else if (is_ratio(value))
            netlist_clock_index(state, work, value, parts.base, parts.base_bytes);
    }
}

static int check_frequency(loader *state, const node *value, hd_u128 hz_times_divide, hd_u128 divide, uint64_t *hz)
{
    hd_u128 whole = hz_times_divide / divide;
    if (hz_times_divide % divide == 0 && whole >= 1 && whole <= HD_PS_PER_SECOND) {
        *hz = (uint64_t)whole;
        return 1;
    }
    report_error(&state->log, ERROR_INEXACT_CLOCK, value->at,
                 "'%s' is not a whole number of hertz between 1 Hz and 1000 GHz", value->text);
    return 0;
}

static int read_frequency(loader *state, const node *value, const char *name, uint64_t *hz)
{
    uint64_t read = 0;
    switch (text_to_unsigned(value->text, HD_UNIT_HERTZ, &read)) {
    case TEXT_OK: return check_frequency(state, value, read, 1, hz);
    case TEXT_NOT_WHOLE:
    case TEXT_TOO_LARGE: return check_frequency(state, value, 0, 1, hz);
    case TEXT_NOT_A_NUMBER: malformed(state, value); return 0;
    default:
        return netlist_read_unsigned(state, value, arena_format(state->memory, "clock '%s'", name), HD_UNIT_HERTZ, 1, 0,
                                     hz);
    }
}

static uint32_t base_of(const draft *work, uint32_t index)
{
    ratio parts;
    read_ratio(work->clock_nodes[index]->text, &parts);
    return find_clock(work, parts.base, parts.base_bytes);
}

static void report_circle(loader *state, const draft *work, uint32_t index)
{
    report_error(&state->log, ERROR_CLOCK_CYCLE, work->clock_nodes[index]->at,
                 "clock '%s' is defined in terms of itself", work->clocks[index].name);
    for (uint32_t via = base_of(work, index); via != index; via = base_of(work, via))
        report_note_at(&state->log, work->clock_nodes[via]->at, "through '%s'", work->clocks[via].name);
}

static enum visit evaluate(loader *state, draft *work, enum visit *visits, uint32_t index, uint32_t depth)
{
    const node *value = work->clock_nodes[index];
    if (visits[index] == VISIT_DONE || visits[index] == VISIT_FAILED)
        return visits[index];
    if (visits[index] == VISIT_OPEN) {
        report_circle(state, work, index);
        return VISIT_FAILED;
    }
    if (depth > NETLIST_DEPTH_MAX) {
        report_error(&state->log, ERROR_BOUND, value->at, "too many clocks between '%s' and a frequency",
                     work->clocks[index].name);
        return VISIT_FAILED;
    }
    visits[index] = VISIT_OPEN;
    int is_good = 0;
    if (!is_ratio(value)) {
        is_good = read_frequency(state, value, work->clocks[index].name, &work->clocks[index].hz);
    } else {
        ratio parts;
        uint32_t base = base_of(work, index);
        read_ratio(value->text, &parts);
        if (evaluate(state, work, visits, base, depth + 1) == VISIT_DONE)
            is_good = check_frequency(state, value, work->clocks[base].hz * parts.multiply, parts.divide,
                                      &work->clocks[index].hz);
    }
    return visits[index] = is_good ? VISIT_DONE : VISIT_FAILED;
}

void netlist_value_clocks(loader *state, draft *work)
{
    uint32_t count = work->machine->clock_count;
    enum visit *visits = arena_alloc(state->memory, count * sizeof *visits);
    for (uint32_t i = 0; i < count; i++)
        evaluate(state, work, visits, i, 1);
}
