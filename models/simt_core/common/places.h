/* SPDX-License-Identifier: MIT */
/* Counts by place in the program (hd_profile.h) that the types of the kind simt_core share. */
#ifndef SIMT_CORE_PLACES_H
#define SIMT_CORE_PLACES_H

#include "hd_profile.h"

/* Columns: X(identifier, unit, kind, doc), as statistics. */
#define PLACES_INSTRUCTIONS(X)                                                                                         \
    X(warp_instructions, "instructions", COUNT, "instructions issued, one per warp or path")                           \
    X(thread_instructions, "instructions", COUNT, "instructions issued, times active lanes")                           \
    X(lost_lanes, "lanes", COUNT, "lanes of the warp that took no part in instructions issued")                        \
    X(divergent_branches, "branches", COUNT, "control transfers whose lanes diverged")                                 \
    X(taken_lanes, "lanes", COUNT, "lanes that took the branch here, of those that came to it")
#define PLACES_TRANSACTIONS(X)                                                                                         \
    X(tx_attempts, "attempts", COUNT, "attempts of lanes, at their tx.begin")                                          \
    X(tx_commits, "transactions", COUNT, "transactions of lanes that committed, at their tx.begin")                    \
    X(tx_aborts, "attempts", COUNT, "attempts of lanes given up: at the access that was refused, or where they stood")

static inline uint32_t place_row_of_more(const hd_profile_table *table, uint32_t module, uint32_t pc)
{
    for (uint32_t i = 0; i < table->more_count; i++) {
        const hd_profile_program *program = &table->more[i];
        const uint32_t word = (pc - program->first_pc) / 4;
        if (module == program->module && word < program->words)
            return program->first_row + word;
    }
    return table->words;
}

/* Row of a pc in a program of this module; `words` if the table is of no such program, or of other code. */
static inline uint32_t place_row(const hd_profile_table *table, uint32_t module, uint32_t pc)
{
    if (module != table->module)
        return place_row_of_more(table, module, pc);
    const uint32_t word = (pc - table->first_pc) / 4;
    return word < table->words ? word : table->words;
}

#endif
