/* SPDX-License-Identifier: MIT */
#include "program_profile.h"

#include "conflict_counts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "hd_profile.h"
#include "json_text.h"

/* One block that counts. */
typedef struct counted_block {
    uint32_t block;
    const hd_profile *ability;
    uint64_t *counts;
    conflict_counts conflicts;
} counted_block;

struct hd_program_profile {
    hd_engine *engine;
    const isa_program *program;
    uint32_t words;
    uint32_t block_count;
    counted_block *blocks;
};

static void *zeroed(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);
    if (!memory)
        abort();
    return memory;
}

static const hd_profile *ability_of(const hd_engine *engine, uint32_t block)
{
    const hd_block_class *type = hd_engine_block_class(engine, block);
    return type->extension ? type->extension(hd_engine_block(engine, block), HD_EXTENSION_PROFILE) : NULL;
}

static void conflict(void *context, uint32_t row, uint32_t winner, uint64_t lanes)
{
    conflict_counts_add(context, row, winner, lanes);
}

static void begin_block(hd_program_profile *profile, uint32_t block, const hd_profile *ability, uint32_t module)
{
    counted_block *counted = &profile->blocks[profile->block_count++];
    counted->block = block;
    counted->ability = ability;
    counted->counts = zeroed(((size_t)profile->words + 1) * ability->column_count, sizeof *counted->counts);
    conflict_counts_create(&counted->conflicts, profile->words + 1);
    hd_engine_counters(profile->engine, block);
    ability->begin(hd_engine_block(profile->engine, block),
                   &(hd_profile_table){.counts = counted->counts,
                                       .module = module,
                                       .first_pc = profile->program->text_address,
                                       .words = profile->words,
                                       .context = &counted->conflicts,
                                       .conflict = conflict});
}

hd_program_profile *hd_program_profile_begin(hd_engine *engine, uint32_t module, const isa_program *program)
{
    hd_program_profile *profile = zeroed(1, sizeof *profile);
    profile->engine = engine;
    profile->program = program;
    profile->words = program->text_bytes / 4;
    profile->blocks = zeroed(hd_engine_block_count(engine), sizeof *profile->blocks);
    for (uint32_t block = 0; block < hd_engine_block_count(engine); block++) {
        const hd_profile *ability = ability_of(engine, block);
        if (ability)
            begin_block(profile, block, ability, module);
    }
    if (profile->block_count)
        return profile;
    hd_program_profile_destroy(profile);
    return NULL;
}

void hd_program_profile_destroy(hd_program_profile *profile)
{
    if (!profile)
        return;
    for (uint32_t i = 0; i < profile->block_count; i++) {
        free(profile->blocks[i].counts);
        conflict_counts_destroy(&profile->blocks[i].conflicts);
    }
    free(profile->blocks);
    free(profile);
}

/* ---- Hot places --------------------------------------------------------------------------------------------------- */

static uint64_t instructions_at(const hd_program_profile *profile, uint32_t row)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < profile->block_count; b++) {
        const hd_profile *ability = profile->blocks[b].ability;
        for (uint32_t i = 0; i < ability->column_count; i++)
            if (!strcmp(ability->columns[i].name, "warp_instructions"))
                sum += profile->blocks[b].counts[(size_t)row * ability->column_count + i];
    }
    return sum;
}

uint32_t hd_program_profile_hottest(const hd_program_profile *profile, hd_hot_place *places, uint32_t room,
                                    uint64_t *all)
{
    uint32_t count = 0;
    *all = 0;
    for (uint32_t row = 0; row < profile->words; row++) {
        const hd_hot_place place = {profile->program->text_address + 4 * row, instructions_at(profile, row)};
        uint32_t at = count < room ? count : room;
        *all += place.instructions;
        for (; at > 0 && places[at - 1].instructions < place.instructions; at--)
            if (at < room)
                places[at] = places[at - 1];
        if (place.instructions && at < room) {
            places[at] = place;
            count += count < room;
        }
    }
    return count;
}

/* ---- As JSON ------------------------------------------------------------------------------------------------------ */

/* Columns of all blocks, each name once. */
static json_t *columns_json(const hd_program_profile *profile)
{
    json_t *columns = json_array(), *known = json_object();
    for (uint32_t b = 0; b < profile->block_count; b++) {
        const hd_profile *ability = profile->blocks[b].ability;
        for (uint32_t i = 0; i < ability->column_count; i++) {
            const hd_statistic *column = &ability->columns[i];
            if (json_object_get(known, column->name))
                continue;
            json_object_set_new(known, column->name, json_true());
            json_array_append_new(columns, json_pack("{s: s, s: s, s: s}", "name", column->name, "unit", column->unit,
                                                     "doc", column->doc));
        }
    }
    json_decref(known);
    return columns;
}

/* What is not 0, by name of column. */
static json_t *counts_json(const hd_program_profile *profile, uint32_t row)
{
    json_t *counts = json_object();
    for (uint32_t b = 0; b < profile->block_count; b++) {
        const hd_profile *ability = profile->blocks[b].ability;
        const uint64_t *of_row = profile->blocks[b].counts + (size_t)row * ability->column_count;
        for (uint32_t i = 0; i < ability->column_count; i++) {
            const char *name = ability->columns[i].name;
            const json_int_t before = json_integer_value(json_object_get(counts, name));
            if (of_row[i])
                json_object_set_new(counts, name, json_integer(before + (json_int_t)of_row[i]));
        }
    }
    return counts;
}

static json_t *row_json(const hd_program_profile *profile, uint32_t row, json_t *counts)
{
    const isa_program *program = profile->program;
    const uint32_t pc = program->text_address + 4 * row;
    const isa_instruction *instruction = isa_program_at(program, pc);
    char text[64] = "";
    uint32_t offset, line;
    const char *function = isa_program_symbol_at(program, pc, &offset), *file = isa_program_line(program, pc, &line);
    json_t *object = json_object();
    if (instruction)
        isa_disassemble(instruction, pc, text, sizeof text);
    json_object_set_new(object, "pc", json_integer(pc));
    json_object_set_new(object, "text", json_string(text));
    json_object_set_new(object, "function", function ? hd_json_text(function) : json_null());
    json_object_set_new(object, "file", file ? hd_json_text(file) : json_null());
    json_object_set_new(object, "line", file ? json_integer(line) : json_null());
    json_object_set_new(object, "counts", counts);
    return object;
}

static json_t *place_json(const hd_program_profile *profile, uint32_t row)
{
    return row < profile->words ? json_integer(profile->program->text_address + 4 * row) : json_null();
}

/* Of all blocks, by loser and winner. */
static json_t *conflicts_json(const hd_program_profile *profile)
{
    json_t *conflicts = json_array();
    conflict_counts all;
    conflict_counts_create(&all, profile->words + 1);
    for (uint32_t b = 0; b < profile->block_count; b++) {
        const conflict_counts *counts = &profile->blocks[b].conflicts;
        for (uint32_t i = 0; i < counts->count; i++)
            conflict_counts_add(&all, counts->pairs[i].row, counts->pairs[i].winner, counts->pairs[i].lanes);
    }
    conflict_counts_sort(&all);
    for (uint32_t i = 0; i < all.count; i++)
        json_array_append_new(conflicts, json_pack("{s: o, s: o, s: I}", "pc", place_json(profile, all.pairs[i].row),
                                                   "winner_pc", place_json(profile, all.pairs[i].winner), "lanes",
                                                   (json_int_t)all.pairs[i].lanes));
    conflict_counts_destroy(&all);
    return conflicts;
}

json_t *hd_program_profile_json(const hd_program_profile *profile)
{
    json_t *rows = json_array(), *object = json_object();
    for (uint32_t b = 0; b < profile->block_count; b++)
        hd_engine_counters(profile->engine, profile->blocks[b].block); /* brings its table up to date */
    for (uint32_t row = 0; row < profile->words; row++) {
        json_t *counts = counts_json(profile, row);
        if (json_object_size(counts))
            json_array_append_new(rows, row_json(profile, row, counts));
        else
            json_decref(counts);
    }
    json_object_set_new(object, "columns", columns_json(profile));
    json_object_set_new(object, "rows", rows);
    json_object_set_new(object, "elsewhere", counts_json(profile, profile->words));
    json_object_set_new(object, "conflicts", conflicts_json(profile));
    return object;
}
