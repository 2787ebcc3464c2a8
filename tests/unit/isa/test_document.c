/* SPDX-License-Identifier: MIT */
/* docs/isa.md says what the code does. */
#include "assemble.h"

#include "hd_address.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_document(void)
{
    FILE *file = fopen(ISA_DOCUMENT, "rb");
    cr_assert(file, "%s cannot be opened", ISA_DOCUMENT);
    char *text = calloc(1, 1 << 20);
    size_t bytes = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    cr_assert_gt(bytes, 0);
    return text;
}

Test(document, has_the_encoding_of_every_operation_and_no_other)
{
    char row[128];
    uint32_t rows = 0;
    char *text = read_document();
    const char *table = strstr(text, "## Encodings");
    cr_assert(table);
    for (uint32_t operation = 0; operation < ISA_OP_ILLEGAL; operation++) {
        const isa_encoding *encoding = &isa_encodings[operation];
        snprintf(row, sizeof row, "| `%s` | %s | `0x%08X` | `0x%08X` |", encoding->mnemonic,
                 isa_class_name(encoding->instruction_class), encoding->match, encoding->mask);
        cr_expect(strstr(table, row), "missing: %s", row);
    }
    for (const char *at = table; (at = strstr(at, "\n| `")); at++)
        rows++;
    cr_expect_eq(rows, ISA_OP_ILLEGAL);
    free(text);
}

Test(document, has_the_address_windows_of_the_abi)
{
    static const struct {
        uint32_t from, to;
        const char *name;
    } windows[] = {
        {0, HD_UNMAPPED_END, "unmapped"},
        {HD_SCRATCHPAD_BASE, HD_SCRATCHPAD_END, "scratchpad"},
        {HD_PRIVATE_BASE, HD_PRIVATE_END, "private"},
        {HD_CONSTANT_BASE, HD_CONSTANT_END, "constant"},
    };
    char row[128];
    char *text = read_document();
    for (uint32_t i = 0; i < COUNT_OF(windows); i++) {
        snprintf(row, sizeof row, "| `0x%08X` | `0x%08X` | %s |", windows[i].from, windows[i].to, windows[i].name);
        cr_expect(strstr(text, row), "missing: %s", row);
    }
    snprintf(row, sizeof row, "| `0x%08X` | end of memory | global |", HD_GLOBAL_BASE);
    cr_expect(strstr(text, row), "missing: %s", row);
    free(text);
}

Test(document, has_the_numbers_of_the_control_and_status_registers)
{
    static const uint32_t numbers[] = {
        ISA_CSR_FFLAGS,     ISA_CSR_FRM,          ISA_CSR_FCSR,         ISA_CSR_PIN_LEVEL,   ISA_CSR_CYCLE,
        ISA_CSR_INSTRET,    ISA_CSR_CYCLE_HIGH,   ISA_CSR_INSTRET_HIGH, ISA_CSR_THREAD_X,    ISA_CSR_BLOCK_X,
        ISA_CSR_LANE,       ISA_CSR_WARP,         ISA_CSR_BLOCK_SIZE_X, ISA_CSR_GRID_SIZE_X, ISA_CSR_CORE,
        ISA_CSR_TX_ATTEMPT, ISA_CSR_TX_TIMESTAMP,
    };
    char number[16];
    char *text = read_document();
    for (uint32_t i = 0; i < COUNT_OF(numbers); i++) {
        snprintf(number, sizeof number, "`0x%03X`", numbers[i]);
        cr_expect(strstr(text, number), "missing: %s", number);
    }
    free(text);
}
