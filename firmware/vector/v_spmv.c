/* SPDX-License-Identifier: MIT */
/* Arguments: rows, entries in a million, seed; 0: 100, 100000, 1. */
#include "sparse.h"
#include "vector.h"

float v_row(const float *values, const uint32_t *offsets, uint32_t count, const float *vector);

static float values[SPARSE_ENTRIES], vector[SPARSE_ROWS], product[SPARSE_ROWS];

static float reference(const sparse *m, uint32_t row)
{
    float sum = 0;
    for (uint32_t i = m->begin[row]; i < m->begin[row + 1]; i++) {
        const float part = values[i] * vector[m->offset[i] / 4];
        sum += part;
    }
    return sum;
}

int main(uint32_t rows, uint32_t of_million, uint32_t seed)
{
    const sparse *m = sparse_make(rows ? rows : 100, of_million ? of_million : 100000, seed);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < m->begin[m->rows]; i++)
        values[i] = (float)m->weight[i] * 0.37f;
    for (uint32_t i = 0; i < m->rows; i++)
        vector[i] = (float)(sparse_random() % 1000) * 0.11f;
    measure_begin();
    for (uint32_t row = 0; row < m->rows; row++)
        product[row] =
            v_row(values + m->begin[row], m->offset + m->begin[row], m->begin[row + 1] - m->begin[row], vector);
    measure_end();
    for (uint32_t row = 0; row < m->rows; row++)
        wrong += product[row] != reference(m, row);
    return wrong != 0;
}
