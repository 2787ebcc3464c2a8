/* SPDX-License-Identifier: MIT */
/* The product of a sparse matrix and a vector in five formats, in chains beside each other. */
#include "library.h"

enum { FORMATS = 5, BUFFERS_MAX = 4 };

static void reference(const matrix *of, const int *x, int *y)
{
    for (cl_uint r = 0; r < of->rows; r++) {
        y[r] = 0;
        for (cl_uint i = of->offsets[r]; i < of->offsets[r + 1]; i++)
            y[r] += of->values[i] * x[of->columns[i]];
    }
}

static cl_uint length_of(const matrix *of, cl_uint row)
{
    return row < of->rows ? of->offsets[row + 1] - of->offsets[row] : 0;
}

static cl_uint longest(const matrix *of, cl_uint first, cl_uint count)
{
    cl_uint width = 0;
    for (cl_uint r = first; r < first + count; r++)
        if (length_of(of, r) > width)
            width = length_of(of, r);
    return width;
}

/* ---- Formats: what the host makes of the rows ----------------------------------------------------------------------------- */

typedef struct format {
    cl_mem buffers[BUFFERS_MAX];
    cl_uint buffer_count;
    cl_uint count; /* rows, or entries; 0: the kernel asks for scratch memory instead */
    cl_uint width; /* 0: the kernel does not ask for it */
    size_t items, group;
} format;

static void add(format *to, const library *of, const void *data, size_t count)
{
    to->buffers[to->buffer_count++] = new_buffer(&of->rig, count * sizeof(cl_uint), data);
}

/* A row for each work-item, or for each group. */
static format by_rows(const library *of, const matrix *from, int has_groups)
{
    format made = {.count = from->rows, .items = from->rows, .group = GROUP};
    if (has_groups)
        made = (format){.items = from->rows * (size_t)8, .group = 8};
    add(&made, of, from->offsets, from->rows + 1);
    add(&made, of, from->columns, from->entries);
    add(&made, of, from->values, from->entries);
    return made;
}

/* Where the rows first .. first + height - 1 go in columns and values; what they do not fill is 0. */
typedef struct block {
    cl_uint *columns;
    int *values;
} block;

static void place(const matrix *from, cl_uint first, cl_uint height, cl_uint width, block to)
{
    for (cl_uint k = 0; k < width; k++)
        for (cl_uint r = 0; r < height; r++) {
            const int is_there = k < length_of(from, first + r);
            const cl_uint i = is_there ? from->offsets[first + r] + k : 0;
            to.columns[k * height + r] = is_there ? from->columns[i] : 0;
            to.values[k * height + r] = is_there ? from->values[i] : 0;
        }
}

static format padded(const library *of, const matrix *from)
{
    format made = {.count = from->rows, .items = from->rows, .group = GROUP, .width = longest(from, 0, from->rows)};
    const size_t count = (size_t)made.width * from->rows;
    const block all = {allocated(count * sizeof(cl_uint)), allocated(count * sizeof(int))};
    place(from, 0, from->rows, made.width, all);
    add(&made, of, all.columns, count);
    add(&made, of, all.values, count);
    free(all.columns);
    free(all.values);
    return made;
}

static format sliced(const library *of, const matrix *from)
{
    const cl_uint slices = (from->rows + GROUP - 1) / GROUP;
    format made = {.count = from->rows, .items = from->rows, .group = GROUP};
    cl_uint *begins = allocated((slices + 1) * sizeof(cl_uint));
    begins[0] = 0;
    for (cl_uint s = 0; s < slices; s++)
        begins[s + 1] = begins[s] + GROUP * longest(from, s * GROUP, GROUP);
    const block all = {allocated(begins[slices] * sizeof(cl_uint)), allocated(begins[slices] * sizeof(int))};
    for (cl_uint s = 0; s < slices; s++)
        place(from, s * GROUP, GROUP, (begins[s + 1] - begins[s]) / GROUP,
              (block){all.columns + begins[s], all.values + begins[s]});
    add(&made, of, begins, slices + 1);
    add(&made, of, all.columns, begins[slices]);
    add(&made, of, all.values, begins[slices]);
    free(begins);
    free(all.columns);
    free(all.values);
    return made;
}

static format by_entries(const library *of, const matrix *from)
{
    format made = {.count = from->entries, .items = from->entries, .group = GROUP};
    cl_uint *rows = allocated(from->entries * sizeof(cl_uint));
    for (cl_uint r = 0; r < from->rows; r++)
        for (cl_uint i = from->offsets[r]; i < from->offsets[r + 1]; i++)
            rows[i] = r;
    add(&made, of, rows, from->entries);
    add(&made, of, from->columns, from->entries);
    add(&made, of, from->values, from->entries);
    free(rows);
    return made;
}

/* ---- The workload ------------------------------------------------------------------------------------------------------------ */

typedef struct product {
    const char *kernel;
    format from;
    cl_mem y;
    chain at;
    int *result;
} product;

static cl_kernel prepared(const product *of, const library *with, cl_mem x)
{
    cl_uint next = 0;
    cl_kernel made = kernel_named(&with->rig, of->kernel);
    for (; next < of->from.buffer_count; next++)
        set_buffer(made, next, of->from.buffers[next]);
    set_buffer(made, next++, x);
    set_buffer(made, next++, of->y);
    if (of->from.count)
        set_uint(made, next++, of->from.count);
    else
        set_local(made, next++, of->from.group * sizeof(int));
    if (of->from.width)
        set_uint(made, next++, of->from.width);
    return made;
}

static void start(product *of, const library *with, cl_uint rows, cl_mem x)
{
    const size_t bytes = rows * sizeof(int);
    of->at = chain_new(with);
    of->y = new_buffer(&with->rig, bytes, NULL);
    of->result = allocated(bytes);
    cl_kernel kernel = prepared(of, with, x);
    chain_fill(&of->at, of->y, 0, bytes);
    chain_launch(&of->at, kernel, of->from.items, of->from.group);
    chain_read(&of->at, of->y, of->result, bytes);
    CHECK(clReleaseKernel(kernel));
}

static int end(product *of, const int *expected, size_t bytes)
{
    chain_finish(&of->at);
    const int is_right = !memcmp(of->result, expected, bytes);
    for (cl_uint i = 0; i < of->from.buffer_count; i++)
        CHECK(clReleaseMemObject(of->from.buffers[i]));
    CHECK(clReleaseMemObject(of->y));
    free(of->result);
    return is_right;
}

void run_formats(const library *of)
{
    enum { ROWS = 700 };
    int x[ROWS], y[ROWS], is_right = 1;
    matrix from = matrix_random(ROWS, 8, 3);
    for (int i = 0; i < ROWS; i++)
        x[i] = i % 11 - 5;
    reference(&from, x, y);
    cl_mem x_buffer = new_buffer(&of->rig, sizeof x, x);
    product products[FORMATS] = {
        {.kernel = "multiply_rows", .from = by_rows(of, &from, 0)},
        {.kernel = "multiply_rows_by_groups", .from = by_rows(of, &from, 1)},
        {.kernel = "multiply_padded", .from = padded(of, &from)},
        {.kernel = "multiply_sliced", .from = sliced(of, &from)},
        {.kernel = "multiply_entries", .from = by_entries(of, &from)},
    };
    for (int i = 0; i < FORMATS; i++)
        start(&products[i], of, ROWS, x_buffer);
    for (int i = 0; i < FORMATS; i++)
        is_right &= end(&products[i], y, sizeof y);
    report("formats", is_right, digest(y, sizeof y));
    CHECK(clReleaseMemObject(x_buffer));
    matrix_free(&from);
}
