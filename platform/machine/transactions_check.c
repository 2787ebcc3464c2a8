/* SPDX-License-Identifier: MIT */
#include "transactions_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct transactions_check {
    hd_machine *machine;
    hd_transaction_checker *checker;
    uint32_t running; /* kernels */
    uint32_t reserved;
    hd_transaction_checks counts;
};

/* ---- Where things are -------------------------------------------------------------------------------------------- */

static void place(void *context, uint32_t module, uint32_t pc, char *text, size_t bytes)
{
    machine_place(((const transactions_check *)context)->machine, module, pc, text, bytes);
}

static uint32_t memory(void *context, uint64_t address, uint32_t *word)
{
    const transactions_check *check = context;
    const hd_address_map *map = &check->machine->address_map;
    if (!map->partitions)
        return 0;
    const uint32_t slice = map->endpoints[hd_partition_of(map, address)];
    return slice != HD_FOREIGN &&
           hd_engine_debug_read_arrived(check->machine->engine, slice, address, word, sizeof *word) == sizeof *word;
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

static hd_block *slice_of(void *checker, uint32_t point)
{
    return hd_transaction_checker_slice(checker, point);
}

transactions_check *transactions_check_create(hd_machine *machine, const ordering_points *points, ordering_taps *taps)
{
    transactions_check *check = calloc(1, sizeof *check);
    if (!check)
        abort();
    check->machine = machine;
    const hd_transaction_places places = {.context = check, .place = place, .memory = memory};
    check->checker = hd_transaction_checker_create(points->count, machine->netlist->endpoint_count, &places);
    ordering_taps_add(taps, points, &hd_transaction_tap, check->checker, slice_of);
    return check;
}

void transactions_check_destroy(transactions_check *check)
{
    if (!check)
        return;
    hd_transaction_checker_destroy(check->checker);
    free(check);
}

hd_tlm_extension transactions_check_extension(transactions_check *check)
{
    return (hd_tlm_extension){.id = HD_EXTENSION_TRANSACTIONS,
                              .pointer = hd_transaction_checker_extension(check->checker)};
}

/* ---- Intervals --------------------------------------------------------------------------------------------------- */

void transactions_check_begin(transactions_check *check)
{
    if (check && check->running++ == 0)
        hd_transaction_checker_begin(check->checker);
}

typedef struct report {
    FILE *stream;
    uint32_t lines;
} report;

static void line(void *context, const char *format, ...)
{
    report *report = context;
    va_list arguments;
    fputs(report->lines++ ? "\n  " : "transactions are not serialisable:\n  ", report->stream);
    va_start(arguments, format);
    vfprintf(report->stream, format, arguments);
    va_end(arguments);
}

void transactions_check_end(transactions_check *check, hd_time t)
{
    if (!check || --check->running > 0)
        return;
    char *text = NULL;
    size_t bytes;
    report report = {.stream = open_memstream(&text, &bytes)};
    if (!report.stream)
        abort();
    const hd_text_sink sink = {.context = &report, .line = line};
    const uint64_t violations = hd_transaction_checker_end(check->checker, &sink);
    fclose(report.stream);
    if (violations)
        hd_engine_report_fault(check->machine->engine, HD_NO_BLOCK, t, text);
    free(text);
}

const hd_transaction_checks *transactions_check_counts(transactions_check *check)
{
    if (!check)
        return NULL;
    check->counts = hd_transaction_checker_counts(check->checker);
    return &check->counts;
}
