/* SPDX-License-Identifier: MIT */
/* Programs by handle: they come after allocations, go, and may have names in common. */
#include "embedding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct image {
    size_t bytes;
    uint8_t *data;
} image;

static image read_image(const char *path)
{
    image read = {0};
    FILE *file = fopen(path, "rb");
    cr_assert(file, "%s", path);
    fseek(file, 0, SEEK_END);
    read.bytes = (size_t)ftell(file);
    read.data = malloc(read.bytes);
    rewind(file);
    cr_assert_eq(fread(read.data, 1, read.bytes, file), read.bytes);
    fclose(file);
    return read;
}

static heddle_program *load(heddle_machine *machine, const char *path)
{
    const image read = read_image(path);
    heddle_program *program;
    REQUIRE(heddle_program_load(machine, read.data, read.bytes, &program));
    free(read.data);
    return program;
}

/* What add_from_table of this program adds to the first words. */
static void expect_sum(heddle_machine *machine, heddle_program *program, uint32_t first, uint32_t second)
{
    uint32_t words[16];
    heddle_kernel *kernel;
    const heddle_address data = zeroed_words(machine, 16);
    const array_args args = {.data = {data}, .n = 16};
    const heddle_size size = {.grid = {1, 1, 1}, .block = {16, 1, 1}};
    REQUIRE(heddle_program_kernel(program, "add_from_table", &kernel));
    REQUIRE(heddle_launch(default_queue(machine), kernel, &size, &args, sizeof args, NULL));
    REQUIRE(heddle_copy_from_device(machine, words, data, sizeof words));
    cr_expect_eq(words[0], first);
    cr_expect_eq(words[1], second);
    EXPECT(heddle_free(machine, data));
}

static heddle_machine *open_empty(void)
{
    heddle_machine *machine;
    const heddle_settings settings = small_machine();
    REQUIRE(heddle_open(&settings, &machine));
    return machine;
}

Test(programs, are_loaded_after_allocating_and_twice)
{
    static const uint32_t other[] = {50, 60};
    uint32_t words[4] = {7, 7, 7, 7}, read[4];
    uint64_t bytes;
    heddle_address table, first_table;
    heddle_machine *machine = open_empty();
    const heddle_address data = zeroed_words(machine, 4); /* where programs are linked for */
    REQUIRE(heddle_copy_to_device(machine, data, words, sizeof words));
    heddle_program *a = load(machine, EMBEDDING_MOVABLE), *b = load(machine, EMBEDDING_MOVABLE);
    EXPECT(heddle_program_variable(a, "table", &first_table, NULL));
    EXPECT(heddle_program_variable(b, "table", &table, &bytes));
    cr_expect_eq(bytes, 64);
    cr_expect_neq(table, first_table);
    EXPECT(heddle_copy_to_device(machine, table, other, sizeof other));
    expect_sum(machine, a, 1, 2);
    expect_sum(machine, b, 50, 60);
    EXPECT(heddle_variable(machine, "table", &table, NULL));
    cr_expect_eq(table, first_table);
    EXPECT(heddle_copy_from_device(machine, read, data, sizeof read));
    cr_expect_arr_eq(read, words, sizeof read);
    EXPECT(heddle_close(machine));
}

Test(programs, that_cannot_be_moved_need_their_place)
{
    heddle_address data;
    heddle_machine *machine = open_empty();
    REQUIRE(heddle_allocate(machine, 4, &data));
    expect_refusal(heddle_load(machine, EMBEDDING_KERNELS), HEDDLE_ERROR_KERNELS, "an allocation or a queue lies");
    expect_refusal(heddle_load(machine, EMBEDDING_KERNELS), HEDDLE_ERROR_KERNELS, "--emit-relocs");
    EXPECT(heddle_load(machine, EMBEDDING_MOVABLE));
    EXPECT(heddle_close(machine));
}

Test(programs, find_no_place_in_memory_that_is_full)
{
    heddle_address data;
    heddle_limits limits = {.struct_bytes = sizeof limits};
    heddle_machine *machine = open_empty();
    REQUIRE(heddle_limits_get(machine, &limits));
    REQUIRE(heddle_allocate(machine, limits.free_bytes - 256, &data));
    expect_refusal(heddle_load(machine, EMBEDDING_MOVABLE), HEDDLE_ERROR_KERNELS, "no room for the kernel program");
    EXPECT(heddle_free(machine, data));
    EXPECT(heddle_load(machine, EMBEDDING_MOVABLE));
    EXPECT(heddle_close(machine));
}

Test(programs, that_are_unloaded_leave_their_place_and_take_their_kernels_with_them)
{
    uint32_t word;
    heddle_kernel *kernel;
    heddle_address table, data, before;
    const heddle_size size = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    heddle_machine *machine = open_empty();
    REQUIRE(heddle_allocate(machine, 4, &before)); /* where the program will be */
    EXPECT(heddle_free(machine, before));
    heddle_program *program = load(machine, EMBEDDING_KERNELS);
    expect_sum(machine, program, 1, 2);
    REQUIRE(heddle_program_kernel(program, "add", &kernel));
    REQUIRE(heddle_program_variable(program, "table", &table, NULL));
    EXPECT(heddle_program_unload(program));
    expect_refusal(heddle_launch(default_queue(machine), kernel, &size, NULL, 0, NULL), HEDDLE_ERROR_HANDLE,
                   "the kernel is closed");
    expect_refusal(heddle_program_unload(program), HEDDLE_ERROR_HANDLE, "the program is closed");
    expect_refusal(heddle_program_kernel(program, "add", &kernel), HEDDLE_ERROR_HANDLE, "the program is closed");
    expect_refusal(heddle_kernel_named(machine, "add", &kernel), HEDDLE_ERROR_UNKNOWN, "no kernel program is loaded");
    expect_refusal(heddle_variable(machine, "table", &table, NULL), HEDDLE_ERROR_UNKNOWN, "'table'");
    expect_refusal(heddle_copy_from_device(machine, &word, table, 4), HEDDLE_ERROR_RANGE, "no allocation");
    REQUIRE(heddle_allocate(machine, 4, &data));
    cr_expect_eq(data, before);
    EXPECT(heddle_free(machine, data));
    expect_sum(machine, load(machine, EMBEDDING_KERNELS), 1, 2);
    EXPECT(heddle_close(machine));
}

/* Unloading is no way round the checks: what was there is no memory any more, and what comes there is what the newest program says. */
Test(programs, that_come_and_go_stay_within_checks)
{
    heddle_settings settings = small_machine();
    heddle_machine *machine;
    settings.checks = HEDDLE_CHECK_MEMORY;
    REQUIRE(heddle_open(&settings, &machine));
    for (uint32_t i = 0; i < 20; i++) {
        heddle_program *program = load(machine, i % 2 ? EMBEDDING_MOVABLE : EMBEDDING_KERNELS);
        expect_sum(machine, program, 1, 2);
        EXPECT(heddle_program_unload(program));
    }
    EXPECT(heddle_close(machine));
}

Test(programs, are_refused_with_nothing_changed)
{
    heddle_program *program = (heddle_program *)1;
    heddle_address table;
    heddle_kernel *kernel;
    heddle_machine *machine = open_empty();
    expect_refusal(heddle_program_load(machine, "x", 1, &program), HEDDLE_ERROR_KERNELS, "refused");
    cr_expect_null(program);
    expect_refusal(heddle_program_load(machine, NULL, 1, &program), HEDDLE_ERROR_ARGUMENT, "image");
    expect_refusal(heddle_program_load(machine, "x", 1, NULL), HEDDLE_ERROR_ARGUMENT, "program");
    expect_refusal(heddle_program_unload(NULL), HEDDLE_ERROR_ARGUMENT, "program is NULL");
    program = load(machine, EMBEDDING_KERNELS);
    expect_refusal(heddle_program_kernel(program, "sub", &kernel), HEDDLE_ERROR_UNKNOWN,
                   "the kernel program has no function 'sub'");
    expect_refusal(heddle_program_variable(program, "chair", &table, NULL), HEDDLE_ERROR_UNKNOWN,
                   "the kernel program has no variable 'chair'");
    expect_refusal(heddle_program_kernel(program, NULL, &kernel), HEDDLE_ERROR_ARGUMENT, "name");
    expect_refusal(heddle_program_variable(program, "table", NULL, NULL), HEDDLE_ERROR_ARGUMENT, "address");
    EXPECT(heddle_close(machine));
}
