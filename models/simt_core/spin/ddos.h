/* SPDX-License-Identifier: MIT */
/* Parameters of DDOS, and what it costs. */
#ifndef SIMT_CORE_SPIN_DDOS_H
#define SIMT_CORE_SPIN_DDOS_H

#include "hd_block.h"

enum ddos_parameter {
    DDOS_HASH,
    DDOS_PATH_BITS,
    DDOS_VALUE_BITS,
    DDOS_LENGTH,
    DDOS_REACH,
    DDOS_THRESHOLD,
    DDOS_ENTRIES,
    DDOS_HISTORIES,
    DDOS_EPOCH,
    DDOS_FOREIGN,
    DDOS_TAKEN,
    DDOS_PARAMETERS
};

enum { DDOS_REACH_LAST, DDOS_REACH_BEFORE_LAST };
enum { DDOS_FOREIGN_CLEARS, DDOS_FOREIGN_SKIPPED };
enum { DDOS_TAKEN_ANY, DDOS_TAKEN_LOWEST };

/* Bits, of a core with these parameters and so many warps (Table 6.2). */
uint64_t ddos_history_bits(const hd_value *values, uint64_t warps);
uint64_t ddos_table_bits(const hd_value *values);

extern const hd_parameter ddos_parameters[DDOS_PARAMETERS];

#endif
