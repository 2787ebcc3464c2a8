/* SPDX-License-Identifier: MIT */
/*
 * A small library of sparse linear algebra and graph analysis, as a program has one: it knows nothing of any implementation of
 * OpenCL. Each workload computes with the device and again with a plain loop, and says whether both agree.
 */
#ifndef OPENCL_LIBRARY_H
#define OPENCL_LIBRARY_H

#include "program.h"

#define GROUP 64u /* work-items of a group, where nothing asks for another size */

/* The rig's queue takes what goes to the device, in order. */
typedef struct library {
    rig rig;
    cl_program float_program; /* sparse.cl for float; the rig's is for int */
    cl_command_queue kernels; /* out of order */
    cl_command_queue results; /* in order: what comes from the device */
} library;

/* Builds all kernels of the folder, and loads the int ones again from what the build has made. */
void library_open(library *made, const char *folder);
void library_close(library *gone);

/* ---- Chains (chain.c): commands of the queue out of order that follow each other, beside those of other chains --------- */

typedef struct chain {
    const library *of;
    cl_event last; /* NULL: nothing yet */
} chain;

chain chain_new(const library *of);
/* What comes next waits for the event too. */
void chain_join(chain *at, cl_event other);
/* The global size is rounded up to whole groups. */
void chain_launch(chain *at, cl_kernel kernel, size_t count, size_t group);
void chain_write(chain *at, cl_mem to, const void *from, size_t bytes);
void chain_read(chain *at, cl_mem from, void *to, size_t bytes);
void chain_copy(chain *at, cl_mem from, cl_mem to, size_t bytes);
void chain_fill(chain *at, cl_mem to, cl_uint word, size_t bytes);
/* Waits for all, and is empty again. */
void chain_finish(chain *at);

/* ---- Arguments and memory (library.c) ---------------------------------------------------------------------------------- */

void set_uint(cl_kernel kernel, cl_uint index, cl_uint value);
void set_float(cl_kernel kernel, cl_uint index, float value);
void set_local(cl_kernel kernel, cl_uint index, size_t bytes);
cl_mem new_part(cl_mem whole, size_t offset, size_t bytes);
size_t part_alignment(const library *of);
/* Of a sequence that is the same everywhere. */
uint32_t next_random(uint32_t *state);
/* malloc that ends the program when there is no memory. */
void *allocated(size_t bytes);

/* ---- Building blocks --------------------------------------------------------------------------------------------------- */

/* scan.c: data[i] becomes the sum of all before it; count > 0. */
void scan_exclusive(chain *at, cl_mem data, size_t count);

/* A sparse matrix of `rows` rows and as many columns: row r has the entries offsets[r] .. offsets[r + 1] - 1. */
typedef struct matrix {
    cl_uint rows, entries;
    cl_uint *offsets, *columns;
    int *values;
} matrix;

/* matrix.c: symmetric, with a dominant diagonal. */
matrix matrix_random(cl_uint rows, cl_uint entries_per_row, uint32_t seed);
void matrix_free(matrix *gone);

/* vectors.c */
typedef struct vectors {
    const library *of;
    cl_kernel axpy, scale_add, dot, sum;
    cl_mem parts; /* of a dot product */
    cl_uint count;
} vectors;

void vectors_open(vectors *made, const library *of, cl_uint count);
void vectors_close(vectors *gone);
/* y += factor x */
void vectors_axpy(vectors *with, chain *at, cl_mem y, cl_mem x, float factor);
/* y = x + factor y */
void vectors_scale_add(vectors *with, chain *at, cl_mem y, cl_mem x, float factor);
float vectors_dot(vectors *with, chain *at, cl_mem x, cl_mem y);

/* ---- Workloads: each prints a line --------------------------------------------------------------------------------------- */

void run_scan(const library *of);
void run_sort(const library *of);
void run_formats(const library *of);
void run_conjugate_gradient(const library *of);
void run_page_rank(const library *of);
void run_breadth_first(const library *of);
void run_clusters(const library *of);
void run_tiles(const library *of);
void run_copies(const library *of);
void run_refusals(const library *of);

/* The line of a workload. The program ends with 1 if any was wrong. */
void report(const char *name, int is_right, uint32_t result);

#endif
