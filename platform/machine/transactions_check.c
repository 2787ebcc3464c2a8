/* SPDX-License-Identifier: MIT */
#include "transactions_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "program.h"

struct transactions_check {
    hd_machine *machine;
    hd_transaction_checker *checker;
    hd_tlm_tap *taps; /* of slice s: taps[s] */
    uint32_t slice_count;
    uint32_t running; /* kernels */
    uint32_t reserved;
    hd_transaction_checks counts;
};

/* ---- Where things are -------------------------------------------------------------------------------------------- */

static void place(void *context, uint32_t module, uint32_t pc, char *text, size_t bytes)
{
    const transactions_check *check = context;
    const isa_program *program = hd_program_registry_find(check->machine->programs, module);
    if (program)
        isa_program_place(program, pc, text, bytes);
    else
        snprintf(text, bytes, "0x%x", pc);
}

static uint32_t memory(void *context, uint64_t address, uint32_t *word)
{
    const transactions_check *check = context;
    const hd_address_map *map = &check->machine->address_map;
    if (!map->partitions)
        return 0;
    const uint32_t slice = map->endpoints[hd_partition_of(map, address)];
    return slice != HD_FOREIGN && hd_engine_debug_access(hd_tlm_engine(check->machine->tlm), slice, UINT32_MAX, address,
                                                         word, sizeof *word, 0) == sizeof *word;
}

/* ---- Ordering points --------------------------------------------------------------------------------------------- */

static uint32_t tapped_port(const hd_block_class *block_class)
{
    for (uint32_t port = 0; port < block_class->port_count; port++)
        if (block_class->ports[port].direction == HD_PORT_TAPPED)
            return port;
    return UINT32_MAX;
}

/* Taps of the netlist on that instance. */
static uint32_t taps_bound(const netlist *list, uint32_t block, uint32_t instance)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->link_count; i++)
        count +=
            list->links[i].is_tap && list->links[i].from.block == block && list->links[i].from.instance == instance;
    return count;
}

static void find_slices(transactions_check *check)
{
    const netlist *list = check->machine->netlist;
    check->taps = calloc(list->endpoint_count + 1, sizeof *check->taps);
    if (!check->taps)
        abort();
    for (uint32_t block = 0; block < list->block_count; block++) {
        const uint32_t port = tapped_port(list->blocks[block].block_class);
        for (uint32_t i = 0; i < list->blocks[block].count && port != UINT32_MAX; i++)
            check->taps[check->slice_count++] =
                (hd_tlm_tap){.block = check->machine->endpoints[list->blocks[block].first_endpoint + i],
                             .port = port,
                             .element = taps_bound(list, block, i),
                             .tap = &hd_transaction_tap};
    }
}

transactions_check *transactions_check_create(hd_machine *machine, hd_tlm_options *tlm)
{
    transactions_check *check = calloc(1, sizeof *check);
    if (!check)
        abort();
    check->machine = machine;
    find_slices(check);
    const hd_transaction_places places = {.context = check, .place = place, .memory = memory};
    check->checker = hd_transaction_checker_create(check->slice_count, machine->netlist->endpoint_count, &places);
    for (uint32_t i = 0; i < check->slice_count; i++)
        check->taps[i].context = hd_transaction_checker_slice(check->checker, i);
    tlm->taps = check->taps;
    tlm->tap_count = check->slice_count;
    return check;
}

void transactions_check_destroy(transactions_check *check)
{
    if (!check)
        return;
    hd_transaction_checker_destroy(check->checker);
    free(check->taps);
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
        hd_engine_report_fault(hd_tlm_engine(check->machine->tlm), HD_NO_BLOCK, t, text);
    free(text);
}

const hd_transaction_checks *transactions_check_counts(transactions_check *check)
{
    if (!check)
        return NULL;
    check->counts = hd_transaction_checker_counts(check->checker);
    return &check->counts;
}
