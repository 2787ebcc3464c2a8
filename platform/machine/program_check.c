/* SPDX-License-Identifier: MIT */
#include "program_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_transactions.h"
#include "device_memory.h"
#include "engine_link.h"

/* To a block that answers some addresses itself. */
typedef struct way {
    uint32_t is_known;
    hd_link_end at;
    const hd_access_words *words; /* NULL: there is none */
} way;

struct program_check {
    hd_machine *machine;
    hd_access_stream *stream;
    hd_access_transactions transactions;
    hd_access_blocks blocks;
    device_memory device;
    hd_memory_checker *memory; /* NULL: not checked */
    hd_race_checker *races;
    uint64_t number;  /* of reports */
    struct way *ways; /* by endpoint */
    hd_memory_checks memory_counts;
    hd_race_checks race_counts;
};

/* ---- Where things are ------------------------------------------------------------------------------------------------ */

static void place(void *context, uint32_t module, uint32_t pc, char *text, size_t bytes)
{
    machine_place(((const program_check *)context)->machine, module, pc, text, bytes);
}

static const char *block_name(void *context, uint32_t endpoint)
{
    const program_check *check = context;
    return hd_engine_block_name(check->machine->engine, endpoint);
}

static uint32_t word(void *context, uint32_t endpoint, uint32_t address, uint32_t is_store, hd_access_word *found)
{
    const program_check *check = context;
    const hd_engine *engine = check->machine->engine;
    way *to = &check->ways[endpoint];
    if (!to->is_known)
        to->words = hd_engine_ability_of_receiver(engine, endpoint, HD_EXTENSION_ACCESS_WORDS, &to->at);
    to->is_known = 1;
    return to->words && to->words->find(hd_engine_block(engine, to->at.block), to->at.port, to->at.element, address,
                                        is_store, found);
}

static hd_block *slice_of(void *stream, uint32_t point)
{
    return hd_access_stream_slice(stream, point);
}

/* ---- Life ------------------------------------------------------------------------------------------------------------ */

static uint32_t can_check_memory(const hd_machine *machine, const ordering_points *points, char **error)
{
    if (!points->count)
        *error =
            hd_text_format("error: %s: --check-memory: no block of the machine tells what is written to memory, as "
                           "an l2_slice does by its port of direction 'tapped'\n",
                           machine->netlist->file);
    else if (!device_memory_is_known(machine))
        *error =
            hd_text_format("error: %s: --check-memory: what the host program allocates is not known: the host CPU is a "
                           "model from elsewhere, or its firmware has no symbols or another version of the runtime\n",
                           machine->netlist->file);
    else
        return 1;
    return 0;
}

program_check *program_check_create(hd_machine *machine, const hd_machine_setup *setup, const ordering_points *points,
                                    ordering_taps *taps, char **error)
{
    if (!setup->app && !setup->driven) {
        *error = hd_text_format("error: %s: there is no app, and so no program to check\n",
                                setup->check_memory ? "--check-memory" : "--check-races");
        return NULL;
    }
    if (setup->check_memory && !can_check_memory(machine, points, error))
        return NULL;
    program_check *check = calloc(1, sizeof *check);
    if (!check)
        abort();
    check->machine = machine;
    check->ways = calloc(machine->netlist->endpoint_count + 1, sizeof *check->ways);
    if (!check->ways)
        abort();
    check->stream = hd_access_stream_create(machine->netlist->endpoint_count, points->count);
    const hd_access_places places = {.context = check, .place = place, .block = block_name, .word = word};
    if (setup->check_races)
        check->races = hd_race_checker_create(&places, &check->blocks);
    if (setup->check_memory) {
        check->memory = hd_memory_checker_create(&places);
        ordering_taps_add(taps, points, &hd_access_tap, check->stream, slice_of);
    }
    return check;
}

void program_check_destroy(program_check *check)
{
    if (!check)
        return;
    hd_memory_checker_destroy(check->memory);
    hd_race_checker_destroy(check->races);
    hd_access_transactions_forget(&check->transactions);
    hd_access_blocks_forget(&check->blocks);
    hd_access_stream_destroy(check->stream);
    device_memory_free(&check->device);
    free(check->ways);
    free(check);
}

hd_tlm_extension program_check_extension(program_check *check)
{
    return (hd_tlm_extension){.id = HD_EXTENSION_ACCESSES, .pointer = hd_access_stream_extension(check->stream)};
}

/* ---- Reports --------------------------------------------------------------------------------------------------------- */

static void check_record(void *context, const hd_access_record *record)
{
    program_check *check = context;
    const uint64_t number = ++check->number;
    if (hd_access_blocks_begins(&check->blocks, record)) {
        hd_access_blocks_forget(&check->blocks);
        if (check->races)
            hd_race_checker_forget(check->races);
    }
    if (record->kind == HD_ACCESS_BEGIN)
        hd_access_blocks_take(&check->blocks, record, number);
    if (check->memory) {
        const uint32_t index = record->kind == HD_ACCESS_WRITTEN ? HD_NO_ACCESS_BLOCK
                                                                 : hd_access_blocks_find(&check->blocks, record->block);
        hd_memory_checker_take(check->memory, record, index == HD_NO_ACCESS_BLOCK ? NULL : &check->blocks.items[index]);
    }
    if (check->races)
        hd_race_checker_take(check->races, record, number);
    if (record->kind == HD_ACCESS_END)
        hd_access_blocks_take(&check->blocks, record, number);
}

static void take(void *context, const hd_access_record *record)
{
    program_check *check = context;
    hd_access_transactions_take(&check->transactions, record, check, check_record);
}

static void read_allocations(program_check *check)
{
    if (!device_memory_read(&check->device, check->machine))
        return;
    if (check->memory)
        hd_memory_checker_allocations(check->memory, &check->device.all);
    if (check->races)
        hd_race_checker_allocations(check->races, &check->device.all);
}

void program_check_drain(program_check *check)
{
    if (!check)
        return;
    read_allocations(check);
    hd_access_stream_drain(check->stream, check, take);
}

/* ---- What was found ---------------------------------------------------------------------------------------------------- */

typedef struct page {
    FILE *stream;
    const char *title;
} page;

static void line(void *context, const char *format, ...)
{
    page *page = context;
    va_list arguments;
    if (page->title)
        fprintf(page->stream, "%s:\n", page->title);
    page->title = NULL;
    fputs("  ", page->stream);
    va_start(arguments, format);
    vfprintf(page->stream, format, arguments);
    va_end(arguments);
    fputc('\n', page->stream);
}

char *program_check_text(program_check *check)
{
    char *text = NULL;
    size_t bytes;
    uint32_t found = 0;
    if (!check)
        return NULL;
    page page = {.stream = open_memstream(&text, &bytes)};
    if (!page.stream)
        abort();
    const hd_text_sink sink = {.context = &page, .line = line};
    page.title = "memory errors";
    if (check->memory)
        found += hd_memory_checker_print(check->memory, &sink);
    page.title = "data races";
    if (check->races)
        found += hd_race_checker_print(check->races, &sink);
    fclose(page.stream);
    if (found)
        return text;
    free(text);
    return NULL;
}

void program_check_kernel_end(program_check *check, hd_time t)
{
    if (!check)
        return;
    program_check_drain(check);
    char *text = check->blocks.running ? NULL : program_check_text(check);
    if (!text)
        return;
    text[strlen(text) - 1] = '\0';
    hd_engine_report_fault(check->machine->engine, HD_NO_BLOCK, t, text);
    free(text);
}

const hd_memory_checks *program_check_memory(program_check *check)
{
    if (!check || !check->memory)
        return NULL;
    check->memory_counts = hd_memory_checker_counts(check->memory);
    return &check->memory_counts;
}

const hd_race_checks *program_check_races(program_check *check)
{
    if (!check || !check->races)
        return NULL;
    check->race_counts = hd_race_checker_counts(check->races);
    return &check->race_counts;
}
