/* SPDX-License-Identifier: MIT */
/* A x = b for a symmetric matrix with a dominant diagonal, by conjugate gradients. */
#include <math.h>

#include "library.h"

enum { ROWS = 600, STEPS_MAX = 60 };

typedef struct solver {
    vectors with;
    cl_kernel multiply;
    cl_mem offsets, columns, values;
    cl_mem x, residual, direction, product;
} solver;

static cl_mem as_floats(const library *of, const int *values, size_t count)
{
    float *converted = allocated(count * sizeof(float));
    for (size_t i = 0; i < count; i++)
        converted[i] = (float)values[i];
    cl_mem made = new_buffer(&of->rig, count * sizeof(float), converted);
    free(converted);
    return made;
}

static void open_solver(solver *made, const library *of, const matrix *a)
{
    cl_int error;
    vectors_open(&made->with, of, a->rows);
    made->multiply = clCreateKernel(of->float_program, "multiply_rows", &error);
    CHECK(error);
    made->offsets = new_buffer(&of->rig, (a->rows + 1) * sizeof(cl_uint), a->offsets);
    made->columns = new_buffer(&of->rig, a->entries * sizeof(cl_uint), a->columns);
    made->values = as_floats(of, a->values, a->entries);
    cl_mem *const own[] = {&made->x, &made->residual, &made->direction, &made->product};
    for (int i = 0; i < 4; i++)
        *own[i] = new_buffer(&of->rig, a->rows * sizeof(float), NULL);
}

static void close_solver(solver *gone)
{
    cl_mem const own[] = {gone->offsets,  gone->columns,   gone->values, gone->x,
                          gone->residual, gone->direction, gone->product};
    for (int i = 0; i < 7; i++)
        CHECK(clReleaseMemObject(own[i]));
    CHECK(clReleaseKernel(gone->multiply));
    vectors_close(&gone->with);
}

/* product = A direction */
static void multiply(solver *with, chain *at, cl_uint rows)
{
    cl_mem const buffers[] = {with->offsets, with->columns, with->values, with->direction, with->product};
    for (cl_uint i = 0; i < 5; i++)
        set_buffer(with->multiply, i, buffers[i]);
    set_uint(with->multiply, 5, rows);
    chain_launch(at, with->multiply, rows, GROUP);
}

/* From x = 0: the residual and the direction are b. Returns how many steps it took. */
static int solve(solver *with, const library *of, const matrix *a, const float *b, float *x)
{
    const size_t bytes = a->rows * sizeof(float);
    chain at = chain_new(of);
    int steps = 0;
    chain_fill(&at, with->x, 0, bytes);
    chain_write(&at, with->residual, b, bytes);
    chain_copy(&at, with->residual, with->direction, bytes);
    float squares = vectors_dot(&with->with, &at, with->residual, with->residual);
    const float target = squares * 1e-10f;
    for (; steps < STEPS_MAX && squares > target; steps++) {
        multiply(with, &at, a->rows);
        const float length = squares / vectors_dot(&with->with, &at, with->direction, with->product);
        vectors_axpy(&with->with, &at, with->x, with->direction, length);
        vectors_axpy(&with->with, &at, with->residual, with->product, -length);
        const float before = squares;
        squares = vectors_dot(&with->with, &at, with->residual, with->residual);
        vectors_scale_add(&with->with, &at, with->direction, with->residual, squares / before);
    }
    chain_read(&at, with->x, x, bytes);
    chain_finish(&at);
    return steps;
}

/* The largest part of b that A x misses. */
static double miss(const matrix *a, const float *x, const float *b)
{
    double worst = 0, largest = 0;
    for (cl_uint r = 0; r < a->rows; r++) {
        double sum = 0;
        for (cl_uint i = a->offsets[r]; i < a->offsets[r + 1]; i++)
            sum += (double)a->values[i] * (double)x[a->columns[i]];
        worst = fmax(worst, fabs(sum - (double)b[r]));
        largest = fmax(largest, fabs((double)b[r]));
    }
    return worst / largest;
}

void run_conjugate_gradient(const library *of)
{
    float b[ROWS], x[ROWS];
    matrix a = matrix_random(ROWS, 6, 17);
    for (int i = 0; i < ROWS; i++)
        b[i] = (float)(i % 13) - 6.0f;
    solver with;
    open_solver(&with, of, &a);
    const int steps = solve(&with, of, &a, b, x);
    /* Rounding differs between implementations, and with it the number of steps a little. */
    report("conjugate_gradient", steps < STEPS_MAX && miss(&a, x, b) < 1e-4, 0);
    close_solver(&with);
    matrix_free(&a);
}
