/* SPDX-License-Identifier: MIT */
#include "requirements.h"

#include <stdio.h>
#include <unistd.h>

uint32_t unit_requirement_count(const hd_block_class *composed, const hd_unit_place *place)
{
    return composed->unit_slots[place->slot].requirement_count + place->unit->requirement_count;
}

const hd_requirement *unit_requirement(const hd_block_class *composed, const hd_unit_place *place, uint32_t index)
{
    const hd_unit_slot *slot = &composed->unit_slots[place->slot];
    return index < slot->requirement_count ? &slot->requirements[index]
                                           : &place->unit->requirements[index - slot->requirement_count];
}

static uint32_t names_own(const char *name)
{
    return name[0] == '.' && name[1] != '.';
}

/* Is it the parameter of that name in the group in which the slot's is? */
static uint32_t is_beside(const char *parameter, const char *slot, const char *name)
{
    const char *dot = strrchr(slot, '.');
    const size_t group = dot ? (size_t)(dot + 1 - slot) : 0;
    return strncmp(parameter, slot, group) == 0 && strcmp(parameter + group, name) == 0;
}

static uint32_t parameter_beside(const hd_block_class *composed, const hd_unit_place *place, const char *name)
{
    const char *slot = composed->parameters[composed->unit_slots[place->slot].parameter].name;
    for (uint32_t i = 0; i < composed->parameter_count; i++)
        if (is_beside(composed->parameters[i].name, slot, name))
            return i;
    return UINT32_MAX;
}

uint32_t unit_parameter(const hd_block_class *composed, const hd_unit_place *place, const char *name)
{
    if (strncmp(name, "..", 2) == 0)
        return parameter_beside(composed, place, name + 2);
    const uint32_t is_own = names_own(name);
    const uint32_t first = is_own ? place->first_parameter : 0;
    const uint32_t count = is_own ? place->unit->parameter_count : composed->parameter_count;
    const hd_parameter *parameters = is_own ? place->unit->parameters : composed->parameters;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(parameters[i].name, name + is_own) == 0)
            return first + i;
    return UINT32_MAX;
}

uint32_t unit_has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    while (words) {
        if (strncmp(words, word, length) == 0 && (words[length] == '|' || !words[length]))
            return 1;
        words = strchr(words, '|');
        words += words != NULL;
    }
    return 0;
}

static uint32_t is_word(const hd_parameter *parameter, const hd_value *value, const char *word)
{
    if (parameter->type == HD_TYPE_BOOLEAN)
        return strcmp(value->u ? "true" : "false", word) == 0;
    return strcmp(value->text, word) == 0;
}

uint32_t unit_requirement_applies(const hd_block_class *composed, const hd_unit_place *place,
                                  const hd_requirement *requirement, const hd_value *values)
{
    if (!requirement->when)
        return 1;
    const uint32_t i = unit_parameter(composed, place, requirement->when);
    return i != UINT32_MAX && is_word(&composed->parameters[i], &values[i], requirement->when_word);
}

static uint32_t has_ability(const hd_block_class *composed, uint32_t parameter, const hd_value *values,
                            const char *ability)
{
    for (uint32_t slot = 0; slot < composed->unit_slot_count; slot++) {
        const hd_unit_place *place = hd_unit_chosen(composed, slot, values);
        if (composed->unit_slots[slot].parameter == parameter)
            return place && unit_has_word(place->unit->abilities, ability);
    }
    return 0;
}

/* Its minimum, times `other`. */
static uint64_t minimum_of(const hd_block_class *composed, const hd_unit_place *place,
                           const hd_requirement *requirement, const hd_value *values)
{
    const uint64_t times = requirement->other ? values[unit_parameter(composed, place, requirement->other)].u : 1;
    return requirement->minimum * times;
}

/* Of the block alone. Requirements of the machine are met here. */
static uint32_t is_met(const hd_block_class *composed, const hd_unit_place *place, const hd_requirement *requirement,
                       uint32_t parameter, const hd_value *values)
{
    const uint64_t u = parameter == UINT32_MAX ? 0 : values[parameter].u;
    uint64_t minimum;
    switch (requirement->what) {
    case HD_REQUIRES_RANGE: return u >= minimum_of(composed, place, requirement, values) && u <= requirement->maximum;
    case HD_REQUIRES_CHOICE: return strcmp(values[parameter].text, requirement->word) == 0;
    case HD_REQUIRES_POWER_OF_TWO: return (u & (u - 1)) == 0;
    case HD_REQUIRES_MULTIPLE:
        minimum = minimum_of(composed, place, requirement, values);
        return minimum && u % minimum == 0;
    case HD_REQUIRES_FILE: return access(values[parameter].text, R_OK) == 0;
    case HD_REQUIRES_ABILITY: return has_ability(composed, parameter, values, requirement->word);
    default: return 1;
    }
}

static uint32_t check_place(const hd_block_class *composed, const hd_unit_place *place, const hd_value *values,
                            hd_conflict *conflict)
{
    const uint32_t slot = composed->unit_slots[place->slot].parameter;
    for (uint32_t i = 0; i < unit_requirement_count(composed, place); i++) {
        const hd_requirement *requirement = unit_requirement(composed, place, i);
        const uint32_t parameter =
            requirement->parameter ? unit_parameter(composed, place, requirement->parameter) : UINT32_MAX;
        if (!unit_requirement_applies(composed, place, requirement, values) ||
            is_met(composed, place, requirement, parameter, values))
            continue;
        conflict->parameter = names_own(requirement->parameter) ? parameter : slot;
        conflict->other = parameter;
        snprintf(conflict->text, sizeof conflict->text, "%s '%s' %s", composed->parameters[slot].name,
                 place->unit->name, requirement->sentence);
        return 0;
    }
    return 1;
}

uint32_t units_check(const hd_block_class *composed, const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    if (composed->check && !composed->check(values, clock, conflict))
        return 0;
    for (uint32_t slot = 0; composed->composition && slot < composed->unit_slot_count; slot++) {
        const hd_unit_place *place = hd_unit_chosen(composed, slot, values);
        if (place && !check_place(composed, place, values, conflict))
            return 0;
    }
    return 1;
}
