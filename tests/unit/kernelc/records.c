/* SPDX-License-Identifier: MIT */
/* What a kernel file says of its kernels, and files that are damaged. */
#include <stdlib.h>

#include "compiling.h"
#include "elf_file.h"

static const char program[] =
    "typedef struct { float4 a; char b; } pair;\n"
    "__kernel __attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((vec_type_hint(float4)))\n"
    "void first(__global const float *restrict in, __constant int *table, __local float4 *pad, pair p,\n"
    "           volatile __global uint *out, char c, double d)\n"
    "{ __local int own[10]; own[get_local_id(0) % 10] = c; barrier(1); out[0] = own[c]; }\n"
    "__kernel void second(void) {}\n";

static void expect_argument(const kernelc_kernel *kernel, uint32_t i, kernelc_argument expected)
{
    const kernelc_argument *a = &kernel->arguments[i];
    cr_expect_str_eq(a->name, expected.name);
    cr_expect_str_eq(a->type, expected.type, "%s: %s", expected.name, a->type);
    cr_expect_eq(a->space, expected.space, "%s", expected.name);
    cr_expect_eq(a->offset, expected.offset, "%s: %u", expected.name, a->offset);
    cr_expect_eq(a->bytes, expected.bytes, "%s: %u", expected.name, a->bytes);
    cr_expect_eq(a->alignment, expected.alignment, "%s: %u", expected.name, a->alignment);
    cr_expect_eq(a->qualifiers, expected.qualifiers, "%s: %u", expected.name, a->qualifiers);
}

Test(records, say_what_the_source_says)
{
    char error[256];
    kernelc_kernels kernels;
    kernelc_output made = compiled(program, "", KERNELC_DONE);
    cr_assert_eq(heddle_kernelc_kernels(made.image, made.bytes, &kernels, error, sizeof error), KERNELC_DONE);
    heddle_kernelc_free(&made);
    cr_assert_eq(kernels.count, 2);
    const kernelc_kernel *first = &kernels.kernels[0], *second = &kernels.kernels[1];
    cr_expect_str_eq(first->name, "first");
    cr_expect_str_eq(first->attributes, "reqd_work_group_size(8,4,2) vec_type_hint(float4)");
    cr_expect_eq(first->local_bytes, 40);
    cr_expect_eq(first->group_size[0] * 100 + first->group_size[1] * 10 + first->group_size[2], 842);
    cr_assert_eq(first->argument_count, 7);
    expect_argument(first, 0,
                    (kernelc_argument){KERNELC_GLOBAL, 16, 4, 4, 0, KERNELC_CONST | KERNELC_RESTRICT, "float*", "in"});
    expect_argument(first, 1, (kernelc_argument){KERNELC_CONSTANT, 20, 4, 4, 0, KERNELC_CONST, "int*", "table"});
    expect_argument(first, 2, (kernelc_argument){KERNELC_LOCAL, 24, 4, 4, 0, 0, "float4*", "pad"});
    expect_argument(first, 3, (kernelc_argument){KERNELC_PRIVATE, 32, 32, 16, 0, 0, "pair", "p"});
    expect_argument(first, 4, (kernelc_argument){KERNELC_GLOBAL, 64, 4, 4, 0, KERNELC_VOLATILE, "uint*", "out"});
    expect_argument(first, 5, (kernelc_argument){KERNELC_PRIVATE, 68, 1, 1, 0, 0, "char", "c"});
    expect_argument(first, 6, (kernelc_argument){KERNELC_PRIVATE, 72, 8, 8, 0, 0, "double", "d"});
    cr_expect_eq(first->block_bytes, 80);
    cr_expect_str_eq(second->name, "second");
    cr_expect_eq(second->argument_count, 0);
    cr_expect_eq(second->block_bytes, sizeof(kernelc_launch_header));
    heddle_kernelc_kernels_free(&kernels);
}

static void expect_refused(const void *image, size_t bytes, const char *part)
{
    char error[256] = "";
    kernelc_kernels kernels;
    cr_expect_eq(heddle_kernelc_kernels(image, bytes, &kernels, error, sizeof error), KERNELC_REFUSED);
    cr_expect(strstr(error, part), "%s", error);
    cr_expect_eq(kernels.count, 0);
}

/* Every word of the section with other values: read within its bounds, or refused. A sanitizer sees the rest. */
Test(records, that_are_damaged_are_refused_or_read)
{
    static const uint32_t values[] = {0, 1, 4, 0x7FFFFFFF, 0xFFFFFFFC, UINT32_MAX};
    kernelc_output made = compiled(program, "", KERNELC_DONE);
    elf_file file;
    size_t size;
    char error[256];
    cr_assert_eq(elf_open(&file, made.image, made.bytes, error, sizeof error), 0);
    const size_t at = (size_t)(elf_section(&file, KERNELC_SECTION, &size) - made.image);
    uint32_t refused = 0;
    for (size_t word = 0; word + 4 <= size; word += 4)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            uint32_t kept;
            kernelc_kernels kernels;
            memcpy(&kept, made.image + at + word, sizeof kept);
            memcpy(made.image + at + word, &values[v], sizeof kept);
            refused += heddle_kernelc_kernels(made.image, made.bytes, &kernels, error, sizeof error) != KERNELC_DONE;
            heddle_kernelc_kernels_free(&kernels);
            memcpy(made.image + at + word, &kept, sizeof kept);
        }
    cr_expect_gt(refused, 20, "%u", refused);
    memset(made.image + at, 0xFF, 4);
    expect_refused(made.image, made.bytes, "damaged: section .heddle.kernels");
    expect_refused(made.image, 30, "");
    expect_refused("no file", 7, "ELF");
    heddle_kernelc_free(&made);
}
