/* SPDX-License-Identifier: MIT */
#include "energy_counts.h"

#include <stdio.h>
#include <string.h>

static uint32_t count_named(const hd_block_class *block_class, const char *name, size_t bytes)
{
    for (uint32_t i = 0; i < block_class->statistic_count; i++) {
        const hd_statistic *statistic = &block_class->statistics[i];
        if (statistic->kind == HD_STATISTIC_COUNT && strlen(statistic->name) == bytes &&
            !memcmp(statistic->name, name, bytes))
            return i;
    }
    return UINT32_MAX;
}

static void add(energy_counts *counts, const hd_block_class *block_class, const char *name, size_t bytes,
                uint32_t is_less)
{
    const uint32_t statistic = count_named(block_class, name, bytes);
    if (statistic == UINT32_MAX || counts->term_count == ENERGY_TERMS_MAX) {
        if (!*counts->unknown)
            snprintf(counts->unknown, sizeof counts->unknown, "%.*s", (int)(bytes < HD_NAME_MAX ? bytes : HD_NAME_MAX),
                     name);
        return;
    }
    const uint32_t are_cycles = !strcmp(block_class->statistics[statistic].unit, "cycles");
    counts->are_mixed |= counts->term_count && are_cycles != counts->are_cycles;
    counts->are_cycles = are_cycles;
    counts->terms[counts->term_count++] = (energy_term){.statistic = statistic, .is_less = is_less};
}

energy_counts energy_counts_of(const hd_block_class *block_class, const hd_energy_event *event)
{
    energy_counts counts = {0};
    uint32_t is_less = 0;
    for (const char *at = event->counts;;) {
        const size_t bytes = strcspn(at, " ");
        add(&counts, block_class, at, bytes, is_less);
        at += bytes;
        is_less = !strncmp(at, " - ", 3);
        if (!is_less && strncmp(at, " + ", 3) != 0) {
            if (*at)
                add(&counts, block_class, at, strlen(at), 0); /* no joint: it is no name either */
            return counts;
        }
        at += 3;
    }
}

uint64_t energy_count(const energy_counts *counts, const uint64_t *values)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < counts->term_count; i++)
        sum += counts->terms[i].is_less ? 0 - values[counts->terms[i].statistic] : values[counts->terms[i].statistic];
    return sum;
}
