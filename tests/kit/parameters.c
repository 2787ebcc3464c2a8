/* SPDX-License-Identifier: MIT */
#include "hd_units.h"
#include "kit_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct unit_name {
    uint32_t unit;
    const char *name;
    uint64_t scale;
} unit_name;

static const unit_name unit_names[] = {
#define UNIT_NAME(of, text, base) {of, text, base},
    HD_UNIT_NAMES(UNIT_NAME)
#undef UNIT_NAME
};

static uint64_t scale_of(uint32_t unit, const char *name)
{
    for (size_t i = 0; i < sizeof unit_names / sizeof *unit_names; i++)
        if (unit_names[i].unit == unit && strcmp(unit_names[i].name, name) == 0)
            return unit_names[i].scale;
    return 0;
}

static const char *parse_unsigned(const hd_parameter *parameter, const char *text, hd_value *value)
{
    if (!isdigit((unsigned char)text[0]))
        return "is not a number";
    char *end;
    hd_u128 number;
    uint64_t divisor = 1;
    number = strtoull(text, &end, text[0] == '0' && text[1] == 'x' ? 16 : 10);
    if (*end == '.')
        for (end++; isdigit((unsigned char)*end) && divisor < UINT64_C(1000000000000); end++) {
            number = number * 10 + (hd_u128)(*end - '0');
            divisor *= 10;
        }
    while (*end == ' ')
        end++;
    if (parameter->unit == HD_UNITLESS && *end)
        return "has a unit and takes none";
    const uint64_t scale = parameter->unit == HD_UNITLESS ? 1 : scale_of(parameter->unit, end);
    if (scale == 0)
        return *end ? "has the wrong unit" : "has no unit";
    number *= scale;
    if (number % divisor)
        return "is not a whole number";
    number /= divisor;
    if (number < parameter->minimum || (parameter->maximum && number > parameter->maximum) || number > UINT64_MAX)
        return "is out of range";
    value->u = (uint64_t)number;
    return NULL;
}

static const char *parse_choice(const hd_parameter *parameter, const char *text, hd_value *value)
{
    const size_t length = strlen(text);
    const char *choice = parameter->choices ? parameter->choices : "";
    for (uint64_t index = 0;; index++) {
        const size_t here = strcspn(choice, "|");
        if (here == length && length > 0 && strncmp(choice, text, length) == 0) {
            value->u = index;
            return NULL;
        }
        if (!choice[here])
            return "is not one of the choices";
        choice += here + 1;
    }
}

const char *kit_parse_value(const hd_parameter *parameter, const char *text, hd_value *value)
{
    *value = (hd_value){.text = text};
    char *end;
    switch (parameter->type) {
    case HD_TYPE_UNSIGNED: return parse_unsigned(parameter, text, value);
    case HD_TYPE_CHOICE: return parse_choice(parameter, text, value);
    case HD_TYPE_TEXT: return NULL;
    case HD_TYPE_BOOLEAN:
        value->u = strcmp(text, "true") == 0;
        return value->u || strcmp(text, "false") == 0 ? NULL : "is neither true nor false";
    case HD_TYPE_REAL: value->real = strtod(text, &end); return *text && !*end ? NULL : "is not a number";
    default: return "has an unknown type";
    }
}

static char *keep_text(kit_block *kit, const char *text)
{
    kit->texts = kit_grow(kit->texts, kit->text_count, sizeof *kit->texts);
    return kit->texts[kit->text_count++] = strdup(text);
}

static uint32_t find_parameter(const hd_block_class *block_class, const char *text)
{
    const size_t length = strcspn(text, "=");
    for (uint32_t i = 0; i < block_class->parameter_count; i++)
        if (strlen(block_class->parameters[i].name) == length &&
            strncmp(block_class->parameters[i].name, text, length) == 0)
            return i;
    return UINT32_MAX;
}

static const char *text_for(const hd_block_class *block_class, uint32_t index, const char *const *parameters)
{
    for (const char *const *text = parameters; text && *text; text++)
        if (find_parameter(block_class, *text) == index)
            return *text + strcspn(*text, "=") + 1;
    return block_class->parameters[index].standard;
}

/* NULL, or what is wrong with the parameter. */
static const char *value_of(const hd_block_class *block_class, uint32_t index, const char *const *parameters,
                            hd_value *value)
{
    const char *text = text_for(block_class, index, parameters);
    return text ? kit_parse_value(&block_class->parameters[index], text, value) : "is required and not given";
}

static void check_names(const hd_block_class *block_class, const char *const *parameters)
{
    for (const char *const *text = parameters; text && *text; text++)
        if (!strchr(*text, '=') || find_parameter(block_class, *text) == UINT32_MAX)
            kit_die("%s/%s has no parameter '%s'", block_class->kind, block_class->type, *text);
}

void kit_values(const hd_block_class *block_class, const char *const *parameters, hd_value *values)
{
    check_names(block_class, parameters);
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        const char *wrong = value_of(block_class, i, parameters, &values[i]);
        if (wrong)
            kit_die("%s/%s: %s %s", block_class->kind, block_class->type, block_class->parameters[i].name, wrong);
    }
}

void kit_parse_parameters(kit_block *kit, const char *const *parameters)
{
    const hd_block_class *block_class = kit->block_class;
    check_names(block_class, parameters);
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        const char *wrong = value_of(block_class, i, parameters, &kit->values[i]);
        if (kit->values[i].text)
            kit->values[i].text = keep_text(kit, kit->values[i].text);
        if (wrong && !kit->parameter_error[0])
            snprintf(kit->parameter_error, sizeof kit->parameter_error, "%s: '%s' %s", block_class->parameters[i].name,
                     kit->values[i].text ? kit->values[i].text : "", wrong);
    }
}
