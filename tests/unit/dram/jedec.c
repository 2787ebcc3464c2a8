/* SPDX-License-Identifier: MIT */
#include "jedec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACT, PRE, RD, WR, AUTO, ALL, REF, KINDS };
static const char *const event_names[KINDS] = {"command.activate", "command.precharge",      "command.read",
                                               "command.write",    "command.auto_precharge", "command.precharge_all",
                                               "command.refresh"};
enum { LOOK_BACK = 400 }; /* commands: more than the longest time of a rule can hold of those that it is about */

typedef struct command {
    uint64_t n;
    uint32_t kind;
    uint32_t bank;
    uint64_t value; /* row, or the number of the refresh */
} command;

typedef struct span {
    uint64_t begin, end;
    uint64_t value;
    uint32_t track; /* of rows: the bank */
    uint32_t is_write;
} span;

typedef struct list {
    void *items;
    uint32_t count;
} list;

typedef struct reader {
    const jedec_device *device;
    jedec_verdict verdict;
    list commands, rows, data, refreshes;
    uint64_t open[DRAM_BANKS]; /* row, or DRAM_NO_ROW */
} reader;

__attribute__((format(printf, 2, 3))) static void find(reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!r->verdict.findings++)
        vsnprintf(r->verdict.first, sizeof r->verdict.first, format, arguments);
    va_end(arguments);
}

static void *add(list *to, size_t bytes)
{
    if ((to->count & (to->count - 1)) == 0)
        to->items = realloc(to->items, (to->count ? 2 * (size_t)to->count : 1) * bytes);
    if (!to->items)
        abort();
    return (char *)to->items + bytes * to->count++;
}

/* ---- Reading ------------------------------------------------------------------------------------------------------- */

static uint64_t cycle(const reader *r, hd_time t)
{
    return hd_clock_index_at_or_after(r->device->clock, t);
}

static void read_command(reader *r, const kit_traced *event)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        if (strcmp(event->event, event_names[kind]) != 0)
            continue;
        const uint32_t has_bank = kind <= AUTO;
        *(command *)add(&r->commands, sizeof(command)) = (command){.n = cycle(r, event->t),
                                                                   .kind = kind,
                                                                   .bank = has_bank ? (uint32_t)event->values[0] : 0,
                                                                   .value = event->values[has_bank]};
    }
}

static list *spans_of(reader *r, const char *event)
{
    if (strcmp(event, "row") == 0)
        return &r->rows;
    if (strcmp(event, "refresh") == 0)
        return &r->refreshes;
    return strcmp(event, "read") == 0 || strcmp(event, "write") == 0 ? &r->data : NULL;
}

static void read_span(reader *r, const kit_traced *event)
{
    list *spans = spans_of(r, event->event);
    if (!spans)
        return;
    span *all = spans->items;
    const uint32_t track = spans == &r->rows ? (uint32_t)atoi(strchr(event->track, '[') + 1) : 0;
    if (event->form == 0) {
        *(span *)add(spans, sizeof(span)) = (span){.begin = cycle(r, event->t),
                                                   .end = UINT64_MAX,
                                                   .value = event->values[0],
                                                   .track = track,
                                                   .is_write = strcmp(event->event, "write") == 0};
        return;
    }
    uint32_t i = spans->count;
    while (i > 0 && (all[i - 1].track != track || all[i - 1].end != UINT64_MAX))
        i--;
    if (i > 0)
        all[i - 1].end = cycle(r, event->t);
    else
        find(r, "%s ends at %llu and has not begun", event->event, (unsigned long long)cycle(r, event->t));
}

static void read_events(reader *r, const kit_traced *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].form == 2)
            read_command(r, &events[i]);
        else if (events[i].form < 2)
            read_span(r, &events[i]);
    }
}

/* ---- Pairs of commands --------------------------------------------------------------------------------------------- */

static uint32_t closes(const command *c)
{
    return c->kind == PRE || c->kind == AUTO || c->kind == ALL;
}

static uint32_t is_column(const command *c)
{
    return c->kind == RD || c->kind == WR;
}

static uint32_t same_bank(const command *a, const command *b)
{
    return a->bank == b->bank || a->kind == ALL || b->kind == ALL || a->kind == REF || b->kind == REF;
}

static void keep(reader *r, const char *rule, const command *first, const command *second, uint64_t cycles)
{
    if (second->n < first->n + cycles)
        find(r, "%s: %s of bank %u at %llu, %s of bank %u at %llu", rule, event_names[first->kind], first->bank,
             (unsigned long long)first->n, event_names[second->kind], second->bank, (unsigned long long)second->n);
}

static void check_rows(reader *r, const command *a, const command *b)
{
    const struct dram_timing *t = &r->device->timing;
    if (a->kind == ACT && b->kind == ACT && a->bank == b->bank)
        keep(r, "tRC", a, b, t->trc);
    if (a->kind == ACT && b->kind == ACT && a->bank != b->bank)
        keep(r, "tRRD_S", a, b, t->trrd_s);
    if (a->kind == ACT && b->kind == ACT && a->bank % r->device->groups == b->bank % r->device->groups)
        keep(r, "tRRD_L", a, b, t->trrd_l);
    if (a->kind == ACT && is_column(b) && same_bank(a, b))
        keep(r, "tRCD", a, b, t->trcd);
    if (a->kind == ACT && closes(b) && same_bank(a, b) && b->kind != ALL)
        keep(r, "tRAS", a, b, t->tras);
    if (a->kind == ACT && b->kind == ALL)
        keep(r, "tRAS before a refresh", a, b, t->tras);
    if (closes(a) && b->kind == ACT && same_bank(a, b))
        keep(r, "tRP", a, b, t->trp);
    if (closes(a) && b->kind == REF)
        keep(r, "tRP before a refresh", a, b, t->trp);
    if (a->kind == ACT && b->kind == REF)
        keep(r, "tRC before a refresh", a, b, t->trc);
    if (a->kind == REF)
        keep(r, "tRFC", a, b, t->trfc);
}

static void check_columns(reader *r, const command *a, const command *b)
{
    const struct dram_timing *t = &r->device->timing;
    const uint32_t one_group = a->bank % r->device->groups == b->bank % r->device->groups;
    const uint64_t written = (uint64_t)t->tcwl + t->burst;
    if (is_column(a) && is_column(b))
        keep(r, one_group ? "tCCD_L" : "tCCD_S", a, b, one_group ? dram_later(t->tccd_l, t->tccd_s) : t->tccd_s);
    if (a->kind == WR && b->kind == RD)
        keep(r, "tWTR_S", a, b, written + t->twtr_s);
    if (a->kind == WR && b->kind == RD && one_group)
        keep(r, "tWTR_L", a, b, written + t->twtr_l);
    if (a->kind == RD && closes(b) && same_bank(a, b))
        keep(r, "tRTP", a, b, t->trtp);
    if (a->kind == WR && closes(b) && same_bank(a, b))
        keep(r, "tWR", a, b, written + t->twr);
}

static void check_pairs(reader *r)
{
    const command *commands = r->commands.items;
    for (uint32_t i = 0; i < r->commands.count; i++) {
        for (uint32_t back = 1; back <= i && back < LOOK_BACK; back++) {
            const command *first = &commands[i - back];
            check_rows(r, first, &commands[i]);
            check_columns(r, first, &commands[i]);
            if (first->n == commands[i].n && first->kind != AUTO && commands[i].kind != AUTO)
                find(r, "two commands at %llu", (unsigned long long)first->n);
        }
    }
}

static void check_four_activates(reader *r)
{
    const command *commands = r->commands.items, *last[4] = {NULL};
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->commands.count; i++) {
        if (commands[i].kind != ACT)
            continue;
        if (count >= 4)
            keep(r, "tFAW", last[count % 4], &commands[i], r->device->timing.tfaw);
        last[count++ % 4] = &commands[i];
    }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------------- */

/* A row is shown open from its activate to its precharge, and is used by commands in between alone. */
static void close_row(reader *r, uint32_t bank, uint64_t n)
{
    uint32_t shown = 0;
    const span *rows = r->rows.items;
    for (uint32_t i = 0; i < r->rows.count; i++)
        shown += rows[i].track == bank && rows[i].end == n && rows[i].value == r->open[bank];
    if (r->open[bank] == DRAM_NO_ROW || shown != 1)
        find(r, "bank %u is closed at %llu, and its row is shown %u times until then", bank, (unsigned long long)n,
             shown);
    r->open[bank] = DRAM_NO_ROW;
    r->verdict.precharges++;
}

static void open_row(reader *r, const command *c)
{
    uint32_t shown = 0;
    const span *rows = r->rows.items;
    for (uint32_t i = 0; i < r->rows.count; i++)
        shown += rows[i].track == c->bank && rows[i].begin == c->n && rows[i].value == c->value;
    if (r->open[c->bank] != DRAM_NO_ROW || shown != 1)
        find(r, "bank %u is activated at %llu, and its row is shown %u times from then on", c->bank,
             (unsigned long long)c->n, shown);
    r->open[c->bank] = c->value;
    r->verdict.activates++;
}

static void close_all(reader *r, const command *c)
{
    uint32_t closed = 0;
    for (uint32_t bank = 0; bank < r->device->banks; bank++) {
        if (r->open[bank] == DRAM_NO_ROW)
            continue;
        close_row(r, bank, c->n);
        closed++;
    }
    if (!closed)
        find(r, "all banks are closed already at %llu", (unsigned long long)c->n);
}

static void check_states(reader *r)
{
    const command *commands = r->commands.items;
    for (uint32_t i = 0; i < r->commands.count; i++) {
        const command *c = &commands[i];
        if (c->kind == ACT)
            open_row(r, c);
        else if (c->kind == PRE || c->kind == AUTO)
            close_row(r, c->bank, c->n);
        else if (c->kind == ALL)
            close_all(r, c);
        else if (is_column(c) && r->open[c->bank] != c->value)
            find(r, "a command for a row of bank %u at %llu that is not open", c->bank, (unsigned long long)c->n);
        for (uint32_t bank = 0; c->kind == REF && bank < r->device->banks; bank++)
            if (r->open[bank] != DRAM_NO_ROW)
                find(r, "a refresh at %llu with bank %u open", (unsigned long long)c->n, bank);
        r->verdict.columns += is_column(c);
    }
    if (r->verdict.activates != r->rows.count)
        find(r, "%u activates, %u rows", r->verdict.activates, r->rows.count);
}

/* ---- Data bus ---------------------------------------------------------------------------------------------------------- */

static void check_bus(reader *r)
{
    const struct dram_timing *t = &r->device->timing;
    const command *commands = r->commands.items;
    const span *data = r->data.items;
    uint32_t at = 0;
    for (uint32_t i = 0; i < r->commands.count; i++) {
        if (!is_column(&commands[i]))
            continue;
        const uint32_t is_write = commands[i].kind == WR;
        const uint64_t begin = commands[i].n + (is_write ? t->tcwl : t->tcl);
        if (at == r->data.count || data[at].begin != begin || data[at].end != begin + t->burst ||
            data[at].is_write != is_write) {
            find(r, "no data of the burst commanded at %llu", (unsigned long long)commands[i].n);
            return;
        }
        if (at && data[at].begin < data[at - 1].end)
            find(r, "data at %llu, when the bus is in use", (unsigned long long)begin);
        if (at && data[at].is_write != data[at - 1].is_write && data[at].begin < data[at - 1].end + t->turnaround)
            find(r, "turnaround: data at %llu", (unsigned long long)begin);
        at++;
    }
    if (at != r->data.count)
        find(r, "%u bursts on the bus, %u commands", r->data.count, at);
}

/* ---- Refresh ----------------------------------------------------------------------------------------------------------- */

/* The longest time for which a row opened, or written, at the last moment keeps a refresh waiting. */
static uint64_t longest_wait(const struct dram_timing *t)
{
    return dram_later(t->trc, dram_later(t->tras, (uint64_t)t->tcwl + t->burst + t->twr + t->trcd) + t->trp);
}

static void check_refreshes(reader *r, hd_time end)
{
    const struct dram_timing *t = &r->device->timing;
    const command *commands = r->commands.items;
    const span *shown = r->refreshes.items;
    const uint64_t last = cycle(r, end);
    uint64_t number = 0;
    for (uint32_t i = 0; i < r->commands.count; i++) {
        const command *c = &commands[i];
        if (c->kind != REF)
            continue;
        const uint64_t due = ++number * t->trefi;
        if (c->value != number || c->n < due || c->n > due + longest_wait(t))
            find(r, "tREFI: refresh %llu at %llu, due at %llu", (unsigned long long)c->value, (unsigned long long)c->n,
                 (unsigned long long)due);
        const uint64_t until = c->n + t->trfc < last ? c->n + t->trfc : UINT64_MAX;
        if (number > r->refreshes.count || shown[number - 1].begin != c->n ||
            (shown[number - 1].end != c->n + t->trfc && shown[number - 1].end != until))
            find(r, "tRFC: refresh %llu is not shown as long as it takes", (unsigned long long)number);
    }
    if (t->trefi && (number + 1) * t->trefi + longest_wait(t) < last)
        find(r, "tREFI: %llu refreshes in %llu cycles", (unsigned long long)number, (unsigned long long)last);
    r->verdict.refreshes = (uint32_t)number;
}

jedec_verdict jedec_check(const jedec_device *device, const kit_traced *events, uint32_t count, hd_time end)
{
    reader *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    r->device = device;
    memset(r->open, 0xFF, sizeof r->open);
    read_events(r, events, count);
    check_pairs(r);
    check_four_activates(r);
    check_states(r);
    check_bus(r);
    check_refreshes(r, end);
    const jedec_verdict verdict = r->verdict;
    free(r->commands.items);
    free(r->rows.items);
    free(r->data.items);
    free(r->refreshes.items);
    free(r);
    return verdict;
}
