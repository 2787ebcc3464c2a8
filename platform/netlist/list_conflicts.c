/* SPDX-License-Identifier: MIT */
/* Which choices do not go together: found by asking the class for every two of them. */
#include <string.h>

#include "list.h"
#include "loader.h"
#include "requirements.h"
#include "text_value.h"

#define CLOCK UINT64_C(1000000000)

static int set_standard(const hd_parameter *declared, hd_value *value)
{
    *value = (hd_value){.text = declared->standard};
    if (!declared->standard)
        return 0;
    switch (declared->type) {
    case HD_TYPE_UNSIGNED: return text_to_unsigned(declared->standard, declared->unit, &value->u) == TEXT_OK;
    case HD_TYPE_BOOLEAN: return text_to_boolean(declared->standard, &value->u);
    case HD_TYPE_REAL: return text_to_real(declared->standard, &value->real);
    case HD_TYPE_CHOICE: value->u = choice_index(declared->choices, declared->standard); return 1;
    default: return 1;
    }
}

static const char *assignment(const hd_parameter *declared, const char *value, arena *memory)
{
    return arena_format(memory, "%s: %s", declared->name, value);
}

/* Parameters i < j, all choices of both. */
static void try_pair(table *rows, const hd_block_class *block_class, hd_value *values, uint32_t i, uint32_t j)
{
    const hd_parameter *first = &block_class->parameters[i], *second = &block_class->parameters[j];
    const hd_value kept[] = {values[i], values[j]};
    const char *a, *b;
    for (uint32_t x = 0; (a = netlist_choice(first, x, rows->memory)); x++) {
        for (uint32_t y = 0; (b = netlist_choice(second, y, rows->memory)); y++) {
            hd_conflict conflict = {0};
            values[i] = (hd_value){.u = x, .text = a};
            values[j] = (hd_value){.u = y, .text = b};
            if (!units_check(block_class, values, (hd_clock){CLOCK}, &conflict) &&
                ((conflict.parameter == i && conflict.other == j) || (conflict.parameter == j && conflict.other == i)))
                TABLE_ROW(rows, assignment(first, a, rows->memory), assignment(second, b, rows->memory),
                          arena_copy(rows->memory, conflict.text, strlen(conflict.text)));
        }
    }
    values[i] = kept[0];
    values[j] = kept[1];
}

void list_conflicts(table *rows, const hd_block_class *block_class)
{
    if (!block_class->check && !block_class->unit_slot_count)
        return;
    hd_value *values = arena_alloc(rows->memory, block_class->parameter_count * sizeof *values + 1);
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        if (!set_standard(&block_class->parameters[i], &values[i]))
            return;
    }
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        for (uint32_t j = i + 1; j < block_class->parameter_count; j++)
            try_pair(rows, block_class, values, i, j);
    }
}
