/* SPDX-License-Identifier: MIT */
#include "program_profile.h"

#include "conflict_counts.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_profile.h"
#include "json_text.h"
#include "text.h"

/* One block that counts. */
typedef struct counted_block {
    uint32_t block;
    const hd_profile *ability;
    uint64_t *counts;
    conflict_counts conflicts;
} counted_block;

/* Of one program. */
typedef struct profiled {
    hd_profiled_program of;
    uint32_t words;
    uint32_t first_row;
} profiled;

struct hd_program_profile {
    hd_engine *engine;
    uint32_t program_count;
    uint32_t rows; /* those of all programs, and the one without a place */
    profiled *programs;
    hd_profile_program *more; /* the same but for the first, as blocks know them */
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

static void begin_block(hd_program_profile *profile, uint32_t block, const hd_profile *ability)
{
    counted_block *counted = &profile->blocks[profile->block_count++];
    counted->block = block;
    counted->ability = ability;
    counted->counts = zeroed((size_t)profile->rows * ability->column_count, sizeof *counted->counts);
    conflict_counts_create(&counted->conflicts, profile->rows);
    hd_engine_counters(profile->engine, block);
    ability->begin(hd_engine_block(profile->engine, block),
                   &(hd_profile_table){.counts = counted->counts,
                                       .module = profile->programs->of.module,
                                       .first_pc = profile->programs->of.program->text_address,
                                       .words = profile->programs->words,
                                       .more_count = profile->program_count - 1,
                                       .more = profile->more,
                                       .context = &counted->conflicts,
                                       .conflict = conflict});
}

/* Rows of the first program, the one without a place, rows of the others. */
static void place_programs(hd_program_profile *profile, const hd_profiled_program *programs, uint32_t count)
{
    profile->program_count = count;
    profile->programs = zeroed(count, sizeof *profile->programs);
    profile->more = zeroed(count, sizeof *profile->more);
    for (uint32_t i = 0; i < count; i++) {
        profiled *added = &profile->programs[i];
        *added =
            (profiled){.of = programs[i], .words = programs[i].program->text_bytes / 4, .first_row = profile->rows};
        profile->rows += added->words + !i;
        if (i)
            profile->more[i - 1] = (hd_profile_program){.module = added->of.module,
                                                        .first_pc = added->of.program->text_address,
                                                        .words = added->words,
                                                        .first_row = added->first_row};
    }
}

hd_program_profile *hd_program_profile_begin(hd_engine *engine, const hd_profiled_program *programs, uint32_t count)
{
    hd_program_profile *profile = zeroed(1, sizeof *profile);
    profile->engine = engine;
    place_programs(profile, programs, count);
    profile->blocks = zeroed(hd_engine_block_count(engine), sizeof *profile->blocks);
    for (uint32_t block = 0; block < hd_engine_block_count(engine); block++) {
        const hd_profile *ability = ability_of(engine, block);
        if (ability)
            begin_block(profile, block, ability);
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
    free(profile->programs);
    free(profile->more);
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

/* Keeps the first `room` of them in order. */
static uint32_t keep_place(hd_hot_place *places, uint32_t count, uint32_t room, hd_hot_place place)
{
    uint32_t at = count < room ? count : room;
    for (; at > 0 && places[at - 1].instructions < place.instructions; at--)
        if (at < room)
            places[at] = places[at - 1];
    if (!place.instructions || at >= room)
        return count;
    places[at] = place;
    return count + (count < room);
}

uint32_t hd_program_profile_hottest(const hd_program_profile *profile, hd_hot_place *places, uint32_t room,
                                    uint64_t *all)
{
    uint32_t count = 0;
    *all = 0;
    for (uint32_t p = 0; p < profile->program_count; p++) {
        const profiled *of = &profile->programs[p];
        for (uint32_t word = 0; word < of->words; word++) {
            const hd_hot_place place = {.pc = of->of.program->text_address + 4 * word,
                                        .instructions = instructions_at(profile, of->first_row + word),
                                        .program = of->of.program};
            *all += place.instructions;
            count = keep_place(places, count, room, place);
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
static void add_counts(const hd_program_profile *profile, uint32_t row, json_t *counts)
{
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
}

static json_t *counts_json(const hd_program_profile *profile, uint32_t row)
{
    json_t *counts = json_object();
    add_counts(profile, row, counts);
    return counts;
}

static void update(const hd_program_profile *profile)
{
    for (uint32_t b = 0; b < profile->block_count; b++)
        hd_engine_counters(profile->engine, profile->blocks[b].block); /* brings its table up to date */
}

json_t *hd_program_profile_sums(const hd_program_profile *profile, uint32_t module)
{
    update(profile);
    for (uint32_t p = 0; p < profile->program_count; p++) {
        const profiled *of = &profile->programs[p];
        if (of->of.module != module)
            continue;
        json_t *sums = json_object();
        for (uint32_t word = 0; word < of->words; word++)
            add_counts(profile, of->first_row + word, sums);
        return sums;
    }
    return NULL;
}

/* Of several apps with the app's name in front. */
static json_t *function_json(const profiled *of, const char *function)
{
    if (!function)
        return json_null();
    char *name = of->of.app ? hd_text_format("%s/%s", of->of.app, function) : NULL;
    json_t *text = hd_json_text(name ? name : function);
    free(name);
    return text;
}

static json_t *row_json(const profiled *of, uint32_t word, json_t *counts)
{
    const isa_program *program = of->of.program;
    const uint32_t pc = program->text_address + 4 * word;
    const isa_instruction *instruction = isa_program_at(program, pc);
    char text[64] = "";
    uint32_t offset, line;
    const char *function = isa_program_symbol_at(program, pc, &offset), *file = isa_program_line(program, pc, &line);
    json_t *object = json_object();
    if (instruction)
        isa_disassemble(instruction, pc, text, sizeof text);
    json_object_set_new(object, "pc", json_integer(pc));
    json_object_set_new(object, "text", json_string(text));
    json_object_set_new(object, "function", function_json(of, function));
    json_object_set_new(object, "file", file ? hd_json_text(file) : json_null());
    json_object_set_new(object, "line", file ? json_integer(line) : json_null());
    json_object_set_new(object, "counts", counts);
    return object;
}

static json_t *place_json(const hd_program_profile *profile, uint32_t row)
{
    for (uint32_t p = 0; p < profile->program_count; p++) {
        const profiled *of = &profile->programs[p];
        if (row - of->first_row < of->words)
            return json_integer(of->of.program->text_address + 4 * (row - of->first_row));
    }
    return json_null();
}

/* Of all blocks, by loser and winner. */
static json_t *conflicts_json(const hd_program_profile *profile)
{
    json_t *conflicts = json_array();
    conflict_counts all;
    conflict_counts_create(&all, profile->rows);
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

static void add_rows(const hd_program_profile *profile, const profiled *of, json_t *rows)
{
    for (uint32_t word = 0; word < of->words; word++) {
        json_t *counts = counts_json(profile, of->first_row + word);
        if (json_object_size(counts))
            json_array_append_new(rows, row_json(of, word, counts));
        else
            json_decref(counts);
    }
}

/* Which programs they are. */
static json_t *programs_json(const hd_program_profile *profile)
{
    json_t *programs = json_array();
    for (uint32_t p = 0; p < profile->program_count; p++) {
        const hd_profiled_program *of = &profile->programs[p].of;
        char text[24];
        snprintf(text, sizeof text, "%016llx", (unsigned long long)of->program->fingerprint);
        json_array_append_new(programs, json_pack("{s: o, s: s}", "app", of->app ? hd_json_text(of->app) : json_null(),
                                                  "fingerprint", text));
    }
    return programs;
}

json_t *hd_program_profile_json(const hd_program_profile *profile)
{
    json_t *rows = json_array(), *object = json_object();
    update(profile);
    for (uint32_t p = 0; p < profile->program_count; p++)
        add_rows(profile, &profile->programs[p], rows);
    json_object_set_new(object, "programs", programs_json(profile));
    json_object_set_new(object, "columns", columns_json(profile));
    json_object_set_new(object, "rows", rows);
    json_object_set_new(object, "elsewhere", counts_json(profile, profile->programs->words));
    json_object_set_new(object, "conflicts", conflicts_json(profile));
    return object;
}
