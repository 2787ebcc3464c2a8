/* SPDX-License-Identifier: MIT */
/* Sparse matrices of the program's own, for which no file is needed. */
#include "library.h"

/* The columns of each row in order, without repetitions: a list per row while it grows. */
typedef struct rows {
    cl_uint count, room;
    cl_uint *lengths, *columns; /* room columns for each row */
} rows;

static int has(const rows *of, cl_uint row, cl_uint column)
{
    for (cl_uint i = 0; i < of->lengths[row]; i++)
        if (of->columns[row * of->room + i] == column)
            return 1;
    return 0;
}

static void insert(rows *into, cl_uint row, cl_uint column)
{
    cl_uint *columns = into->columns + row * into->room, at = into->lengths[row];
    for (; at && columns[at - 1] > column; at--)
        columns[at] = columns[at - 1];
    columns[at] = column;
    into->lengths[row]++;
}

/* Both halves of a symmetric pair, as long as both rows have room. */
static void insert_pair(rows *into, cl_uint a, cl_uint b)
{
    if (has(into, a, b) || into->lengths[a] == into->room || into->lengths[b] == into->room)
        return;
    insert(into, a, b);
    if (a != b)
        insert(into, b, a);
}

/* Of a pair of rows, the same in either order. */
static int value_of(cl_uint a, cl_uint b)
{
    const cl_uint mixed = (a < b ? a * 31 + b : b * 31 + a) % 7;
    return mixed == 3 ? 1 : (int)mixed - 3;
}

static matrix matrix_of(const rows *from)
{
    matrix made = {.rows = from->count, .offsets = allocated((from->count + 1) * sizeof(cl_uint))};
    for (cl_uint r = 0; r < from->count; r++)
        made.entries += from->lengths[r];
    made.columns = allocated(made.entries * sizeof(cl_uint));
    made.values = allocated(made.entries * sizeof(int));
    cl_uint at = 0;
    for (cl_uint r = 0; r < from->count; r++) {
        made.offsets[r] = at;
        for (cl_uint i = 0; i < from->lengths[r]; i++, at++) {
            const cl_uint column = from->columns[r * from->room + i];
            made.columns[at] = column;
            made.values[at] = column == r ? (int)(4 * from->lengths[r]) : value_of(r, column);
        }
    }
    made.offsets[from->count] = at;
    return made;
}

matrix matrix_random(cl_uint count, cl_uint entries_per_row, uint32_t seed)
{
    rows all = {.count = count, .room = 3 * entries_per_row};
    uint32_t state = seed;
    all.lengths = allocated(count * sizeof(cl_uint));
    all.columns = allocated((size_t)count * all.room * sizeof(cl_uint));
    memset(all.lengths, 0, count * sizeof(cl_uint));
    for (cl_uint r = 0; r < count; r++)
        insert_pair(&all, r, r);
    for (cl_uint r = 0; r < count; r++)
        for (cl_uint i = 0; i < entries_per_row / 2; i++)
            insert_pair(&all, r, next_random(&state) % count);
    matrix made = matrix_of(&all);
    free(all.lengths);
    free(all.columns);
    return made;
}

void matrix_free(matrix *gone)
{
    free(gone->offsets);
    free(gone->columns);
    free(gone->values);
}
