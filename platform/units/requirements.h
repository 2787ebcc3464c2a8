/* SPDX-License-Identifier: MIT */
/* Whether values go together, as the class of a block says, the slots of its units, and the units that have been chosen. */
#ifndef UNITS_REQUIREMENTS_H
#define UNITS_REQUIREMENTS_H

#include "hd_unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* hd_block_class.check, and all requirements of the block alone. composed: with its units, if it has slots. */
uint32_t units_check(const hd_block_class *composed, const hd_value *values, hd_clock clock, hd_conflict *conflict);

/* How many requirements there are of the unit in this place, those of its slot first; and one of them. */
uint32_t unit_requirement_count(const hd_block_class *composed, const hd_unit_place *place);
const hd_requirement *unit_requirement(const hd_block_class *composed, const hd_unit_place *place, uint32_t index);
/* Whether it holds for a block with these values. */
uint32_t unit_requirement_applies(const hd_block_class *composed, const hd_unit_place *place,
                                  const hd_requirement *requirement, const hd_value *values);

/* Number among the class's of a parameter that a requirement names; UINT32_MAX: there is none. */
uint32_t unit_parameter(const hd_block_class *composed, const hd_unit_place *place, const char *name);

/* Is the word one of those in "a|b|c"? NULL has none. */
uint32_t unit_has_word(const char *words, const char *word);

#ifdef __cplusplus
}
#endif

#endif
