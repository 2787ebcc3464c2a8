/* SPDX-License-Identifier: MIT */
/*
 * What the table of words (shuffle/array_table.h) is told as instructions issue. Who is told when something issues, and not when it takes
 * place, has it in the order of each warp; between warps a store may be told of before it is there, and never after.
 */
#include "context_scratchpad.h"
#include "core_lanes.h"
#include "tx/tx.h"
#include "window.h"

#define WORD_BYTES 4u

/* context.foreign_store_check */
enum { CHECK_DETECT, CHECK_STRICT };

void words_announce(simt_core *core, uint32_t path)
{
    const isa_instruction *instruction = core->path_states[path].instruction;
    for (uint64_t left = core->paths[path].mask; left;) {
        const home_part part = homes_take(core_homes(core, path), &left);
        if (instruction->writes)
            array_table_change(&core->words, part.row, instruction->writes);
        if (instruction->instruction_class == ISA_CLASS_TRANSACTION)
            array_table_order(&core->words, core->warps[part.row].block);
    }
}

static uint64_t lanes_in(uint32_t window, const uint32_t *address, uint64_t lanes)
{
    uint64_t found = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        found |= window_of(address[__builtin_ctzll(left)]) == window ? left & -left : 0;
    return found;
}

/* May the words be an array if they are stored to the scratchpad? */
static uint32_t may_be_array(const simt_core *core, uint32_t path, const isa_instruction *instruction)
{
    return instruction->access_bytes == WORD_BYTES && instruction->writes &&
           !tx_is_inside(core->tx.transactions, path) &&
           (core_parameter_of(core, PARAMETER_CONTEXT_FOREIGN_STORES) == CHECK_DETECT ||
            instruction->flags & ISA_FLAG_LOAD_READ_ONLY);
}

static void note_load(simt_core *core, uint32_t path, const isa_instruction *instruction, const uint32_t *address,
                      home_part part)
{
    const uint64_t global = lanes_in(WINDOW_GLOBAL, address, part.lanes);
    uint64_t places[ARRAY_MAX_LANES];
    array_access access = {
        .row = part.row, .block = core->warps[part.row].block, .number = instruction->rd, .places = places};
    if (!global)
        return;
    if (global == part.lanes && may_be_array(core, path, instruction))
        access.lanes = global;
    for (uint64_t left = access.lanes; left; left &= left - 1)
        places[__builtin_ctzll(left)] = address[__builtin_ctzll(left)];
    array_table_load(&core->words, &access);
}

/* Of the words that lie side by side at once. */
static void note_global(simt_core *core, const uint32_t *address, uint64_t lanes, uint32_t bytes)
{
    while (lanes) {
        const uint64_t first = address[__builtin_ctzll(lanes)];
        uint64_t end = first;
        for (; lanes && address[__builtin_ctzll(lanes)] == end; lanes &= lanes - 1)
            end += bytes;
        array_table_store_global(&core->words, first, end - first);
        arrays_note_store(core, first, end - first);
    }
}

static void note_scratchpad(simt_core *core, uint32_t path, const isa_instruction *instruction, const uint32_t *address,
                            home_part part)
{
    const uint32_t slot = core->warps[part.row].block;
    const uint32_t is_copy = instruction->instruction_class == ISA_CLASS_STORE &&
                             instruction->access_bytes == WORD_BYTES && !tx_is_inside(core->tx.transactions, path);
    uint64_t places[ARRAY_MAX_LANES];
    array_access access = {
        .row = part.row, .block = slot, .number = is_copy ? instruction->rs2 : ISA_NO_REGISTER, .places = places};
    for (uint64_t left = part.lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t place = address[lane] - HD_SCRATCHPAD_BASE;
        if (place >= core->blocks[slot].launch.grid.scratchpad_bytes)
            continue;
        places[lane] = place / WORD_BYTES;
        access.lanes |= UINT64_C(1) << lane;
    }
    array_table_store(&core->words, &access);
}

static void note_change(simt_core *core, uint32_t path, const isa_instruction *instruction, const uint32_t *address,
                        home_part part)
{
    const uint32_t is_atomic = instruction->instruction_class == ISA_CLASS_ATOMIC;
    note_scratchpad(core, path, instruction, address, part);
    const uint64_t global = core->words.knows_arrays ? lanes_in(WINDOW_GLOBAL, address, part.lanes) : 0;
    if (!global)
        return;
    note_global(core, address, global, is_atomic ? WORD_BYTES : instruction->access_bytes);
    if (is_atomic)
        array_table_order(&core->words, core->warps[part.row].block);
}

void words_note(simt_core *core, uint32_t path, const isa_instruction *instruction, const uint32_t *address)
{
    const uint32_t is_load = instruction->instruction_class == ISA_CLASS_LOAD;
    if (is_load && !core->words.knows_arrays)
        return;
    for (uint64_t left = core->paths[path].mask; left;) {
        const home_part part = homes_take(core_homes(core, path), &left);
        (is_load ? note_load : note_change)(core, path, instruction, address, part);
    }
}

void words_commit(simt_core *core, uint32_t warp)
{
    if (core->words.knows_arrays)
        array_table_order(&core->words, core->warps[warp].block);
}

void words_register_written(simt_core *core, uint32_t row, uint32_t number)
{
    if (core->words.knows_arrays)
        array_table_change(&core->words, row, UINT64_C(1) << number);
}
