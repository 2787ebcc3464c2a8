/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void place(void *context, uint32_t module, uint32_t pc, char *text, size_t bytes)
{
    (void)context;
    snprintf(text, bytes, "module %u line %u", module, pc);
}

static const char *block(void *context, uint32_t endpoint)
{
    (void)context;
    return endpoint % 2 ? "core[1]" : "core[0]";
}

static uint32_t word(void *context, uint32_t endpoint, uint32_t address, uint32_t is_store, hd_access_word *word)
{
    (void)context, (void)endpoint;
    *word = (hd_access_word){.address = address};
    if (address == MEET)
        word->order = HD_ACCESS_PUBLISHES | HD_ACCESS_SEES;
    if (address == HAND || address == TAKE)
        *word = (hd_access_word){address == HAND && is_store ? HD_ACCESS_PUBLISHES : HD_ACCESS_SEES, HAND};
    return address >= MEET && address <= OTHER;
}

void rig_open(rig *rig)
{
    const hd_access_places places = {.place = place, .block = block, .word = word};
    *rig = (struct rig){.stream = hd_access_stream_create(2, 1), .t = 1000};
    rig->page = open_memstream(&rig->text, &rig->bytes);
    cr_assert(rig->page);
    rig->memory = hd_memory_checker_create(&places);
    rig->races = hd_race_checker_create(&places, &rig->blocks);
}

static hd_block_launch launch_of(uint32_t launch, uint32_t number, uint32_t blocks)
{
    return (hd_block_launch){.grid = {.launch = launch, .grid_size = {blocks, 1, 1}, .block_size = {RIG_BLOCK, 1, 1}},
                             .block_index = {number, 0, 0}};
}

static void tell(rig *rig, uint32_t launch, uint32_t number, uint32_t blocks, hd_access access)
{
    const hd_block_launch block = launch_of(launch, number, blocks);
    const hd_accesses *to = hd_access_stream_extension(rig->stream);
    access.t = rig->t++;
    access.warp_lanes = RIG_LANES;
    to->told(to->context, number % 2, &block, &access);
}

void rig_begin_launch(rig *rig, uint32_t launch, uint32_t blocks)
{
    for (uint32_t i = 0; i < blocks; i++)
        tell(rig, launch, i, blocks, (hd_access){.kind = HD_ACCESS_BEGIN});
}

void rig_end_launch(rig *rig, uint32_t launch, uint32_t blocks)
{
    for (uint32_t i = 0; i < blocks; i++)
        tell(rig, launch, i, blocks, (hd_access){.kind = HD_ACCESS_END});
}

void rig_begin(rig *rig)
{
    rig_begin_launch(rig, 0, RIG_GRID);
}

/* ---- As the machine does (program_check.c) ---------------------------------------------------------------------------- */

static void check(void *context, const hd_access_record *record)
{
    rig *rig = context;
    const uint64_t number = ++rig->number;
    if (hd_access_blocks_begins(&rig->blocks, record)) {
        hd_access_blocks_forget(&rig->blocks);
        hd_race_checker_forget(rig->races);
    }
    if (record->kind == HD_ACCESS_BEGIN)
        hd_access_blocks_take(&rig->blocks, record, number);
    const uint32_t index =
        record->kind == HD_ACCESS_WRITTEN ? HD_NO_ACCESS_BLOCK : hd_access_blocks_find(&rig->blocks, record->block);
    hd_memory_checker_take(rig->memory, record, index == HD_NO_ACCESS_BLOCK ? NULL : &rig->blocks.items[index]);
    hd_race_checker_take(rig->races, record, number);
    if (record->kind == HD_ACCESS_END)
        hd_access_blocks_take(&rig->blocks, record, number);
}

static void take(void *context, const hd_access_record *record)
{
    rig *rig = context;
    hd_access_transactions_take(&rig->transactions, record, rig, check);
}

void rig_drain(rig *rig)
{
    hd_access_stream_drain(rig->stream, rig, take);
}

static void line(void *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(context, format, arguments);
    va_end(arguments);
    fputc('\n', context);
}

void rig_show(rig *rig)
{
    const hd_text_sink sink = {.context = rig->page, .line = line};
    rig_drain(rig);
    if (rig->live)
        rig->found += hd_memory_checker_print(rig->memory, &sink);
    rig->found += hd_race_checker_print(rig->races, &sink);
}

void rig_finish(rig *rig)
{
    rig_show(rig);
    fclose(rig->page);
    hd_access_transactions_forget(&rig->transactions);
    hd_memory_checker_destroy(rig->memory);
    hd_race_checker_destroy(rig->races);
    hd_access_blocks_forget(&rig->blocks);
    hd_access_stream_destroy(rig->stream);
}

/* ---- Allocations ------------------------------------------------------------------------------------------------------- */

static void tell_allocations(rig *rig)
{
    const hd_allocations all = {.items = rig->items, .count = rig->live + rig->freed, .live = rig->live};
    hd_memory_checker_allocations(rig->memory, &all);
    hd_race_checker_allocations(rig->races, &all);
}

/* By ascending address. */
void rig_allocate(rig *rig, uint32_t number, uint32_t address, uint32_t bytes, uint32_t owner)
{
    rig_drain(rig);
    memmove(&rig->items[rig->live + 1], &rig->items[rig->live], rig->freed * sizeof *rig->items);
    hd_allocation *added = &rig->items[rig->live++];
    *added = (hd_allocation){.address = address, .bytes = bytes, .number = number, .ordinal = number, .owner = owner};
    snprintf(added->site, sizeof added->site, "host.c:%u", number);
    tell_allocations(rig);
}

void rig_free(rig *rig, uint32_t number)
{
    rig_drain(rig);
    uint32_t i = 0;
    while (rig->items[i].number != number)
        i++;
    hd_allocation freed = rig->items[i];
    freed.is_freed = 1;
    snprintf(freed.freed, sizeof freed.freed, "host.c:%u", 100 + number);
    memmove(&rig->items[i], &rig->items[i + 1], (--rig->live + rig->freed - i) * sizeof freed);
    rig->items[rig->live + rig->freed++] = freed;
    tell_allocations(rig);
}

/* ---- Threads ----------------------------------------------------------------------------------------------------------- */

static void tell_lane(rig *rig, rig_thread by, hd_access access)
{
    const uint32_t in_block = by.number % RIG_BLOCK;
    access.warp = in_block / RIG_LANES;
    access.lanes = UINT64_C(1) << in_block % RIG_LANES;
    tell(rig, by.launch, by.number / RIG_BLOCK, by.launch ? 1 : RIG_GRID, access);
}

void rig_access(rig *rig, rig_thread by, uint32_t kind, uint32_t flags, uint32_t address, uint32_t bytes,
                uint32_t value, uint32_t pc)
{
    uint32_t addresses[RIG_LANES], values[RIG_LANES];
    for (uint32_t lane = 0; lane < RIG_LANES; lane++) {
        addresses[lane] = address;
        values[lane] = value;
    }
    tell_lane(rig, by,
              (hd_access){.kind = kind,
                          .flags = flags,
                          .pc = pc,
                          .bytes = bytes,
                          .ticket = by.number,
                          .address = addresses,
                          .value = kind == HD_ACCESS_STORE ? values : NULL});
}

void rig_sample(rig *rig, rig_thread by)
{
    tell_lane(rig, by, (hd_access){.kind = HD_ACCESS_SAMPLED, .ticket = by.number});
}

void rig_load(rig *rig, rig_thread by, uint32_t address)
{
    rig_access(rig, by, HD_ACCESS_LOAD, 0, address, 4, 0, 100);
}

void rig_store(rig *rig, rig_thread by, uint32_t address, uint32_t value)
{
    rig_access(rig, by, HD_ACCESS_STORE, 0, address, 4, value, 200);
}

void rig_atomic(rig *rig, rig_thread by, uint32_t flags, uint32_t address)
{
    rig_access(rig, by, HD_ACCESS_ATOMIC, flags, address, 4, 0, 300);
    rig_sample(rig, by);
}

void rig_load_cg(rig *rig, rig_thread by, uint32_t address)
{
    rig_access(rig, by, HD_ACCESS_LOAD, HD_ACCESS_UNCACHED, address, 4, 0, 400);
    rig_sample(rig, by);
}

void rig_fence(rig *rig, rig_thread by, uint32_t flags)
{
    tell_lane(rig, by, (hd_access){.kind = HD_ACCESS_FENCE, .flags = flags});
}

void rig_lane(rig *rig, rig_thread by, uint32_t kind)
{
    tell_lane(rig, by, (hd_access){.kind = kind});
}

void rig_barrier(rig *rig, uint32_t block)
{
    tell(rig, 0, block, RIG_GRID, (hd_access){.kind = HD_ACCESS_BARRIER});
}

void rig_warp_sync(rig *rig, uint32_t block, uint32_t warp)
{
    tell(rig, 0, block, RIG_GRID, (hd_access){.kind = HD_ACCESS_WARP_SYNC, .warp = warp});
}

void rig_written(rig *rig, uint32_t address, uint32_t bytes)
{
    struct {
        hd_packet header;
        uint8_t body[HD_LINE_BYTES + sizeof(hd_store)];
    } packet = {.header = {.address = address, .argument = bytes, .body_bytes = (uint32_t)sizeof(hd_store) + bytes}};
    hd_store *store = hd_body(&packet.header);
    for (uint32_t i = 0; i < bytes; i++)
        store->byte_mask[i / 32] |= 1u << i % 32;
    uint64_t note = 0;
    hd_access_tap.on_write(hd_access_stream_slice(rig->stream, 0), 0,
                           &(hd_tap_access){.request = &packet.header, .t = rig->t++}, &note);
}

void rig_expect_clean(rig *rig)
{
    rig_finish(rig);
    cr_expect_eq(rig->found, 0, "%s", rig->text);
    cr_expect_str_empty(rig->text);
    free(rig->text);
}

void rig_expect_texts(rig *rig, const char *const *parts)
{
    for (; *parts; parts++)
        cr_expect_not_null(strstr(rig->text, *parts), "no \"%s\" in:\n%s", *parts, rig->text);
    free(rig->text);
}
