/* SPDX-License-Identifier: MIT */
/* LLVM's text: taken apart, retargeted, laid out. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "retarget.h"

#define PIECE(literal) ((ir_piece){(literal), strlen(literal)})

static void expect_retargeted(const char *text, const char *expected)
{
    char *made = ir_retarget(text, strlen(text));
    cr_expect_str_eq(made, expected);
    free(made);
}

Test(retarget, address_spaces_go)
{
    expect_retargeted("%1 = load i32, ptr addrspace(1) %0, align 4", "%1 = load i32, ptr %0, align 4\n");
    expect_retargeted("%2 = addrspacecast ptr addrspace(3) %1 to ptr", "%2 = bitcast ptr %1 to ptr\n");
    expect_retargeted("call void @llvm.memcpy.p1.p2.i32(ptr addrspace(1) %0)",
                      "call void @llvm.memcpy.p0.p0.i32(ptr %0)\n");
    expect_retargeted("call spir_func void @f()", "call void @f()\n");
}

Test(retarget, texts_of_the_program_stay)
{
    expect_retargeted("@s = constant [17 x i8] c\"ptr addrspace(1) \", align 1",
                      "@s = constant [17 x i8] c\"ptr addrspace(1) \", align 1\n");
}

Test(retarget, declarations_that_became_one_are_one)
{
    expect_retargeted("declare void @llvm.x.p1(ptr addrspace(1))\ndeclare void @llvm.x.p3(ptr addrspace(3))",
                      "declare void @llvm.x.p0(ptr)\n");
}

Test(retarget, attributes_of_other_processors_go)
{
    expect_retargeted("attributes #0 = { nounwind \"target-features\"=\"+sm_20\" \"no-builtins\" }",
                      "attributes #0 = { nounwind  \"no-builtins\" }\n");
}

Test(pieces, are_split_at_commas_in_no_brackets)
{
    arena memory = {0};
    const ir_list list = ir_split(&memory, PIECE("<4 x float> %0, { i32, i8 } %1, !\"a,b\""));
    cr_assert_eq(list.count, 3);
    cr_expect(ir_equals(list.items[1], "{ i32, i8 } %1"));
    cr_expect(ir_equals(list.items[2], "!\"a,b\""));
    cr_expect_eq(ir_split(&memory, PIECE("")).count, 0);
    arena_free(&memory);
}

static void expect_layout(const char *type, uint64_t bytes, uint32_t alignment)
{
    arena memory = {0};
    const ir_types types = {&memory,
                            PIECE("%struct.s = type { <4 x float>, i32, i8, [3 x i16] }\n"
                                  "%struct.p = type <{ i8, i32 }>\n%struct.o = type opaque"),
                            4};
    const ir_layout layout = ir_layout_of(&types, PIECE(type));
    cr_expect_eq(layout.bytes, bytes, "%s: %lu bytes", type, (unsigned long)layout.bytes);
    cr_expect_eq(layout.alignment, alignment, "%s: aligned to %u", type, layout.alignment);
    arena_free(&memory);
}

Test(layout, is_that_of_opencl)
{
    expect_layout("i8", 1, 1);
    expect_layout("ptr", 4, 4);
    expect_layout("i64", 8, 8);
    expect_layout("<3 x float>", 16, 16);
    expect_layout("<16 x double>", 128, 128);
    expect_layout("[3 x i16]", 6, 2);
    expect_layout("{ i8, double, i8 }", 24, 8);
    expect_layout("<{ i8, double }>", 9, 1);
    expect_layout("%struct.s", 32, 16);
    expect_layout("%struct.p", 5, 1);
}

Test(layout, of_what_is_not_known_is_none)
{
    expect_layout("%struct.o", 0, 0);
    expect_layout("%struct.absent", 0, 0);
    expect_layout("{ i32, x86_fp80 }", 0, 0);
    expect_layout("", 0, 0);
}
