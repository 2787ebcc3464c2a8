/* SPDX-License-Identifier: MIT */
/* A class with two slots for units of a kind: of those that may stand in either, tables are there once. */
#include <criterion/criterion.h>
#include <string.h>

#include "compose.h"
#include "hd_tables.h"

#define UNIT(text, words, parameter, statistic)                                                                        \
    {                                                                                                                  \
        .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_unit), .kind = "toy", .name = (text),                 \
        .interface = "test.toy/1", .functions = (text), .abilities = (words), .parameter_count = 1,                    \
        .parameters = (parameter), .statistic_count = 1, .statistics = (statistic), .message_count = 1,                \
        .messages = messages                                                                                           \
    }

static const hd_parameter of_drum[] = {{.name = "size", .type = HD_TYPE_UNSIGNED, .standard = "1"}};
static const hd_parameter of_flute[] = {{.name = "keys", .type = HD_TYPE_UNSIGNED, .standard = "8"}};
static const hd_parameter of_horn[] = {{.name = "valves", .type = HD_TYPE_UNSIGNED, .standard = "3"}};
static const hd_statistic beats[] = {HD_COUNTED("beats", "beats", "of a drum")};
static const hd_statistic notes[] = {HD_COUNTED("notes", "notes", "of a flute")};
static const hd_statistic calls[] = {HD_COUNTED("calls", "calls", "of a horn")};
static const hd_message_use messages[] = {{"sound/1", HD_MESSAGE_SENT, 0, "out"}};
static const hd_unit drum = UNIT("drum", "loud", of_drum, beats), flute = UNIT("flute", "loud|soft", of_flute, notes),
                     horn = UNIT("horn", "soft", of_horn, calls);
static const hd_unit *const toys[] = {&drum, &flute}, *const brought[] = {&horn};

static const hd_parameter parameters[] = {{.name = "toy", .type = HD_TYPE_CHOICE, .standard = "drum"},
                                          {.name = "toy.beside", .type = HD_TYPE_CHOICE, .standard = "none"}};
static const hd_unit_slot slots[] = {
    {.kind = "toy", .interface = "test.toy/1", .parameter = 0, .units = toys, .unit_count = 2},
    {.kind = "toy",
     .interface = "test.toy/1",
     .parameter = 1,
     .units = toys,
     .unit_count = 2,
     .none = "none",
     .ability = "soft"},
};
static const hd_block_class declared = {.abi_version = HD_ABI_VERSION,
                                        .struct_bytes = sizeof(hd_block_class),
                                        .kind = "test_block",
                                        .type = "band",
                                        .parameters = parameters,
                                        .parameter_count = 2,
                                        .unit_slots = slots,
                                        .unit_slot_count = 2};

Test(composition, a_second_slot_takes_the_units_with_its_ability)
{
    const hd_block_class *made = units_compose(&declared, brought, 1);
    cr_expect_str_eq(made->parameters[0].choices, "drum|flute|horn");
    cr_expect_str_eq(made->parameters[1].choices, "none|flute|horn");
    cr_expect(unit_fits(&flute, &slots[1]) && !unit_fits(&drum, &slots[1]));
    units_release(made);
}

Test(composition, a_unit_in_two_slots_has_its_tables_once)
{
    const hd_block_class *made = units_compose(&declared, brought, 1);
    static const char *const names[] = {"toy", "toy.beside", "toy.drum.size", "toy.flute.keys", "toy.horn.valves"};
    cr_assert_eq(made->parameter_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        cr_expect_str_eq(made->parameters[i].name, names[i]);
    cr_assert_eq(made->statistic_count, 3);
    cr_expect_str_eq(made->statistics[1].name, "notes");
    cr_expect_eq(made->message_count, 5, "of each choice");
    units_release(made);
}

Test(composition, either_slot_finds_them)
{
    const hd_block_class *made = units_compose(&declared, brought, 1);
    hd_value values[5] = {{.u = 0}, {.u = 2}};
    const hd_unit_place *first = hd_unit_chosen(made, 0, values), *second = hd_unit_chosen(made, 1, values);
    cr_assert(first && first->unit == &drum && !first->is_again);
    cr_assert(second && second->unit == &horn && second->is_again);
    cr_expect_eq(first->first_parameter, 2);
    cr_expect_eq(second->first_parameter, 4);
    cr_expect_eq(second->first_statistic, 2);
    values[0].u = 2;
    cr_expect_eq(hd_unit_chosen(made, 0, values)->first_parameter, 4, "the same unit");
    values[1].u = 0;
    cr_expect_null(hd_unit_chosen(made, 1, values));
    units_release(made);
}
