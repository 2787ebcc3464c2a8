/* SPDX-License-Identifier: MIT */
/* A class of blocks together with the units of its slots, as everyone but its author sees it (hd_unit.h). */
#ifndef UNITS_COMPOSE_H
#define UNITS_COMPOSE_H

#include <stddef.h>

#include "hd_unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A class as its author has declared it, or `composed` again: with the units that it declares, and behind them in each slot those
 * of `more` that fit. To be given to units_release. Borrows the class and the units. */
const hd_block_class *units_compose(const hd_block_class *block_class, const hd_unit *const *more, size_t count);
void units_release(const hd_block_class *composed);

/* The first slot of the class for units of the kind, or NULL. */
const hd_unit_slot *unit_slot(const hd_block_class *block_class, const char *kind);

/* Whether the unit may stand in that slot. */
uint32_t unit_fits(const hd_unit *unit, const hd_unit_slot *slot);
/* A function that a unit in that slot must have, and this one, which fits, has not; NULL: there is none. */
const char *unit_lacks(const hd_unit *unit, const hd_unit_slot *slot);

#ifdef __cplusplus
}
#endif

#endif
