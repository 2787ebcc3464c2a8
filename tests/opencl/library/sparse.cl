/* SPDX-License-Identifier: MIT */
/* Products of a sparse matrix and a vector, the matrix in several formats. VALUE is the type of its values. */

kernel void multiply_rows(global const uint *offsets, global const uint *columns, global const VALUE *values,
                          global const VALUE *x, global VALUE *y, uint rows)
{
    const uint row = get_global_id(0);
    if (row >= rows)
        return;
    VALUE sum = 0;
    for (uint i = offsets[row]; i < offsets[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

/* A group for each row. */
kernel void multiply_rows_by_groups(global const uint *offsets, global const uint *columns, global const VALUE *values,
                                    global const VALUE *x, global VALUE *y, local VALUE *scratch)
{
    const uint row = get_group_id(0), place = get_local_id(0);
    VALUE sum = 0;
    for (uint i = offsets[row] + place; i < offsets[row + 1]; i += get_local_size(0))
        sum += values[i] * x[columns[i]];
    scratch[place] = sum;
    for (uint rest = get_local_size(0) / 2; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place < rest)
            scratch[place] += scratch[place + rest];
    }
    if (place == 0)
        y[row] = scratch[0];
}

/* Rows padded to one width; entry i of all rows lies together. */
kernel void multiply_padded(global const uint *columns, global const VALUE *values, global const VALUE *x,
                            global VALUE *y, uint rows, uint width)
{
    const uint row = get_global_id(0);
    if (row >= rows)
        return;
    VALUE sum = 0;
    for (uint i = 0; i < width; i++)
        sum += values[i * rows + row] * x[columns[i * rows + row]];
    y[row] = sum;
}

/* The same for slices of as many rows as a group has work-items, each with a width of its own. */
kernel void multiply_sliced(global const uint *slices, global const uint *columns, global const VALUE *values,
                            global const VALUE *x, global VALUE *y, uint rows)
{
    const uint row = get_global_id(0), slice = get_group_id(0), height = get_local_size(0);
    VALUE sum = 0;
    for (uint i = slices[slice] + get_local_id(0); i < slices[slice + 1]; i += height)
        sum += values[i] * x[columns[i]];
    if (row < rows)
        y[row] = sum;
}

#ifdef VALUE_IS_INT
/* Entries in any order. */
kernel void multiply_entries(global const uint *rows, global const uint *columns, global const int *values,
                             global const int *x, global int *y, uint entries)
{
    const uint i = get_global_id(0);
    if (i < entries)
        atomic_add(&y[rows[i]], values[i] * x[columns[i]]);
}
#endif
