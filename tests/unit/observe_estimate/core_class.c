/* SPDX-License-Identifier: MIT */
#include "core_class.h"

#include <criterion/criterion.h>
#include <string.h>

#include "compose.h"
#include "simt_core.h"
#include "text_value.h"

const hd_block_class *core_class;

void core_class_compose(void)
{
    core_class = units_compose(&hd_simt_core_timed, NULL, 0);
    cr_assert_leq(core_class->parameter_count, CORE_VALUES_MAX);
}

void core_class_release(void)
{
    units_release(core_class);
}

uint32_t core_parameter_index(const char *name)
{
    for (uint32_t i = 0; i < core_class->parameter_count; i++)
        if (!strcmp(core_class->parameters[i].name, name))
            return i;
    cr_assert_fail("no %s", name);
    return 0;
}

uint64_t core_choice(const char *name, const char *choice)
{
    return choice_index(core_class->parameters[core_parameter_index(name)].choices, choice);
}
