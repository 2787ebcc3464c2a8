/* SPDX-License-Identifier: MIT */
#include "results_form.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

#define PLACE_BYTES 512u

enum form {
    FORM_MAPPING,
    FORM_MAPPING_OR_NULL,
    FORM_LIST,
    FORM_TEXT,
    FORM_TEXT_OR_NULL,
    FORM_COUNT,
    FORM_COUNT_OR_NULL,
    FORM_BOOLEAN,
    FORM_VALUE
};

static const char *const form_texts[] = {
    [FORM_MAPPING] = "a mapping",
    [FORM_MAPPING_OR_NULL] = "a mapping or null",
    [FORM_LIST] = "a list",
    [FORM_TEXT] = "a text",
    [FORM_TEXT_OR_NULL] = "a text or null",
    [FORM_COUNT] = "a whole number, 0 or more",
    [FORM_COUNT_OR_NULL] = "a whole number, 0 or more, or null",
    [FORM_BOOLEAN] = "true or false",
    [FORM_VALUE] = "a single value",
};

/* '*' is any member, "[]" any element. What contains something stands before it. */
static const struct {
    const char *pattern;
    enum form form;
    int is_needed;
} rows[] = {
    {"status", FORM_TEXT, 1},
    {"message", FORM_TEXT, 0},
    {"seed", FORM_VALUE, 0},
    {"simulated_ps", FORM_COUNT, 1},
    {"busy_ps", FORM_COUNT, 0},
    {"app", FORM_MAPPING, 0},
    {"app.name", FORM_TEXT_OR_NULL, 0},
    {"app.inputs", FORM_MAPPING, 0},
    {"app.inputs.*", FORM_VALUE, 0},
    {"kernels", FORM_LIST, 0},
    {"kernels.[]", FORM_MAPPING, 0},
    {"kernels.[].kernel", FORM_TEXT, 0},
    {"kernels.[].cycles", FORM_COUNT, 0},
    {"busy", FORM_MAPPING, 0},
    {"busy.*", FORM_MAPPING, 0},
    {"busy.*.*", FORM_COUNT, 0},
    {"blocks", FORM_MAPPING, 1},
    {"blocks.*", FORM_MAPPING, 0},
    {"blocks.*.total", FORM_MAPPING, 0},
    {"blocks.*.total.*", FORM_COUNT, 0},
    {"machine", FORM_MAPPING, 1},
    {"machine.name", FORM_TEXT, 0},
    {"machine.watchdog_ps", FORM_COUNT_OR_NULL, 0},
    {"machine.limit_ps", FORM_COUNT_OR_NULL, 0},
    {"machine.launch_align", FORM_BOOLEAN, 0},
    {"machine.perturb", FORM_MAPPING, 0},
    {"machine.perturb.*", FORM_COUNT, 0},
    {"machine.energy", FORM_MAPPING, 0},
    {"machine.energy.name", FORM_TEXT, 0},
    {"machine.energy.tm", FORM_TEXT, 0},
    {"machine.energy.blocks_fj", FORM_MAPPING, 0},
    {"machine.energy.blocks_fj.*", FORM_MAPPING, 0},
    {"machine.energy.blocks_fj.*.*", FORM_COUNT, 0},
    {"machine.clocks_hz", FORM_MAPPING, 0},
    {"machine.clocks_hz.*", FORM_COUNT, 0},
    {"machine.address_map", FORM_MAPPING_OR_NULL, 0},
    {"machine.address_map.*", FORM_VALUE, 0},
    {"machine.blocks", FORM_LIST, 0},
    {"machine.blocks.[]", FORM_MAPPING, 0},
    {"machine.blocks.[].name", FORM_TEXT, 1},
    {"machine.blocks.[].kind", FORM_TEXT, 0},
    {"machine.blocks.[].type", FORM_TEXT, 0},
    {"machine.blocks.[].clock", FORM_TEXT_OR_NULL, 0},
    {"machine.blocks.[].count", FORM_COUNT, 0},
    {"machine.blocks.[].parameters", FORM_MAPPING, 0},
    {"machine.blocks.[].parameters.*", FORM_VALUE, 0},
    {"machine.links", FORM_LIST, 0},
    {"machine.links.[]", FORM_MAPPING, 0},
    {"machine.links.[].from", FORM_TEXT, 1},
    {"machine.links.[].to", FORM_TEXT, 1},
    {"machine.links.[].*", FORM_VALUE, 0},
};

static int has_form(const json_t *value, enum form form)
{
    const int is_null = json_is_null(value), is_count = json_is_integer(value) && json_integer_value(value) >= 0;
    switch (form) {
    case FORM_MAPPING: return json_is_object(value);
    case FORM_MAPPING_OR_NULL: return is_null || json_is_object(value);
    case FORM_LIST: return json_is_array(value);
    case FORM_TEXT: return json_is_string(value);
    case FORM_TEXT_OR_NULL: return is_null || json_is_string(value);
    case FORM_COUNT: return is_count;
    case FORM_COUNT_OR_NULL: return is_null || is_count;
    case FORM_BOOLEAN: return json_is_boolean(value);
    case FORM_VALUE: return !json_is_object(value) && !json_is_array(value);
    }
    return 0;
}

static const char *found_text(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "a mapping";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a text";
    case JSON_INTEGER: return json_integer_value(value) < 0 ? "a number below 0" : "a number";
    case JSON_REAL: return "a number with a fraction";
    case JSON_NULL: return "null";
    default: return json_is_true(value) ? "true" : "false";
    }
}

static char *fault_at(const json_t *value, const char *place, size_t row, const char *pattern);

static char *fault_in_list(const json_t *list, const char *place, size_t row, const char *rest)
{
    char *fault = NULL;
    for (size_t i = 0; !fault && i < json_array_size(list); i++) {
        char at[PLACE_BYTES];
        snprintf(at, sizeof at, "%s[%zu]", place, i);
        fault = fault_at(json_array_get(list, i), at, row, rest);
    }
    return fault;
}

static char *fault_in_member(const json_t *value, const char *place, const char *name, size_t row, const char *rest)
{
    char at[PLACE_BYTES];
    snprintf(at, sizeof at, "%s%s%s", place, *place ? "." : "", name);
    return fault_at(value, at, row, rest);
}

static char *fault_in_mapping(const json_t *mapping, const char *place, size_t row, const char *pattern, size_t bytes,
                              const char *rest)
{
    const char *name;
    char *fault = NULL, own[64];
    json_t *value;
    if (*pattern != '*') {
        snprintf(own, sizeof own, "%.*s", (int)bytes, pattern);
        return fault_in_member(json_object_get(mapping, own), place, own, row, rest);
    }
    json_object_foreach((json_t *)mapping, name, value)
    {
        if (!fault)
            fault = fault_in_member(value, place, name, row, rest);
    }
    return fault;
}

/* pattern: what is left of the row's; the value is there, or NULL. What is no container was found by a row before. */
static char *fault_at(const json_t *value, const char *place, size_t row, const char *pattern)
{
    const size_t bytes = strcspn(pattern, ".");
    const char *rest = pattern + bytes + (pattern[bytes] == '.');
    if (!*pattern && !value)
        return rows[row].is_needed ? hd_text_format("it has no '%s'", place) : NULL;
    if (!*pattern)
        return has_form(value, rows[row].form)
                   ? NULL
                   : hd_text_format("'%s' must be %s, not %s", place, form_texts[rows[row].form], found_text(value));
    if (*pattern == '[')
        return fault_in_list(value, place, row, rest);
    return json_is_object(value) ? fault_in_mapping(value, place, row, pattern, bytes, rest) : NULL;
}

char *results_form_fault(const json_t *results)
{
    char *fault = NULL;
    for (size_t row = 0; !fault && row < sizeof rows / sizeof *rows; row++)
        fault = fault_at(results, "", row, rows[row].pattern);
    return fault;
}
