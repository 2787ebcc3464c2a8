/* SPDX-License-Identifier: MIT */
/* Where everything is: addresses, memory partitions, endpoints. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "hd_extension.h"
#include "show.h"
#include "table.h"
#include "text_value.h"
#include "windows.h"

/* What a thread sees of the machine, whatever the machine. The end is the first address behind. */
static const struct {
    uint64_t base, end;
    const char *name, *doc;
} thread_windows[] = {
    {0, HD_UNMAPPED_END, "nothing", "a null dereference"},
    {HD_SCRATCHPAD_BASE, HD_SCRATCHPAD_END, "scratchpad", "of the thread block"},
    {HD_PRIVATE_BASE, HD_PRIVATE_END, "private", "of the thread: its stack"},
    {HD_CONSTANT_BASE, HD_CONSTANT_END, "constant", "arguments of the kernel"},
    {HD_GLOBAL_BASE, UINT64_C(1) << 32, "global", "of the machine, as physical memory"},
};

static const char *range(arena *memory, uint64_t first, uint64_t last, uint32_t digits)
{
    return arena_format(memory, "0x%0*" PRIx64 " .. 0x%0*" PRIx64, (int)digits, first, (int)digits, last);
}

static const char *size(arena *memory, hd_u128 bytes)
{
    char text[48];
    if (bytes > UINT64_MAX)
        return "2^64 B";
    unsigned_to_short_text((uint64_t)bytes, HD_UNIT_BYTES, text, sizeof text);
    return arena_copy(memory, text, strlen(text));
}

static int by_address(const void *a, const void *b)
{
    const netlist_window *left = a, *right = b;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return left->block < right->block ? -1 : left->block > right->block;
}

static void print_windows(const netlist *machine, arena *memory, FILE *out)
{
    uint32_t count;
    netlist_window *windows = netlist_windows(machine, memory, &count);
    qsort(windows, count, sizeof *windows, by_address);
    table rows = {.memory = memory, .columns = 5};
    for (uint32_t i = 0; i < count; i++) {
        const netlist_window *window = &windows[i];
        const netlist_block *owner = &machine->blocks[window->block];
        const char *name = window->port == NETLIST_NONE
                               ? owner->name
                               : arena_format(memory, "%s.%s", owner->name, window->declared->port);
        TABLE_ROW(&rows, range(memory, window->first, window->last, 11),
                  size(memory, (hd_u128)window->last - window->first + 1), name, window->declared->name,
                  window->declared->doc);
    }
    table_write(&rows, "physical addresses, and those that only a port shows", "    ", TEXT_PLAIN, out);
}

static uint64_t end_of(uint64_t base, uint64_t end, const netlist *machine)
{
    const uint64_t memory_end = base == HD_GLOBAL_BASE ? netlist_memory_end(machine) : 0;
    return memory_end ? memory_end : end;
}

static void print_thread_windows(const netlist *machine, arena *memory, FILE *out)
{
    table rows = {.memory = memory, .columns = 3};
    for (size_t i = 0; i < sizeof thread_windows / sizeof *thread_windows; i++)
        TABLE_ROW(&rows,
                  range(memory, thread_windows[i].base,
                        end_of(thread_windows[i].base, thread_windows[i].end, machine) - 1, 8),
                  thread_windows[i].name, thread_windows[i].doc);
    table_write(&rows, "addresses of a thread", "    ", TEXT_PLAIN, out);
}

/* "dram[3].access", ...: where the memory links of one instance lead. */
static const char *behind(const netlist *machine, uint32_t block, uint32_t instance, arena *memory)
{
    const char *text = "";
    for (uint32_t i = 0; i < machine->link_count; i++) {
        const netlist_link *link = &machine->links[i];
        char end[NETLIST_SHOWN_BYTES];
        if (!link->is_memory || link->from.block != block || link->from.instance != instance)
            continue;
        netlist_print_end(machine, link->to, end, sizeof end);
        text = arena_format(memory, "%s%s%s", text, *text ? ", " : "", end);
    }
    return *text ? arena_format(memory, "-> %s", text) : "";
}

/* Below the first bits that a hash looks at. */
static uint64_t first_of(const hd_address_map *map, uint32_t partition)
{
    uint64_t address = 0;
    while (hd_partition_of(map, address) != partition)
        address += hd_partition_run(map);
    return address;
}

static void print_partitions(const netlist *machine, arena *memory, FILE *out)
{
    uint32_t block = machine->address_map.block;
    if (block == NETLIST_NONE)
        return;
    const netlist_block *slices = &machine->blocks[block];
    const netlist_address_map *values = &machine->address_map;
    const hd_address_map map = {.partitions = slices->count,
                                .interleave_bytes = values->interleave_bytes,
                                .sub_partitions = values->sub_partitions,
                                .sub_interleave_bytes = values->sub_interleave_bytes};
    const uint64_t row = hd_partition_run(&map), all = slices->count * row;
    const uint64_t again = values->sub_partitions > 1 && row < values->sub_interleave_bytes
                               ? all / row * values->sub_interleave_bytes
                               : all;
    table rows = {.memory = memory, .columns = 5};
    for (uint32_t i = 0; i < slices->count; i++) {
        char name[128];
        netlist_instance_name(machine, block, i, name, sizeof name);
        const uint64_t first = first_of(&map, i);
        TABLE_ROW(&rows, arena_format(memory, "%u", i), range(memory, first, first + row - 1, 4),
                  arena_format(memory, "%s", name), arena_format(memory, "endpoint %u", slices->first_endpoint + i),
                  behind(machine, block, i, memory));
    }
    const char *title =
        arena_format(memory, "memory partitions: %s of each in turn, again every %s%s%s", size(memory, row),
                     size(memory, again), values->hash == HD_HASH_NONE ? "" : ", in another order by the hash ",
                     values->hash == HD_HASH_NONE ? "" : netlist_hash_names[values->hash]);
    table_write(&rows, title, "    ", TEXT_PLAIN, out);
}

static const char *names(const netlist_block *block, arena *memory)
{
    if (!block->is_array)
        return block->name;
    if (block->count == 1)
        return arena_format(memory, "%s[0]", block->name);
    return arena_format(memory, "%s[0] .. %s[%u]", block->name, block->name, block->count - 1);
}

static void print_endpoints(const netlist *machine, arena *memory, FILE *out)
{
    table rows = {.memory = memory, .columns = 3};
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const netlist_block *block = &machine->blocks[b];
        uint32_t last = block->count - 1;
        TABLE_ROW(&rows,
                  last ? arena_format(memory, "%u .. %u", block->first_endpoint, block->first_endpoint + last)
                       : arena_format(memory, "%u", block->first_endpoint),
                  names(block, memory),
                  arena_format(memory, "%s/%s", block->block_class->kind, block->block_class->type));
    }
    table_write(&rows, "endpoints: source and destination of packets", "    ", TEXT_PLAIN, out);
}

void netlist_map(const netlist *machine, FILE *out)
{
    arena memory = {0};
    fprintf(out, "%s\n", machine->name);
    print_windows(machine, &memory, out);
    print_partitions(machine, &memory, out);
    print_endpoints(machine, &memory, out);
    netlist_print_reach(machine, &memory, out);
    print_thread_windows(machine, &memory, out);
    arena_free(&memory);
}
