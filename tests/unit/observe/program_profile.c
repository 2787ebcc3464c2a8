/* SPDX-License-Identifier: MIT */
/* Counts by place of several blocks become one table by instruction. */
#include "program_profile.h"

#include <criterion/criterion.h>
#include <jansson.h>

#include "counting.h"
#include "places.h"

#define TEXT 0x10000000u
#define WORDS 4u

static isa_instruction instructions[WORDS];
static isa_symbol symbol = {.name = "kernel", .address = TEXT, .bytes = 4 * WORDS, .is_function = 1};
static isa_line lines[] = {{.address = TEXT, .file = 0, .line = 7}, {.address = TEXT + 8, .file = 0, .line = 9}};
static char *files[] = {"a/kernel.c"};
static const isa_program program = {.text_address = TEXT,
                                    .text_bytes = 4 * WORDS,
                                    .instructions = instructions,
                                    .symbol_count = 1,
                                    .symbols = &symbol,
                                    .line_count = 2,
                                    .lines = lines,
                                    .source_file_count = 1,
                                    .source_files = files};

static void count(counting *rig, uint32_t core, uint32_t row, uint32_t column, uint64_t value)
{
    const counting_block *block = (const counting_block *)hd_engine_block(rig->engine, core);
    block->table.counts[row * COUNTING_COLUMNS + column] += value;
}

static json_int_t number(const json_t *profile, size_t row, const char *object, const char *key)
{
    const json_t *of = json_array_get(json_object_get(profile, "rows"), row);
    return json_integer_value(json_object_get(object ? json_object_get(of, object) : of, key));
}

Test(program_profile, blocks_are_added_up_and_rows_have_their_places)
{
    counting rig;
    for (uint32_t i = 0; i < WORDS; i++)
        instructions[i] = isa_decode(0x00000013); /* nop */
    counting_open(&rig);
    hd_program_profile *profile = hd_program_profile_begin(rig.engine, &(hd_profiled_program){&program, NULL, 3, 0}, 1);
    cr_assert(profile);
    for (uint32_t core = 0; core < 2; core++) {
        const hd_profile_table *table = &((const counting_block *)hd_engine_block(rig.engine, core))->table;
        cr_expect_eq(table->module, 3);
        cr_expect_eq(table->first_pc, TEXT);
        cr_expect_eq(table->words, WORDS);
    }
    count(&rig, 0, 0, COUNTING_SLOTS, 5);
    count(&rig, 1, 0, COUNTING_SLOTS, 6);
    count(&rig, 1, 3, COUNTING_ABORTS, 2);
    count(&rig, 0, WORDS, COUNTING_SLOTS, 9);
    json_t *json = hd_program_profile_json(profile);
    cr_assert_eq(json_array_size(json_object_get(json, "columns")), 2, "each name once");
    cr_assert_eq(json_array_size(json_object_get(json, "rows")), 2, "rows without a count are left out");
    cr_expect_eq(number(json, 0, NULL, "pc"), TEXT);
    cr_expect_eq(number(json, 0, NULL, "line"), 7);
    cr_expect_eq(number(json, 0, "counts", "slots_issued"), 11);
    cr_expect_eq(json_object_size(json_object_get(json_array_get(json_object_get(json, "rows"), 0), "counts")), 1);
    cr_expect_eq(number(json, 1, NULL, "pc"), TEXT + 12);
    cr_expect_eq(number(json, 1, NULL, "line"), 9);
    cr_expect_eq(number(json, 1, "counts", "aborts"), 2);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(json, "rows"), 1), "function")),
                     "kernel");
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(json, "rows"), 1), "file")),
                     "a/kernel.c");
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(json, "elsewhere"), "slots_issued")), 9);
    json_decref(json);
    counting_close(&rig);
    hd_program_profile_destroy(profile);
}

Test(program_profile, there_is_none_if_no_block_can_count)
{
    hd_engine *engine = hd_engine_create();
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    cr_expect_null(hd_program_profile_begin(engine, &(hd_profiled_program){&program, NULL, 0, 0}, 1));
    hd_program_profile_destroy(NULL);
    hd_engine_destroy(engine);
}

Test(program_profile, programs_of_several_apps_have_rows_of_their_own)
{
    counting rig;
    isa_program second = program;
    for (uint32_t i = 0; i < WORDS; i++)
        instructions[i] = isa_decode(0x00000013);
    second.text_address = TEXT + 0x100000;
    counting_open(&rig);
    const hd_profiled_program programs[] = {{&program, "first", 3, 0}, {&second, "second", 8, 0}};
    hd_program_profile *profile = hd_program_profile_begin(rig.engine, programs, 2);
    const hd_profile_table *table = &((const counting_block *)hd_engine_block(rig.engine, 0))->table;
    const uint32_t row = place_row(table, 8, second.text_address + 8);
    cr_expect_eq(place_row(table, 3, TEXT + 8), 2);
    cr_expect_eq(place_row(table, 8, TEXT + 8), WORDS, "of the other program");
    cr_expect_eq(place_row(table, 3, second.text_address), WORDS);
    cr_expect_eq(place_row(table, 4, TEXT), WORDS, "of neither");
    cr_expect_eq(place_row(table, 8, second.text_address + 4 * WORDS), WORDS, "behind it");
    cr_assert_gt(row, WORDS);
    count(&rig, 0, 2, COUNTING_SLOTS, 5);
    count(&rig, 0, WORDS, COUNTING_SLOTS, 100);
    count(&rig, 0, row, COUNTING_SLOTS, 7);
    count(&rig, 1, row + 1, COUNTING_SLOTS, 8);
    json_t *json = hd_program_profile_json(profile), *sums = hd_program_profile_sums(profile, 8);
    cr_assert_eq(json_array_size(json_object_get(json, "rows")), 3);
    cr_expect_eq(number(json, 1, NULL, "pc"), second.text_address + 8);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(json, "rows"), 0), "function")),
                     "first/kernel");
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(json, "elsewhere"), "slots_issued")), 100);
    cr_expect_eq(json_integer_value(json_object_get(sums, "slots_issued")), 15);
    cr_expect_null(hd_program_profile_sums(profile, 4));
    json_decref(sums);
    json_decref(json);
    counting_close(&rig);
    hd_program_profile_destroy(profile);
}
