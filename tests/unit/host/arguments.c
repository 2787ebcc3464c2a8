/* SPDX-License-Identifier: MIT */
/* What a kernel file says of argument blocks; it is not trusted. */
#include <criterion/criterion.h>
#include <string.h>

#include "program.h"
#include "runtime_internal.h"

typedef struct records {
    uint8_t bytes[512];
    uint32_t count;
} records;

/* text_bytes: with the 0 at its end, or without. */
static void add(records *to, uint32_t argument_bytes, const char *text, uint32_t text_bytes)
{
    const uint32_t head[2] = {(uint32_t)(sizeof head + text_bytes), argument_bytes};
    memcpy(to->bytes + to->count, head, sizeof head);
    memcpy(to->bytes + to->count + sizeof head, text, text_bytes);
    to->count += head[0];
}

#define ADD(to, argument_bytes, text) add(to, argument_bytes, text, sizeof(text))

static uint32_t of_kernel(const records *from, const char *kernel, char *type)
{
    const isa_program program = {.argument_records = from->count ? from->bytes : NULL,
                                 .argument_record_bytes = from->count};
    uint32_t bytes = 0;
    *type = 0;
    return arguments_of(&program, kernel, type, 64, &bytes) ? bytes : UINT32_MAX;
}

Test(arguments, are_those_of_the_type_that_the_kernel_is_declared_with)
{
    records all = {.count = 0};
    char type[64];
    cr_expect_eq(of_kernel(&all, "k", type), UINT32_MAX);
    ADD(&all, 12, "args");
    ADD(&all, 16, "k_args");
    ADD(&all, 20, "more_k_args");
    ADD(&all, HD_ARGUMENT_KERNEL, "k\0const k_args *args");
    ADD(&all, HD_ARGUMENT_KERNEL, "nothing\0void");
    ADD(&all, HD_ARGUMENT_KERNEL, "other\0const struct more_k_args* restrict args");
    cr_expect_eq(of_kernel(&all, "k", type), 16, "the type stands before the name");
    cr_expect_str_eq(type, "k_args");
    cr_expect_eq(of_kernel(&all, "other", type), 20);
    cr_expect_str_eq(type, "more_k_args");
    cr_expect_eq(of_kernel(&all, "nothing", type), UINT32_MAX);
    cr_expect_eq(of_kernel(&all, "args", type), UINT32_MAX);
}

Test(arguments, of_damaged_records_are_not_known)
{
    char type[64];
    records all = {.count = 0};
    ADD(&all, 16, "a");
    ADD(&all, HD_ARGUMENT_KERNEL, "k\0a *args");
    cr_expect_eq(of_kernel(&all, "k", type), 16);
    for (uint32_t cut = 1; cut < all.count; cut++) {
        records part = all;
        part.count = cut;
        cr_expect_eq(of_kernel(&part, "k", type), UINT32_MAX, "%u bytes", cut);
    }
    records open = {.count = 0};
    ADD(&open, 16, "a");
    add(&open, HD_ARGUMENT_KERNEL, "k\0a *args", 9); /* without an end */
    cr_expect_eq(of_kernel(&open, "k", type), UINT32_MAX);
    records endless = {.count = 64}; /* a record of no bytes */
    cr_expect_eq(of_kernel(&endless, "k", type), UINT32_MAX);
}
