/* SPDX-License-Identifier: MIT */
#include "known.h"

#include <string.h>

static const known *const groups[] = {known_arithmetic, known_latencies, known_bandwidths,
                                      known_atomics,    known_launches,  known_misses,
                                      known_registers,  known_programs};

const known *known_find(const char *row, const char **argument)
{
    const size_t length = strcspn(row, " ");
    *argument = row[length] ? row + length + 1 : "";
    for (uint32_t group = 0; group < sizeof groups / sizeof *groups; group++)
        for (const known *k = groups[group]; k->id; k++)
            if (strlen(k->id) == length && !strncmp(k->id, row, length))
                return k;
    return NULL;
}
