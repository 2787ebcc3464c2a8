/* SPDX-License-Identifier: MIT */
/*
 * A small kernel after each step of loading, against texts in golden/. HEDDLE_GOLDEN=1 writes them anew: read what has changed.
 */
#include "analysis.h"
#include "assemble.h"
#include "definitions.h"
#include "listing.h"
#include "listing_machine.h"
#include "listing_steps.h"
#include "rewrite.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define PC(word) (TEXT + 4 * (word))

/* Waits until a word is not 0, meets at a barrier, calls a function for odd threads. */
static isa_program *parse(void)
{
    const uint32_t words[] = {WORD(LW, .rd = 5, .rs1 = 10),
                              WORD(BEQ, .rs1 = 5, .immediate = -4),
                              WORD(BAR_SYNC),
                              WORD(ANDI, .rd = 5, .rs1 = 5, .immediate = 1),
                              WORD(BEQ, .rs1 = 5, .immediate = 8),
                              CALL_WORD(12),
                              WORD(SW, .rs1 = 10, .rs2 = 5, .immediate = 4),
                              RETURN_WORD,
                              WORD(ADDI, .rd = 5, .rs1 = 5, .immediate = 7),
                              RETURN_WORD};
    static const test_function functions[] = {{"kernel", 0}, {"add_seven", 8}};
    const uint32_t relaxed = PC(0), convergent[] = {PC(2), 1};
    const test_section sections[] = {{".heddle.relaxed", &relaxed, sizeof relaxed},
                                     {".heddle.convergent", convergent, sizeof convergent},
                                     {".heddle.locks", "any bytes", 9}};
    char error[256] = "";
    size_t bytes;
    uint8_t *file = make_elf(words, COUNT_OF(words), functions, COUNT_OF(functions), &bytes);
    file = add_sections(file, &bytes, sections, COUNT_OF(sections));
    isa_program *program = isa_program_parse(file, bytes, error, sizeof error);
    free(file);
    cr_assert(program, "%s", error);
    return program;
}

static int change(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes)
{
    const uint32_t two[] = {NOP_WORD, WORD(ADDI, .rd = 6, .immediate = 1)};
    (void)program, (void)error, (void)error_bytes;
    return isa_rewrite_insert(rewrite, PC(1), two, COUNT_OF(two)) || isa_rewrite_replace(rewrite, PC(8), NOP_WORD) ||
           isa_rewrite_add(rewrite, PC(2) + 1, NOP_WORD);
}

static const isa_transform transform = {.name = "test", .doc = "a bit of everything", .apply = change};

static isa_program *load(enum isa_step last)
{
    char error[256] = "";
    isa_program *program = parse();
    if (last >= ISA_STEP_ANNOTATE)
        cr_assert_not(isa_program_annotate(program, error, sizeof error), "%s", error);
    if (last == ISA_STEP_TRANSFORM)
        cr_assert_not(isa_program_transform(program, &transform, error, sizeof error), "%s", error);
    if (last == ISA_STEP_ANALYSE) {
        cr_assert_not(isa_program_analyse(program, error, sizeof error), "%s", error);
        cr_assert_not(isa_program_require(program, &isa_reconvergence, error, sizeof error), "%s", error);
    }
    return program;
}

/* A table without a text of its own. */
static int fill_tens(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    (void)error, (void)error_bytes;
    values[isa_program_index(program, PC(8))] = 10;
    return 0;
}

static const isa_analysis tens = {.name = "tens", .doc = "ten", .none = 3, .fill = fill_tens};

static char *text_after(enum isa_step step, const char *function, int *found)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    isa_program *program = load(step);
    *found = step == ISA_STEP_ANALYSE ? listing_print(program, function, out)
                                      : listing_print_step(program, step, function, out);
    isa_program_free(program);
    fclose(out);
    return text;
}

static void expect_golden(enum isa_step step)
{
    int found;
    char path[512], expected[8192] = "";
    char *text = text_after(step, NULL, &found);
    snprintf(path, sizeof path, "%s/%s.txt", GOLDEN, isa_step_name(step));
    FILE *file = fopen(path, getenv("HEDDLE_GOLDEN") ? "w+" : "r");
    cr_assert(file, "%s", path);
    if (getenv("HEDDLE_GOLDEN"))
        fputs(text, file);
    rewind(file);
    expected[fread(expected, 1, sizeof expected - 1, file)] = 0;
    fclose(file);
    cr_expect(found);
    cr_expect_str_eq(text, expected, "after %s:\n%s\nis not\n%s", isa_step_name(step), text, expected);
    free(text);
}

Test(listing, after_parse)
{
    expect_golden(ISA_STEP_PARSE);
}

Test(listing, after_annotate)
{
    expect_golden(ISA_STEP_ANNOTATE);
}

Test(listing, after_transform)
{
    expect_golden(ISA_STEP_TRANSFORM);
}

Test(listing, after_analyse)
{
    expect_golden(ISA_STEP_ANALYSE);
}

Test(listing, of_one_function_is_its_code_alone)
{
    for (uint32_t step = 0; step < ISA_STEP_COUNT; step++) {
        int found;
        char *text = text_after((enum isa_step)step, "add_seven", &found);
        cr_expect(found);
        cr_expect(strstr(text, "add_seven:\n") && !strstr(text, "kernel:") && !strstr(text, "segment"), "%s", text);
        free(text);
        free(text_after((enum isa_step)step, "add_eight", &found));
        cr_expect_not(found);
    }
}

static char *machine_text(const hd_programs_asked *asked, const char *function)
{
    char *text, error[256] = "";
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    isa_program *program = load(ISA_STEP_ANALYSE);
    for (uint32_t i = 0; i < asked->table_count; i++)
        cr_assert_not(isa_program_require(program, asked->tables[i], error, sizeof error), "%s", error);
    listing_print_asked("small", asked, out);
    listing_print_tables(program, asked, function, out);
    isa_program_free(program);
    fclose(out);
    return text;
}

/* Values as numbers, or as their table says; of instructions about which there is nothing to say, none. */
Test(listing, of_a_machine_has_what_its_cores_have_asked_for)
{
    const isa_analysis *tables[] = {&tens, &isa_uses};
    const isa_transform *transforms[] = {&transform};
    const hd_programs_asked asked = {
        .tables = tables, .table_count = 2, .transforms = transforms, .transform_count = 1};
    char *text = machine_text(&asked, "add_seven");
    cr_expect_str_eq(text, "machine  small\n"
                           "change   test: a bit of everything\n"
                           "table    tens: ten\n"
                           "table    uses: where the values may be needed that it makes\n"
                           "\ntens: ten\n"
                           "  0x10000020  0x0000000a\n"
                           "\nuses: where the values may be needed that it makes\n"
                           "  0x10000020  t0: nowhere\n");
    free(text);
}

Test(listing, of_a_machine_whose_cores_ask_for_nothing)
{
    char *text = machine_text(&(hd_programs_asked){0}, NULL);
    cr_expect_str_eq(text, "machine  small\nchange   none\ntable    none\n");
    free(text);
}

Test(listing, of_a_machine_names_what_there_is_and_what_not)
{
    const isa_analysis *tables[] = {&tens};
    const isa_transform *transforms[] = {&transform};
    char *text = machine_text(&(hd_programs_asked){.tables = tables, .table_count = 1}, "kernel");
    cr_expect_str_eq(text, "machine  small\nchange   none\ntable    tens: ten\n\ntens: ten\n");
    free(text);
    text = machine_text(&(hd_programs_asked){.transforms = transforms, .transform_count = 1}, NULL);
    cr_expect_str_eq(text, "machine  small\nchange   test: a bit of everything\ntable    none\n");
    free(text);
}

Test(listing, of_definitions_says_where_values_come_from)
{
    const isa_analysis *tables[] = {&isa_definitions};
    char *text = machine_text(&(hd_programs_asked){.tables = tables, .table_count = 1}, "kernel");
    cr_expect(strstr(text, "\n  0x10000000  a0: on entry\n"), "%s", text);
    cr_expect(strstr(text, "\n  0x1000000c  t0: 0x10000000\n"), "%s", text);
    cr_expect_null(strstr(text, "0x10000020"), "of another function");
    free(text);
}

/* ---- Texts of a table ------------------------------------------------------------------------------------------------ */

static size_t described; /* bytes of the texts of `long_texts` */

static int describe_at_length(const isa_program *program, uint32_t pc, char *text, size_t bytes)
{
    (void)program, (void)pc;
    for (size_t i = 0; i < described && i + 1 < bytes; i++)
        text[i] = 'x';
    text[described < bytes ? described : bytes - 1] = 0;
    return (int)described;
}

static const isa_analysis long_texts = {
    .name = "long", .doc = "texts", .none = 3, .fill = fill_tens, .describe = describe_at_length};

/* The first line of a value of the table `long`. */
static size_t line_bytes(size_t text_bytes, uint32_t *is_cut)
{
    const isa_analysis *tables[] = {&long_texts};
    described = text_bytes;
    char *text = machine_text(&(hd_programs_asked){.tables = tables, .table_count = 1}, "add_seven");
    const char *line = strstr(text, "  0x10000020  ");
    cr_assert_not_null(line, "%s", text);
    const size_t bytes = strcspn(line, "\n") - strlen("  0x10000020  ");
    *is_cut = strncmp(line + strcspn(line, "\n") - 3, "...", 3) == 0;
    free(text);
    return bytes;
}

Test(listing, of_a_text_for_which_there_is_no_room_ends_in_dots)
{
    uint32_t is_cut;
    cr_expect_eq(line_bytes(511, &is_cut), 511);
    cr_expect_not(is_cut);
    cr_expect_eq(line_bytes(512, &is_cut), 511 + 3);
    cr_expect(is_cut);
    cr_expect_eq(line_bytes(5000, &is_cut), 511 + 3);
    cr_expect(is_cut);
}

static int fill_everywhere(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    (void)error, (void)error_bytes;
    for (uint32_t i = 0; i < isa_program_instructions(program); i++)
        values[i] = 10;
    return 0;
}

static const isa_analysis everywhere = {.name = "everywhere", .doc = "ten", .none = 3, .fill = fill_everywhere};

/* Changed instructions keep their place, and what was added stands at odd ones. */
Test(listing, of_a_table_has_instructions_at_odd_places)
{
    const isa_analysis *tables[] = {&everywhere};
    const hd_programs_asked asked = {.tables = tables, .table_count = 1};
    char *text, error[256] = "";
    size_t bytes;
    uint32_t odd = 0;
    isa_program *program = load(ISA_STEP_TRANSFORM);
    cr_assert_not(isa_program_require(program, &everywhere, error, sizeof error), "%s", error);
    FILE *out = open_memstream(&text, &bytes);
    listing_print_tables(program, &asked, NULL, out);
    fclose(out);
    for (uint32_t pc = program->text_address; pc < program->text_address + program->text_bytes; pc++) {
        char line[32];
        snprintf(line, sizeof line, "\n  0x%08x  ", pc);
        cr_expect_eq(strstr(text, line) != NULL, isa_program_at(program, pc) != NULL, "0x%08x: %s", pc, text);
        odd += isa_program_at(program, pc) && pc % 4;
    }
    cr_expect_gt(odd, 0, "%s", text);
    free(text);
    isa_program_free(program);
}
