/* SPDX-License-Identifier: MIT */
/* Ways go in turn, whatever is used. replacement.h is the contract. */
#include <stdlib.h>

#include "replacement_units.h"

typedef struct @name@ {
    uint32_t sets, ways;
    uint32_t next[]; /* [set]: way that goes next */
} @name@;

static replacement *@name@_create(const replacement_parameters *parameters)
{
    @name@ *r = calloc(1, sizeof *r + parameters->sets * sizeof *r->next);
    if (!r)
        return NULL;
    r->sets = parameters->sets;
    r->ways = parameters->ways;
    return (replacement *)r;
}

static void @name@_destroy(replacement *unit)
{
    free(unit);
}

static void @name@_reset(replacement *unit, uint64_t seed)
{
    @name@ *r = (@name@ *)unit;
    (void)seed;
    for (uint32_t set = 0; set < r->sets; set++)
        r->next[set] = 0;
}

static void @name@_installed(replacement *unit, uint32_t line)
{
    @name@ *r = (@name@ *)unit;
    r->next[line / r->ways] = (line + 1) % r->ways;
}

static void @name@_used(replacement *unit, uint32_t line)
{
    (void)unit, (void)line;
}

static uint32_t @name@_victim(const replacement *unit, uint32_t first, const uint8_t *stays)
{
    const @name@ *r = (const @name@ *)unit;
    for (uint32_t i = 0; i < r->ways; i++) {
        const uint32_t way = (r->next[first / r->ways] + i) % r->ways;
        if (!stays[way])
            return first + way;
    }
    return NO_VICTIM;
}

const replacement_unit replacement_@name@ = {
    .create = @name@_create,
    .destroy = @name@_destroy,
    .reset = @name@_reset,
    .installed = @name@_installed,
    .used = @name@_used,
    .victim = @name@_victim,
};

const hd_unit hd_replacement_@name@ = {
    HD_UNIT_HEAD(replacement, REPLACEMENT, @name@),
    .doc = "in turn: the ways of a set one after another, whatever is used",
    .source = "heddle new unit",
};
