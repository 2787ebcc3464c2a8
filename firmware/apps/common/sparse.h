/* SPDX-License-Identifier: MIT */
/*
 * Sparse matrices of the host side, compressed by lines: the elements of a line lie behind one another, in ascending order. Lines are rows
 * (CSR) or columns (CSC): the one of a matrix is the other of its transpose.
 */
#ifndef COMMON_SPARSE_H
#define COMMON_SPARSE_H

#include "common/host_check.h"

typedef struct sparse {
    uint32_t lines, across; /* rows and columns of CSR, columns and rows of CSC */
    uint32_t count;         /* of elements */
    uint32_t *first;        /* [lines + 1]: where a line starts in index and value */
    uint32_t *index;        /* [count]: place within the line */
    float *value;           /* [count] */
} sparse;

/* Elements in any order, each place once at most. */
typedef struct sparse_elements {
    uint32_t rows, columns;
    uint32_t count;
    uint32_t *row, *column;
    float *value;
} sparse_elements;

static inline sparse sparse_new(uint32_t lines, uint32_t across, uint32_t count)
{
    const sparse m = {.lines = lines,
                      .across = across,
                      .count = count,
                      .first = hd_host_alloc((lines + 1) * sizeof(uint32_t)),
                      .index = hd_host_alloc((count + 1) * sizeof(uint32_t)),
                      .value = hd_host_alloc((count + 1) * sizeof(float))};
    return m;
}

static inline void sparse_free(sparse *m)
{
    hd_host_free(m->first);
    hd_host_free(m->index);
    hd_host_free(m->value);
}

static inline sparse_elements sparse_elements_new(uint32_t rows, uint32_t columns, uint32_t room)
{
    const sparse_elements e = {.rows = rows,
                               .columns = columns,
                               .row = hd_host_alloc((room + 1) * sizeof(uint32_t)),
                               .column = hd_host_alloc((room + 1) * sizeof(uint32_t)),
                               .value = hd_host_alloc((room + 1) * sizeof(float))};
    return e;
}

static inline void sparse_elements_put(sparse_elements *e, uint32_t row, uint32_t column, float value)
{
    e->row[e->count] = row;
    e->column[e->count] = column;
    e->value[e->count++] = value;
}

static inline void sparse_elements_free(sparse_elements *e)
{
    hd_host_free(e->row);
    hd_host_free(e->column);
    hd_host_free(e->value);
}

/* Where lines start, from how long they are in first[1 ..]; and the same as places to fill. */
static inline uint32_t *sparse_add_up(sparse *m)
{
    for (uint32_t line = 0; line < m->lines; line++)
        m->first[line + 1] += m->first[line];
    uint32_t *place = hd_host_alloc((m->lines + 1) * sizeof(uint32_t));
    memcpy(place, m->first, (m->lines + 1) * sizeof(uint32_t));
    return place;
}

/* By columns what was by rows, and the other way round. Lines are taken in order, so those that come out are in order, whatever those
 * that go in are. */
static inline sparse sparse_transposed(const sparse *m)
{
    sparse t = sparse_new(m->across, m->lines, m->count);
    for (uint32_t i = 0; i < m->count; i++)
        t.first[m->index[i] + 1]++;
    uint32_t *place = sparse_add_up(&t);
    for (uint32_t line = 0; line < m->lines; line++)
        for (uint32_t i = m->first[line]; i < m->first[line + 1]; i++) {
            const uint32_t to = place[m->index[i]]++;
            t.index[to] = line;
            t.value[to] = m->value[i];
        }
    hd_host_free(place);
    return t;
}

/* As compressed sparse rows. */
static inline sparse sparse_of(const sparse_elements *e)
{
    sparse by_column = sparse_new(e->columns, e->rows, e->count);
    for (uint32_t i = 0; i < e->count; i++)
        by_column.first[e->column[i] + 1]++;
    uint32_t *place = sparse_add_up(&by_column);
    for (uint32_t i = 0; i < e->count; i++) {
        const uint32_t to = place[e->column[i]]++;
        by_column.index[to] = e->row[i];
        by_column.value[to] = e->value[i];
    }
    hd_host_free(place);
    const sparse m = sparse_transposed(&by_column);
    sparse_free(&by_column);
    return m;
}

static inline uint32_t sparse_longest_line(const sparse *m)
{
    uint32_t longest = 0;
    for (uint32_t line = 0; line < m->lines; line++) {
        const uint32_t length = m->first[line + 1] - m->first[line];
        longest = length > longest ? length : longest;
    }
    return longest;
}

#endif
