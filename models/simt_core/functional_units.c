/* SPDX-License-Identifier: MIT */
#include "functional_units.h"

#include "decode.h"
#include "parameters.h"

/* By class. interval PARAMETER_COUNT: as many per cycle as ports issue. */
static const struct {
    uint8_t unit;
    uint8_t latency;
    uint8_t interval;
} classes[ISA_CLASS_COUNT] = {
#define NO_INTERVAL PARAMETER_COUNT
    [ISA_CLASS_INT] = {UNIT_SIMD, PARAMETER_INT_LATENCY, NO_INTERVAL},
    [ISA_CLASS_CSR] = {UNIT_SIMD, PARAMETER_INT_LATENCY, NO_INTERVAL},
    [ISA_CLASS_MUL] = {UNIT_MULTIPLY, PARAMETER_MUL_LATENCY, PARAMETER_MUL_INTERVAL},
    [ISA_CLASS_DIV] = {UNIT_DIVIDE, PARAMETER_DIV_LATENCY, PARAMETER_DIV_INTERVAL},
    [ISA_CLASS_FP] = {UNIT_SIMD, PARAMETER_FP_LATENCY, NO_INTERVAL},
    [ISA_CLASS_FP_FMA] = {UNIT_SIMD, PARAMETER_FMA_LATENCY, NO_INTERVAL},
    [ISA_CLASS_FP_DIV] = {UNIT_FLOAT_DIVIDE, PARAMETER_FP_DIV_LATENCY, PARAMETER_FP_DIV_INTERVAL},
    [ISA_CLASS_SPECIAL] = {UNIT_SPECIAL, PARAMETER_SPECIAL_LATENCY, PARAMETER_SPECIAL_INTERVAL},
    [ISA_CLASS_BRANCH] = {UNIT_SIMD, PARAMETER_BRANCH_LATENCY, NO_INTERVAL},
    [ISA_CLASS_JUMP] = {UNIT_SIMD, PARAMETER_BRANCH_LATENCY, NO_INTERVAL},
    [ISA_CLASS_JUMP_REGISTER] = {UNIT_SIMD, PARAMETER_BRANCH_LATENCY, NO_INTERVAL},
    [ISA_CLASS_CROSS_LANE] = {UNIT_SIMD, PARAMETER_CROSS_LANE_LATENCY, NO_INTERVAL},
};
_Static_assert(PARAMETER_COUNT <= UINT8_MAX, "parameters are named in a byte");

static const uint8_t shifts[] = {ISA_OP_SLLI, ISA_OP_SRLI, ISA_OP_SRAI, ISA_OP_SLL, ISA_OP_SRL, ISA_OP_SRA};
static const uint8_t compares[] = {ISA_OP_SLTI,  ISA_OP_SLTIU, ISA_OP_SLT,    ISA_OP_SLTU,  ISA_OP_FEQ_S,
                                   ISA_OP_FLT_S, ISA_OP_FLE_S, ISA_OP_FMIN_S, ISA_OP_FMAX_S};

static uint32_t cycles_of(const hd_value *values, uint32_t parameter)
{
    return (uint32_t)values[parameter].u;
}

static uint16_t whole_latency(const hd_value *values, uint32_t parameter)
{
    return (uint16_t)(cycles_of(values, PARAMETER_REGISTER_READ) + cycles_of(values, parameter) +
                      cycles_of(values, PARAMETER_WRITE_BACK));
}

static void set_class(functional_units *units, const hd_value *values, uint32_t operation)
{
    const uint32_t class = isa_encodings[operation].instruction_class;
    if (class == ISA_CLASS_LOAD || class == ISA_CLASS_STORE || class == ISA_CLASS_ATOMIC)
        units->unit[operation] = UNIT_MEMORY;
    if (!classes[class].interval)
        return; /* no arithmetic, no jump */
    units->unit[operation] = classes[class].unit;
    units->latency[operation] = whole_latency(values, classes[class].latency);
    if (classes[class].interval != NO_INTERVAL)
        units->interval[classes[class].unit] = cycles_of(values, classes[class].interval);
}

/* Operations that may have a latency and a unit apart from their class; parameters that are 0 leave them there. */
static void set_apart(functional_units *units, const hd_value *values, const uint8_t *operations, uint32_t count,
                      enum functional_unit unit, uint32_t latency, uint32_t interval)
{
    units->interval[unit] = cycles_of(values, interval);
    for (uint32_t i = 0; i < count; i++) {
        if (cycles_of(values, interval))
            units->unit[operations[i]] = (uint8_t)unit;
        if (cycles_of(values, latency))
            units->latency[operations[i]] = whole_latency(values, latency);
    }
}

void functional_units_init(functional_units *units, const hd_value *values)
{
    for (uint32_t operation = 0; operation < ISA_OP_ILLEGAL; operation++)
        set_class(units, values, operation);
    set_apart(units, values, shifts, sizeof shifts, UNIT_SHIFT, PARAMETER_SHIFT_LATENCY, PARAMETER_SHIFT_INTERVAL);
    set_apart(units, values, compares, sizeof compares, UNIT_COMPARE, PARAMETER_COMPARE_LATENCY,
              PARAMETER_COMPARE_INTERVAL);
}
