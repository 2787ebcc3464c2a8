/* SPDX-License-Identifier: MIT */
#include "assemble.h"
#include "vectors.h"

#include <criterion/criterion.h>

static int in_integer_vectors(uint32_t operation, const integer_vector *vectors, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (vectors[i].operation == operation)
            return 1;
    return 0;
}

static int in_float_vectors(uint32_t operation)
{
    for (uint32_t i = 0; i < float_vector_count; i++)
        if (float_vectors[i].operation == operation)
            return 1;
    return 0;
}

static int in_word_vectors(uint32_t operation)
{
    for (uint32_t i = 0; i < word_vector_count; i++)
        if (word_vectors[i].operation == operation)
            return 1;
    return 0;
}

static int is_tested(uint32_t operation)
{
    switch (isa_encodings[operation].instruction_class) {
    case ISA_CLASS_INT:
    case ISA_CLASS_MUL:
    case ISA_CLASS_DIV: return in_integer_vectors(operation, integer_vectors, integer_vector_count);
    case ISA_CLASS_BRANCH: return in_integer_vectors(operation, branch_vectors, branch_vector_count);
    case ISA_CLASS_FP:
    case ISA_CLASS_FP_FMA:
    case ISA_CLASS_FP_DIV: return in_float_vectors(operation);
    default: return in_word_vectors(operation);
    }
}

Test(coverage, every_operation_of_the_table_has_a_vector)
{
    for (uint32_t operation = 0; operation < ISA_OP_ILLEGAL; operation++)
        cr_expect(is_tested(operation), "%s has no vector", isa_mnemonic(operation));
}
