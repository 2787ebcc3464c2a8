/* SPDX-License-Identifier: MIT */
/* CUDA's text: room for pointers in memory, and whose __shared__ variables are. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_text.h"
#include "slots.h"

#define PIECE(literal) ((ir_piece){(literal), strlen(literal)})

/* ---- Slots ----------------------------------------------------------------------------------------------------------- */

static void expect_slots(const char *text, const char *expected)
{
    ir_piece refused;
    char *made = slots_text(PIECE(text), &refused);
    cr_assert_not_null(made);
    cr_expect_str_eq(made, expected);
    free(made);
}

Test(cuda_slots, types_in_memory_have_room_for_64_bits)
{
    expect_slots("%struct.node = type { i32, ptr, [2 x ptr] }", "%struct.node = type { i32, i64, [2 x i64] }\n");
    expect_slots("  %1 = alloca ptr, align 8", "  %1 = alloca i64, align 8\n");
    expect_slots("  %2 = getelementptr inbounds ptr, ptr %1, i64 %i",
                 "  %2 = getelementptr inbounds i64, ptr %1, i64 %i\n");
    expect_slots("  %3 = load i32, ptr getelementptr inbounds ([4 x ptr], ptr @a, i64 0, i64 1)",
                 "  %3 = load i32, ptr getelementptr inbounds ([4 x i64], ptr @a, i64 0, i64 1)\n");
}

Test(cuda_slots, values_stay_pointers)
{
    expect_slots("  %1 = load ptr, ptr %0, align 8", "  %1 = load ptr, ptr %0, align 8\n");
    expect_slots("  call void @f(ptr noundef %0)", "  call void @f(ptr noundef %0)\n");
    expect_slots("@s = constant [11 x i8] c\"alloca ptr\\00\"", "@s = constant [11 x i8] c\"alloca ptr\\00\"\n");
}

Test(cuda_slots, variables_that_begin_with_addresses_hold_them)
{
    expect_slots("@p = dso_local global ptr @x, align 8",
                 "@p = dso_local global { ptr, i32 } { ptr @x, i32 0 }, align 8\n");
    expect_slots("@p = dso_local global ptr null, align 8", "@p = dso_local global i64 0, align 8\n");
    expect_slots(
        "@t = global [2 x ptr] [ptr @a, ptr null], align 8",
        "@t = global [2 x { ptr, i32 }] [{ ptr, i32 } { ptr @a, i32 0 }, { ptr, i32 } { ptr null, i32 0 }], align 8\n");
    expect_slots("@t = global [2 x ptr] zeroinitializer, align 8", "@t = global [2 x i64] zeroinitializer, align 8\n");
    expect_slots("@s = global %struct.s { i32 1, ptr null }, align 8",
                 "@s = global %struct.s { i32 1, i64 0 }, align 8\n");
}

Test(cuda_slots, a_struct_that_begins_with_an_address_is_refused_by_name)
{
    ir_piece refused;
    cr_expect_null(slots_text(PIECE("@start = global %struct.s { i32 1, ptr @last }, align 8"), &refused));
    cr_expect(ir_equals(refused, "start"));
}

/* ---- Shared variables ------------------------------------------------------------------------------------------------ */

#define SHARED(name) "@" name " = internal addrspace(3) global [4 x i32] undef, align 4\n"
#define KERNEL(name, body) "define weak_odr dso_local void @" name "() comdat {\n" body "}\n"
#define MARK(name) "!0 = !{ptr @" name ", !\"kernel\", i32 1}\n"

static char *text_of(const char *text, cuda_program *program, arena *memory)
{
    *program = cuda_program_of(memory, PIECE(text));
    return cuda_text(program, PIECE(text));
}

Test(cuda_text, a_variable_is_of_the_kernel_that_reaches_it)
{
    arena memory = {0};
    cuda_program program;
    char *made = text_of(SHARED("own") SHARED("both")
                             SHARED("nobody") "define internal void @f() {\n  store i32 0, ptr @own\n}\n" KERNEL(
                                 "k", "  call void @f()\n  store i32 0, ptr @both\n")
                                 KERNEL("l", "  store i32 0, ptr @both\n") MARK("k") MARK("l"),
                         &program, &memory);
    cr_expect(strstr(made, "@k.own = internal addrspace(3) global [4 x i32] undef, align 4\n"), "%s", made);
    cr_expect(strstr(made, "ptr @k.own\n"), "%s", made);
    cr_expect(strstr(made, "@heddle.shared.both = internal"), "%s", made);
    cr_expect_null(strstr(made, "nobody"), "%s", made);
    cr_expect(strstr(made, "define spir_kernel dso_local void @k() {\n"), "%s", made);
    cr_expect_eq(program.dynamic_kernels.count, 0);
    free(made);
    arena_free(&memory);
}

Test(cuda_text, variables_of_dynamic_size_are_one)
{
    arena memory = {0};
    cuda_program program;
    char *made =
        text_of("@one = external dso_local addrspace(3) global [0 x float], align 4\n"
                "@other = external dso_local addrspace(3) global [0 x i32], align 4\n" KERNEL(
                    "k", "  store i32 0, ptr @one\n  store i32 0, ptr @other\n") KERNEL("l", "") MARK("k") MARK("l"),
                &program, &memory);
    cr_expect(strstr(made, "  store i32 0, ptr @heddle.dynamic\n  store i32 0, ptr @heddle.dynamic\n"), "%s", made);
    cr_assert_eq(program.dynamic_kernels.count, 1);
    cr_expect(ir_equals(program.dynamic_kernels.items[0], "k"));
    free(made);
    arena_free(&memory);
}

Test(cuda_text, the_host_can_name_variables_that_it_changes)
{
    arena memory = {0};
    cuda_program program;
    free(text_of("@a = dso_local addrspace(4) externally_initialized global i32 5, align 4\n"
                 "@b = internal addrspace(1) externally_initialized global i32 5, align 4\n@c = constant i32 1\n",
                 &program, &memory));
    cr_assert_eq(program.variables.count, 1);
    cr_expect(ir_equals(program.variables.items[0], "a"));
    arena_free(&memory);
}
