/* SPDX-License-Identifier: MIT */
/* Loading step by step: what each step makes, tables that are asked for, sections that are kept. */
#include "analysis.h"
#include "assemble.h"
#include "loading.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const test_function kernel = {"kernel", 0};

/* A loop with a barrier behind it; a helper that nobody calls. */
static uint8_t *make_file(size_t *bytes)
{
    const uint32_t words[] = {NOP_WORD, BRANCH_WORD(-4), WORD(BAR_SYNC), RETURN_WORD};
    return make_elf(words, COUNT_OF(words), &kernel, 1, bytes);
}

static isa_program *parse(uint8_t *file, size_t bytes)
{
    char error[256] = "";
    isa_program *program = isa_program_parse(file, bytes, error, sizeof error);
    free(file);
    cr_assert(program, "%s", error);
    return program;
}

static isa_program *parse_with(const test_section *sections, uint32_t count)
{
    size_t bytes;
    uint8_t *file = make_file(&bytes);
    file = add_sections(file, &bytes, sections, count);
    return parse(file, bytes);
}

/* ---- Steps ---------------------------------------------------------------------------------------------------------- */

Test(loading, steps_have_names_in_their_order)
{
    cr_expect_str_eq(isa_step_name(ISA_STEP_PARSE), "parse");
    cr_expect_str_eq(isa_step_name(ISA_STEP_ANNOTATE), "annotate");
    cr_expect_str_eq(isa_step_name(ISA_STEP_TRANSFORM), "transform");
    cr_expect_str_eq(isa_step_name(ISA_STEP_ANALYSE), "analyse");
}

Test(loading, each_step_adds_its_part)
{
    char error[256] = "";
    const uint32_t relaxed = TEXT;
    const uint32_t words[] = {WORD(LW, .rd = 10, .rs1 = 11), BRANCH_WORD(-4), RETURN_WORD};
    const test_section sections[] = {{".heddle.relaxed", &relaxed, sizeof relaxed}, {".heddle.arguments", "abc", 3}};
    size_t bytes;
    uint8_t *file = make_elf(words, COUNT_OF(words), &kernel, 1, &bytes);
    file = add_sections(file, &bytes, sections, COUNT_OF(sections));
    isa_program *program = parse(file, bytes);
    cr_expect_eq(isa_program_at(program, TEXT)->operation, ISA_OP_LW);
    cr_expect_not(isa_program_at(program, TEXT)->flags & ISA_FLAG_LOAD_RELAXED);
    cr_expect_null(program->argument_records);
    cr_assert_not(isa_program_annotate(program, error, sizeof error), "%s", error);
    cr_expect(isa_program_at(program, TEXT)->flags & ISA_FLAG_LOAD_RELAXED);
    cr_expect_eq(program->argument_record_bytes, 3);
    cr_expect_null(program->reachable);
    cr_assert_not(isa_program_analyse(program, error, sizeof error), "%s", error);
    cr_expect(program->reachable[0] && program->returns[0]);
    cr_expect_null(isa_program_table(program, "reconvergence"));
    cr_expect_not_null(isa_program_table(program, "commit"));
    isa_program_free(program);
}

static void load_marked(const char *section, uint32_t pc, uint32_t bytes, const char *expected)
{
    const uint32_t words[] = {WORD(LW, .rd = 10, .rs1 = 11), WORD(SW, .rs1 = 11, .rs2 = 10),
                              WORD(AMOSWAP_W, .rd = 10, .rs1 = 11, .rs2 = 12), RETURN_WORD};
    const test_section mark = {section, &pc, bytes};
    char error[256] = "";
    size_t size;
    uint8_t *file = make_elf(words, COUNT_OF(words), &kernel, 1, &size);
    file = add_sections(file, &size, &mark, 1);
    isa_program *program = isa_program_load(file, size, error, sizeof error);
    free(file);
    cr_expect_str_eq(error, expected);
    cr_assert_eq(program != NULL, !*expected);
    for (uint32_t at = TEXT; program && at < TEXT + sizeof words; at += 4)
        cr_expect_eq(isa_program_at(program, at)->flags & ISA_FLAGS_MARKED, at == pc ? ISA_FLAG_LOCK : 0);
    isa_program_free(program);
}

Test(loading, accesses_of_locks_are_marked)
{
    const char *section = ".heddle.lock_accesses";
    load_marked(section, TEXT + 4, 4, "");
    load_marked(section, TEXT + 8, 4, "");
    load_marked(section, TEXT, 4, "damaged: .heddle.lock_accesses names 0x10000000, where there is no store or atomic");
    load_marked(section, TEXT + 12, 4,
                "damaged: .heddle.lock_accesses names 0x1000000c, where there is no store or atomic");
    load_marked(section, 5, 4, "damaged: .heddle.lock_accesses names 0x00000005, where there is no store or atomic");
    load_marked(section, TEXT, 3, "damaged: .heddle.lock_accesses has 3 bytes, which are no records of 4");
    load_marked(".heddle.relaxed", TEXT + 4, 4, "damaged: .heddle.relaxed names 0x10000004, where there is no load");
}

/* ---- Tables --------------------------------------------------------------------------------------------------------- */

static uint32_t filled;

static int fill_pcs(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    (void)error, (void)error_bytes;
    filled++;
    for (uint32_t i = 1; i < isa_program_instructions(program); i++)
        values[i] = program->text_address + 4 * i;
    return 0;
}

static int refuse(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    (void)values;
    return isa_fail(error, error_bytes, "refused: %u words", isa_program_instructions(program));
}

static const isa_analysis pcs = {.name = "pcs", .doc = "where it is", .none = 5, .fill = fill_pcs};
static const isa_analysis other_pcs = {.name = "pcs", .doc = "elsewhere", .none = 6, .fill = fill_pcs};
static const isa_analysis refusal = {.name = "refusal", .doc = "nothing", .none = 0, .fill = refuse};

Test(loading, a_table_is_made_once_and_again_with_the_code)
{
    char error[256] = "";
    isa_program *program = parse_with(NULL, 0);
    cr_assert_not(isa_program_analyse(program, error, sizeof error));
    cr_expect_null(isa_program_table(program, "pcs"));
    cr_assert_not(isa_program_require(program, &pcs, error, sizeof error));
    cr_assert_not(isa_program_require(program, &pcs, error, sizeof error));
    cr_expect_eq(filled, 1);
    cr_expect_eq(isa_table_value(program, isa_program_table(program, "pcs"), TEXT), 5);
    cr_expect_eq(isa_table_value(program, isa_program_table(program, "pcs"), TEXT + 8), TEXT + 8);
    cr_assert_not(isa_program_analyse(program, error, sizeof error));
    cr_expect_eq(filled, 2);
    cr_expect_eq(isa_table_value(program, isa_program_table(program, "pcs"), TEXT + 4), TEXT + 4);
    isa_program_free(program);
}

Test(loading, two_analyses_of_one_name_and_one_that_refuses_are_errors)
{
    char error[256] = "";
    isa_program *program = parse_with(NULL, 0);
    cr_assert_not(isa_program_analyse(program, error, sizeof error));
    cr_assert_not(isa_program_require(program, &pcs, error, sizeof error));
    cr_expect_eq(isa_program_require(program, &other_pcs, error, sizeof error), -1);
    cr_expect_str_eq(error, "there are two analyses 'pcs'");
    cr_expect_eq(isa_program_require(program, &refusal, error, sizeof error), -1);
    cr_expect_str_eq(error, "refused: 4 words");
    isa_program_free(program);
}

Test(loading, analyses_of_any_program_are_known_by_name)
{
    cr_expect_eq(isa_analysis_named("reconvergence"), &isa_reconvergence);
    cr_expect_eq(isa_analysis_named("commit"), &isa_commits);
    cr_expect_null(isa_analysis_named("recon"));
    for (const isa_analysis *const *at = isa_analyses; *at; at++)
        cr_expect(*(*at)->doc);
}

/* ---- Sections ------------------------------------------------------------------------------------------------------- */

Test(loading, sections_that_nobody_knows_are_kept)
{
    const test_section sections[] = {
        {".heddle.locks", "lock", 4}, {".comment", "x", 1}, {".heddle.none", "", 0}, {".heddle.hints", "ab", 2}};
    isa_program *program = parse_with(sections, COUNT_OF(sections));
    cr_expect_eq(program->section_count, 2);
    const isa_section *locks = isa_program_section(program, ".heddle.locks");
    cr_assert(locks);
    cr_expect_eq(locks->size, 4);
    cr_expect_eq(memcmp(locks->bytes, "lock", 4), 0);
    cr_expect_eq(locks->address, 0);
    cr_expect_eq(isa_program_section(program, ".heddle.hints")->size, 2);
    cr_expect_null(isa_program_section(program, ".heddle.none"));
    cr_expect_null(isa_program_section(program, ".comment"));
    isa_program_free(program);
}

static Elf32_Shdr *section_header(uint8_t *file, uint32_t number)
{
    Elf32_Ehdr header;
    memcpy(&header, file, sizeof header);
    return (Elf32_Shdr *)(void *)(file + header.e_shoff) + number;
}

#define FIRST_ADDED 3u /* after those of make_elf */

Test(loading, a_section_tells_its_address)
{
    const test_section section = {".heddle.state", "abcd", 4};
    size_t bytes;
    uint8_t *file = make_file(&bytes);
    file = add_sections(file, &bytes, &section, 1);
    section_header(file, FIRST_ADDED)->sh_addr = 0x10002000;
    isa_program *program = parse(file, bytes);
    cr_expect_eq(isa_program_section(program, ".heddle.state")->address, 0x10002000);
    isa_program_free(program);
}

static void expect_refusal(uint8_t *file, size_t bytes, const char *expected)
{
    char error[256] = "";
    cr_expect_null(isa_program_load(file, bytes, error, sizeof error));
    cr_expect_str_eq(error, expected);
    free(file);
}

Test(loading, sections_that_make_no_sense_are_refused)
{
    size_t bytes;
    const test_section twice[] = {{".heddle.locks", "a", 1}, {".heddle.locks", "b", 1}};
    uint8_t *file = make_file(&bytes);
    file = add_sections(file, &bytes, twice, 2);
    expect_refusal(file, bytes, "damaged: two sections are named .heddle.locks");
    const test_section odd = {".heddle.\x1b[1m", "a", 1};
    file = make_file(&bytes);
    file = add_sections(file, &bytes, &odd, 1);
    expect_refusal(file, bytes, "damaged: the name of section 3 has control characters");
    file = make_file(&bytes);
    file = add_sections(file, &bytes, twice, 1);
    section_header(file, FIRST_ADDED)->sh_type = SHT_NOBITS;
    expect_refusal(file, bytes, "damaged: .heddle.locks has no bytes in the file");
}
