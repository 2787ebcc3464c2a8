/* SPDX-License-Identifier: MIT */
/* What is said of programs that cannot be compiled: one error each, at the user's line. */
#include <stdio.h>

#include "compiling.h"

static void expect_log(const char *text, const char *options, kernelc_outcome outcome, const char *part)
{
    kernelc_output made = compiled(text, options, outcome);
    cr_expect(made.log && strstr(made.log, part), "%s\nis not in\n%s", part, made.log ? made.log : "");
    cr_expect(!made.log || !strstr(made.log, "heddle-opencl-"), "the temporary folder shows: %s", made.log);
    heddle_kernelc_free(&made);
}

Test(diagnostics, are_those_of_the_compiler_at_the_line_of_the_user)
{
    expect_log("\n__kernel void f(__global int *a) { a[0] = b; }", "", KERNELC_REFUSED,
               "folder/my.cl:2:43: error: use of undeclared identifier 'b'");
    expect_log("__kernel void f(__global int *a) { int x; a[0] = 1 }", "", KERNELC_REFUSED,
               "folder/my.cl:1:51: error: ");
    expect_log("#include \"absent.h\"\n", "", KERNELC_REFUSED,
               "folder/my.cl:1:10: fatal error: 'absent.h' file not found");
    expect_log("__kernel void f(__global int *a) { a[0] = X; }", "-DX=y", KERNELC_REFUSED, "undeclared identifier 'y'");
}

Test(diagnostics, of_warnings_are_kept)
{
    expect_log("__kernel void f(__global int *a) { if (a[0] = 1) a[1] = 2; }", "", KERNELC_DONE,
               "folder/my.cl:1:45: warning: ");
    expect_log("__kernel void f(__global int *a) { if (a[0] = 1) a[1] = 2; }", "-Werror", KERNELC_REFUSED, "error: ");
}

Test(diagnostics, name_what_there_is_none_of)
{
    expect_log("\n\n__kernel void f(__global int *a, __read_only image2d_t picture) { a[0] = 1; }", "", KERNELC_REFUSED,
               "folder/my.cl:3: error: kernel 'f': argument 1, 'picture', is an image: images are not supported");
    expect_log("__kernel void f(__global int *a, sampler_t s) { a[0] = 1; }", "", KERNELC_REFUSED,
               "argument 1, 's', is a sampler: images are not supported");
    expect_log("typedef struct { int a[2000]; } large;\n__kernel void f(large l, __global int *a) { a[0] = l.a[3]; }",
               "", KERNELC_REFUSED, "folder/my.cl:2: error: kernel 'f': argument 0, 'l', has no place");
    expect_log("int g(int);\n__kernel void f(__global int *a) { a[0] = g(1); }", "", KERNELC_REFUSED,
               "folder/my.cl:2: error: function 'g' is called and not defined");
    expect_log("int g(int);\nint h(int);\n__kernel void f(__global int *a) {\na[0] = g(1);\na[1] = h(2) + g(2); }", "",
               KERNELC_REFUSED,
               "folder/my.cl:4: error: function 'g' is called and not defined\nfolder/my.cl:5: error: function 'h'");
    expect_log("int f(int a) { return a; }", "", KERNELC_REFUSED, "folder/my.cl: error: there is no kernel in it");
}

Test(diagnostics, of_prints)
{
    static const struct {
        const char *call, *part;
    } rows[] = {
        {"\"%d\\n\", a[0]", "value 1 of a printf has 64 bits: '%d' is not of that many"},
        {"\"%d %v2d\\n\", 1, 2", "value 2 of a printf is no vector: '%v2d'"},
        {"\"%v2d\\n\", (int4)(1)", "value 1 of a printf is a vector of 4: '%v2d' is none of it"},
        {"\"%v8d\\n\", (int8)(1)", "printf has at most 7 values of 32 bits"},
        {"\"%v4ld\\n\", (long4)(1)", "printf has at most 7 values of 32 bits"},
        {"\"%d %d %d %d %d %d %d %d\", 1, 2, 3, 4, 5, 6, 7, 8", "printf has at most 7 values of 32 bits"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256], place[256];
        snprintf(text, sizeof text, "\n__kernel void f(__global long *a) { printf(%s); }", rows[i].call);
        snprintf(place, sizeof place, "folder/my.cl:2: error: %s", rows[i].part);
        expect_log(text, "-w", KERNELC_REFUSED, place);
    }
}

Test(diagnostics, of_assembly_are_at_its_line)
{
    expect_log("__kernel void f(__global int *a) {\nint q;\n__asm__(\"nonsense %0\" : \"=r\"(q));\na[0] = q;\n"
               "__asm__(\"addi %0, x0, 1\\n wrong\" : \"=r\"(q));\na[1] = q; }",
               "", KERNELC_REFUSED,
               "folder/my.cl:3: error: in inline assembly: unrecognized instruction mnemonic: nonsense a1\n"
               "folder/my.cl:5: error: in inline assembly: unrecognized instruction mnemonic");
}

Test(diagnostics, of_barriers_that_only_some_come_to)
{
    static const char text[] =
        "kernel void f(global int *a) {\nlocal int s[64];\nconst int i = get_local_id(0);\ns[i] = a[i];\n"
        "if (i < 16) {\ns[i] += s[i + 1];\nbarrier(CLK_LOCAL_MEM_FENCE);\n}\na[i] = s[i ^ 1];\n}";
    expect_log(
        text, "", KERNELC_DONE,
        "my.cl:7: warning: only some work-items of a group come to this barrier: their index decides at my.cl:5");
    kernelc_output made = compiled(text, "-w", KERNELC_DONE);
    cr_expect_null(made.log);
    heddle_kernelc_free(&made);
}

Test(diagnostics, of_options)
{
    expect_log("__kernel void f(void) {}", "-cl-std=CL3.0", KERNELC_OPTIONS,
               "build option '-cl-std=CL3.0' is not known");
}

Test(diagnostics, of_headers)
{
    static const char text[] = "#include \"a/b.h\"\n__kernel void f(__global int *a) { a[0] = B; }";
    kernelc_header header = {"a/b.h", "#define B 5\n"};
    kernelc_output made;
    const kernelc_input input = {
        .data = text, .bytes = strlen(text), .headers = &header, .header_count = 1, .cache = ""};
    cr_expect_eq(heddle_kernelc_compile(&input, &made), KERNELC_DONE, "%s", made.log);
    heddle_kernelc_free(&made);
    static const char *const unsafe[] = {"/tmp/x.h", "../x.h", "a/../../x.h", ""};
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++) {
        header.name = unsafe[i];
        cr_expect_eq(heddle_kernelc_compile(&input, &made), KERNELC_OPTIONS, "%s", unsafe[i]);
        heddle_kernelc_free(&made);
    }
}

Test(diagnostics, of_damaged_spirv)
{
    static const uint32_t words[] = {0x07230203, 0x00010000, 0, 5, 0, 0xFFFFFFFF};
    kernelc_output made;
    const kernelc_input input = {.data = words, .bytes = sizeof words, .is_spirv = 1, .cache = ""};
    const kernelc_outcome outcome = heddle_kernelc_compile(&input, &made);
    cr_expect(outcome == KERNELC_REFUSED || outcome == KERNELC_MISSING, "%u", outcome);
    cr_expect(made.log && strstr(made.log, "SPIR-V"), "%s", made.log);
    heddle_kernelc_free(&made);
}
