/* SPDX-License-Identifier: MIT */
#include "program_registry.h"

#include "analysis.h"
#include "loading.h"
#include "rewrite.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <string.h>

Test(host, the_registry_refuses_what_is_no_kernel_program)
{
    hd_program_registry *registry = hd_program_registry_create();
    char error[200] = "";
    static const uint8_t nonsense[64] = {1, 2, 3};
    cr_expect_eq(hd_program_registry_load(registry, nonsense, sizeof nonsense, error, sizeof error), HD_NO_MODULE);
    cr_expect_gt(strlen(error), 0);
    const hd_programs *programs = hd_program_registry_extension(registry);
    cr_expect_null(programs->find(programs->context, 0));
    hd_program_registry_destroy(registry);
    hd_program_registry_destroy(NULL);
}

/* A kernel of one instruction, ret. */
typedef struct small_file {
    Elf32_Ehdr header;
    Elf32_Phdr segment;
    uint32_t code;
} small_file;

static const small_file small = {
    .header = {.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
               .e_type = ET_EXEC,
               .e_machine = EM_RISCV,
               .e_entry = 0x10000000,
               .e_phoff = sizeof(Elf32_Ehdr),
               .e_phentsize = sizeof(Elf32_Phdr),
               .e_phnum = 1},
    .segment = {.p_type = PT_LOAD,
                .p_offset = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr),
                .p_vaddr = 0x10000000,
                .p_filesz = 4,
                .p_memsz = 4,
                .p_flags = PF_R | PF_X},
    .code = 0x00008067,
};

static uint32_t load_small(hd_program_registry *registry, char *error, size_t error_bytes)
{
    return hd_program_registry_load(registry, &small, sizeof small, error, error_bytes);
}

static int fill_with_ones(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    (void)error, (void)error_bytes;
    for (uint32_t i = 0; i < isa_program_instructions(program); i++)
        values[i] = 1;
    return 0;
}

static int refuse(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    (void)program, (void)values;
    return isa_fail(error, error_bytes, "not this program");
}

static const isa_analysis ones = {.name = "ones", .doc = "one", .fill = fill_with_ones};
static const isa_analysis other_ones = {.name = "ones", .doc = "one", .fill = fill_with_ones};
static const isa_analysis refusing = {.name = "refusing", .doc = "none", .fill = refuse};

Test(host, programs_have_the_tables_that_blocks_ask_for_and_no_others)
{
    hd_program_registry *registry = hd_program_registry_create();
    const hd_programs *programs = hd_program_registry_extension(registry);
    char error[200] = "";
    cr_assert_eq(load_small(registry, error, sizeof error), 0, "%s", error);
    const isa_program *before = programs->find(programs->context, 0);
    cr_expect_null(isa_program_table(before, "reconvergence"));
    cr_expect_eq(programs->require(programs->context, "reconvergence", NULL, error, sizeof error), 0);
    cr_expect_eq(programs->require(programs->context, "ones", &ones, error, sizeof error), 0);
    cr_expect_eq(programs->require(programs->context, "ones", &ones, error, sizeof error), 0);
    cr_assert_eq(load_small(registry, error, sizeof error), 1, "%s", error);
    for (uint32_t module = 0; module < 2; module++) {
        const isa_program *program = programs->find(programs->context, module);
        cr_expect_eq(isa_program_table(program, "ones")[0], 1);
        cr_expect_eq(isa_program_table(program, "reconvergence")[0], ISA_RECONVERGE_AT_RETURN);
        cr_expect_not_null(isa_program_table(program, "commit"));
    }
    hd_program_registry_destroy(registry);
}

static int put_nop(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes)
{
    (void)error, (void)error_bytes;
    return isa_rewrite_insert(rewrite, program->entry, (const uint32_t[]){0x13}, 1);
}

static int refuse_to_change(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes)
{
    (void)rewrite, (void)program;
    return isa_fail(error, error_bytes, "not to be changed");
}

static const isa_transform nop = {.name = "nop", .doc = "one more", .apply = put_nop};
static const isa_transform refusing_change = {.name = "refusing", .doc = "none", .apply = refuse_to_change};

Test(host, programs_are_changed_as_blocks_ask_for_once_each)
{
    hd_program_registry *registry = hd_program_registry_create();
    const hd_programs *programs = hd_program_registry_extension(registry);
    char error[200] = "";
    cr_expect_eq(programs->require(programs->context, "ones", &ones, error, sizeof error), 0);
    cr_assert_eq(load_small(registry, error, sizeof error), 0, "%s", error);
    cr_expect_eq(programs->transform(programs->context, &nop, error, sizeof error), 0);
    cr_expect_eq(programs->transform(programs->context, &nop, error, sizeof error), 0);
    cr_assert_eq(load_small(registry, error, sizeof error), 1, "%s", error);
    for (uint32_t module = 0; module < 2; module++) {
        const isa_program *program = programs->find(programs->context, module);
        cr_assert_eq(program->segment_count, 2);
        cr_expect_eq(program->segments[1].file_bytes, 8); /* nop, ret */
        cr_expect_eq(isa_program_at(program, 0x10000000)->operation, ISA_OP_JAL);
        cr_expect_eq(isa_table_value(program, isa_program_table(program, "ones"), program->segments[1].address), 1);
    }
    cr_expect_neq(programs->transform(programs->context, &refusing_change, error, sizeof error), 0);
    cr_expect_str_eq(error, "not to be changed");
    cr_expect_eq(load_small(registry, error, sizeof error), HD_NO_MODULE);
    hd_program_registry_destroy(registry);
}

/* What each step has made, as blocks have asked for it. */
Test(host, programs_are_loaded_up_to_a_step_and_are_no_modules)
{
    hd_program_registry *registry = hd_program_registry_create();
    const hd_programs *programs = hd_program_registry_extension(registry);
    char error[200] = "";
    cr_expect_eq(programs->require(programs->context, "ones", &ones, error, sizeof error), 0);
    cr_expect_eq(programs->transform(programs->context, &nop, error, sizeof error), 0);
    for (uint32_t step = 0; step < ISA_STEP_COUNT; step++) {
        isa_program *program =
            hd_program_registry_load_to(registry, &small, sizeof small, (enum isa_step)step, error, sizeof error);
        cr_assert_not_null(program, "%s", error);
        cr_expect_eq(program->segment_count, step >= ISA_STEP_TRANSFORM ? 2 : 1, "step %u", step);
        cr_expect_eq(isa_program_table(program, "ones") != NULL, step == ISA_STEP_ANALYSE, "step %u", step);
        isa_program_free(program);
    }
    cr_expect_null(programs->find(programs->context, 0));
    cr_expect_eq(programs->transform(programs->context, &refusing_change, error, sizeof error), 0);
    cr_expect_null(
        hd_program_registry_load_to(registry, &small, sizeof small, ISA_STEP_TRANSFORM, error, sizeof error));
    cr_expect_str_eq(error, "not to be changed");
    cr_expect_null(hd_program_registry_load_to(registry, &small, 40, ISA_STEP_PARSE, error, sizeof error));
    hd_program_registry_destroy(registry);
}

Test(host, what_blocks_have_asked_for_is_known_in_its_order)
{
    hd_program_registry *registry = hd_program_registry_create();
    const hd_programs *programs = hd_program_registry_extension(registry);
    char error[200] = "";
    hd_programs_asked asked = hd_program_registry_asked(registry);
    cr_expect_eq(asked.table_count + asked.transform_count, 0);
    programs->require(programs->context, "ones", &ones, error, sizeof error);
    programs->require(programs->context, "reconvergence", NULL, error, sizeof error);
    programs->transform(programs->context, &nop, error, sizeof error);
    asked = hd_program_registry_asked(registry);
    cr_assert_eq(asked.table_count, 2);
    cr_expect_eq(asked.tables[0], &ones);
    cr_expect_eq(asked.tables[1], &isa_reconvergence);
    cr_assert_eq(asked.transform_count, 1);
    cr_expect_eq(asked.transforms[0], &nop);
    hd_program_registry_destroy(registry);
}

Test(host, a_table_that_cannot_be_is_one_error)
{
    hd_program_registry *registry = hd_program_registry_create();
    const hd_programs *programs = hd_program_registry_extension(registry);
    char error[200] = "";
    cr_expect_neq(programs->require(programs->context, "recon", NULL, error, sizeof error), 0);
    cr_expect_str_eq(error, "programs have no table 'recon'");
    cr_expect_eq(programs->require(programs->context, "ones", &ones, error, sizeof error), 0);
    cr_expect_neq(programs->require(programs->context, "ones", &other_ones, error, sizeof error), 0);
    cr_expect_str_eq(error, "there are two analyses 'ones'");
    cr_assert_eq(load_small(registry, error, sizeof error), 0, "%s", error);
    cr_expect_neq(programs->require(programs->context, "refusing", &refusing, error, sizeof error), 0);
    cr_expect_str_eq(error, "not this program");
    cr_expect_eq(load_small(registry, error, sizeof error), HD_NO_MODULE);
    hd_program_registry_destroy(registry);
}
