/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <inttypes.h>
#include <string.h>

#include "hd_unit.h"
#include "input_file.h"
#include "text_value.h"

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

static void report_range(loader *state, const node *value, const char *what, uint32_t unit, uint64_t minimum,
                         uint64_t maximum)
{
    char low[48], high[48];
    unsigned_to_short_text(minimum, unit, low, sizeof low);
    unsigned_to_short_text(maximum, unit, high, sizeof high);
    if (maximum)
        report_error(&state->log, ERROR_OUT_OF_RANGE, value->at, "%s is '%s'; it must be between %s and %s", what,
                     value->text, low, high);
    else
        report_error(&state->log, ERROR_OUT_OF_RANGE, value->at, "%s is '%s'; it must be at least %s", what,
                     value->text, low);
}

static void report_unit(loader *state, const node *value, const char *what, uint32_t unit, enum text_result result)
{
    if (result == TEXT_UNIT_MISSING)
        report_error(&state->log, ERROR_WRONG_UNIT, value->at, "%s needs a unit: '%s'", what, value->text);
    else if (result == TEXT_UNIT_UNWANTED)
        report_error(&state->log, ERROR_WRONG_UNIT, value->at, "%s takes no unit: '%s'", what, value->text);
    else
        report_error(&state->log, ERROR_WRONG_UNIT, value->at, "%s has an unknown unit: '%s'", what, value->text);
    if (unit != HD_UNITLESS)
        report_note(&state->log, "it is %s; units: %s", unit_description(unit), unit_names(unit));
}

int netlist_read_unsigned(loader *state, const node *value, const char *what, uint32_t unit, uint64_t minimum,
                          uint64_t maximum, uint64_t *result)
{
    uint64_t read = 0;
    enum text_result outcome = text_to_unsigned(value->text, unit, &read);
    switch (outcome) {
    case TEXT_OK: break;
    case TEXT_NOT_A_NUMBER:
        report_error(&state->log, ERROR_WRONG_TYPE, value->at, "%s must be %s, not '%s'", what, unit_description(unit),
                     value->text);
        return 0;
    case TEXT_NOT_WHOLE:
        report_error(&state->log, ERROR_OUT_OF_RANGE, value->at, "%s is '%s', not a whole number%s%.*s", what,
                     value->text, unit ? " of " : "", (int)strcspn(unit_names(unit), ","), unit_names(unit));
        return 0;
    case TEXT_TOO_LARGE: report_range(state, value, what, unit, minimum, maximum ? maximum : UINT64_MAX); return 0;
    default: report_unit(state, value, what, unit, outcome); return 0;
    }
    if (read < minimum || (maximum && read > maximum)) {
        report_range(state, value, what, unit, minimum, maximum);
        return 0;
    }
    *result = read;
    return 1;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

const char *netlist_choice(const hd_parameter *declared, uint64_t index, arena *memory)
{
    if (declared->type == HD_TYPE_BOOLEAN)
        return index < 2 ? (index ? "true" : "false") : NULL;
    if (declared->type != HD_TYPE_CHOICE)
        return NULL;
    const char *at = declared->choices;
    for (; index; index--) {
        at += strcspn(at, "|");
        if (!*at++)
            return NULL;
    }
    return arena_copy(memory, at, strcspn(at, "|"));
}

uint32_t netlist_parameter_index(const hd_block_class *block_class, const char *name)
{
    size_t length = strlen(name);
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        const char *declared = block_class->parameters[i].name;
        if (strcmp(declared, name) == 0 ||
            (strncmp(declared, name, length) == 0 && strcmp(declared + length, ".type") == 0))
            return i;
    }
    return UINT32_MAX;
}

/* A parameter of a unit is named after it: "tx.granule" is none, but "tx.getm.granule" is. */
static int note_unit(loader *state, const hd_block_class *block_class, const char *name)
{
    const struct hd_composition *composition = block_class->composition;
    for (uint32_t i = 0; composition && i < composition->place_count; i++) {
        const hd_unit_place *place = &composition->places[i];
        const char *slot = block_class->parameters[block_class->unit_slots[place->slot].parameter].name;
        const size_t length = strlen(slot);
        for (uint32_t p = 0; p < place->unit->parameter_count; p++) {
            if (strncmp(name, slot, length) || name[length] != '.' ||
                strcmp(name + length + 1, place->unit->parameters[p].name))
                continue;
            report_note(&state->log, "'%s' is a parameter of %s '%s': '%s'", place->unit->parameters[p].name, slot,
                        place->unit->name, block_class->parameters[place->first_parameter + p].name);
            return 1;
        }
    }
    return 0;
}

static void unknown_parameter(loader *state, const entry *block, const hd_block_class *block_class, const node *name)
{
    candidates known = {0};
    for (uint32_t i = 0; i < block_class->parameter_count; i++)
        candidates_add(state->memory, &known, block_class->parameters[i].name);
    report_error(&state->log, ERROR_UNKNOWN_PARAMETER, name->at, "unknown parameter '%s' of block '%s' (%s/%s)",
                 name->text, block->key->text, block_class->kind, block_class->type);
    if (!note_unit(state, block_class, name->text))
        candidates_suggest(&state->log, name->text, &known);
    const node *former = block->value->former;
    if (former && netlist_entry(netlist_find(former, "parameters"), name->text))
        report_note_at(&state->log, netlist_find(block->value, "type")->at, "the type comes from here");
}

void netlist_name_parameters(loader *state, const entry *block, const hd_block_class *block_class)
{
    const node *parameters = netlist_find(block->value, "parameters");
    uint8_t *is_given = arena_alloc(state->memory, block_class->parameter_count + 1);
    for (uint32_t i = 0; parameters && i < parameters->count; i++) {
        uint32_t index = netlist_parameter_index(block_class, parameters->entries[i].key->text);
        if (index == UINT32_MAX)
            unknown_parameter(state, block, block_class, parameters->entries[i].key);
        else
            is_given[index] = 1;
    }
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        const hd_parameter *declared = &block_class->parameters[i];
        if (is_given[i] || declared->standard)
            continue;
        report_error(&state->log, ERROR_MISSING_PARAMETER, netlist_find(block->value, "type")->at,
                     "block '%s' (%s/%s) needs the parameter '%s'", block->key->text, block_class->kind,
                     block_class->type, declared->name);
        report_note(&state->log, "%s: %s", declared->name, declared->doc);
    }
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

static void report_choice(loader *state, const node *value, const char *what, const char *choices)
{
    candidates known = {0};
    for (const char *at = choices; at;) {
        size_t bytes = strcspn(at, "|");
        candidates_add(state->memory, &known, arena_copy(state->memory, at, bytes));
        at = at[bytes] ? at + bytes + 1 : NULL;
    }
    report_error(&state->log, ERROR_NOT_A_CHOICE, value->at, "%s cannot be '%s'", what, value->text);
    if (!candidates_suggest(&state->log, value->text, &known))
        report_note(&state->log, "choices: %s", choices);
}

static void report_type(loader *state, const node *value, const char *what, const char *expected)
{
    report_error(&state->log, ERROR_WRONG_TYPE, value->at, "%s must be %s, not '%s'", what, expected, value->text);
}

static void convert(loader *state, const hd_parameter *declared, const node *value, const char *what, hd_value *result)
{
    switch (declared->type) {
    case HD_TYPE_UNSIGNED:
        netlist_read_unsigned(state, value, what, declared->unit, declared->minimum, declared->maximum, &result->u);
        return;
    case HD_TYPE_BOOLEAN:
        if (!text_to_boolean(value->text, &result->u))
            report_type(state, value, what, "true or false");
        return;
    case HD_TYPE_CHOICE: {
        uint32_t index = choice_index(declared->choices, value->text);
        if (index == UINT32_MAX)
            report_choice(state, value, what, declared->choices);
        result->u = index;
        result->text = value->text;
        return;
    }
    case HD_TYPE_REAL:
        if (!text_to_real(value->text, &result->real))
            report_type(state, value, what, "a number");
        return;
    default:
        if (netlist_is_null(value))
            report_type(state, value, what, "a text");
        result->text = value->text;
        if (*value->text)
            input_file_note(value->text); /* it may name one, as the trace of a traffic generator does */
    }
}

void netlist_value_parameters(loader *state, const entry *block, const hd_block_class *block_class, hd_value *values,
                              netlist_place *origins)
{
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        const hd_parameter *declared = &block_class->parameters[i];
        const char *what = arena_format(state->memory, "'%s' of block '%s'", declared->name, block->key->text);
        origins[i] = (netlist_place){.file = "<default>"};
        if (!declared->standard)
            continue;
        node *standard = netlist_new_node(state->memory, NODE_SCALAR, block->key->at);
        standard->text = declared->standard;
        convert(state, declared, standard, what, &values[i]);
    }
    const node *parameters = netlist_find(block->value, "parameters");
    for (uint32_t i = 0; parameters && i < parameters->count; i++) {
        const entry *given = &parameters->entries[i];
        uint32_t index = netlist_parameter_index(block_class, given->key->text);
        const hd_parameter *declared = &block_class->parameters[index];
        const char *what = arena_format(state->memory, "'%s' of block '%s'", declared->name, block->key->text);
        values[index] = (hd_value){0};
        origins[index] = netlist_place_of(given->value->at);
        convert(state, declared, given->value, what, &values[index]);
    }
}
