/* SPDX-License-Identifier: MIT */
/* Which functional unit each operation needs, how long that takes, and how often. */
#ifndef SIMT_CORE_FUNCTIONAL_UNITS_H
#define SIMT_CORE_FUNCTIONAL_UNITS_H

#include "hd_block.h"
#include "instruction.h"

/* UNIT_SIMD takes an instruction of each port in each cycle; of the others the core has one each. */
enum functional_unit {
    UNIT_SIMD,
    UNIT_MULTIPLY,
    UNIT_DIVIDE,
    UNIT_FLOAT_DIVIDE,
    UNIT_SPECIAL,
    UNIT_SHIFT,
    UNIT_COMPARE,
    UNIT_MEMORY,
    UNIT_COUNT
};

typedef struct functional_units {
    uint8_t unit[ISA_OP_COUNT];     /* enum functional_unit, by operation */
    uint16_t latency[ISA_OP_COUNT]; /* cycles from issue to scoreboard clear; 0: it has none of its own */
    uint32_t interval[UNIT_COUNT];  /* the unit takes no further instruction for so long */
} functional_units;

/* values: of the core's parameters. */
void functional_units_init(functional_units *units, const hd_value *values);

#endif
