/* SPDX-License-Identifier: MIT */
/* Dense vectors of floats. */
#include "library.h"

enum { PARTS_MAX = 64 };

void vectors_open(vectors *made, const library *of, cl_uint count)
{
    *made = (vectors){.of = of,
                      .axpy = kernel_named(&of->rig, "axpy"),
                      .scale_add = kernel_named(&of->rig, "scale_add"),
                      .dot = kernel_named(&of->rig, "dot_parts"),
                      .sum = kernel_named(&of->rig, "sum_parts"),
                      .parts = new_buffer(&of->rig, PARTS_MAX * sizeof(float), NULL),
                      .count = count};
}

void vectors_close(vectors *gone)
{
    CHECK(clReleaseMemObject(gone->parts));
    CHECK(clReleaseKernel(gone->sum));
    CHECK(clReleaseKernel(gone->dot));
    CHECK(clReleaseKernel(gone->scale_add));
    CHECK(clReleaseKernel(gone->axpy));
}

static void combine(vectors *with, chain *at, cl_kernel kernel, cl_mem y, cl_mem x, float factor)
{
    set_buffer(kernel, 0, y);
    set_buffer(kernel, 1, x);
    set_float(kernel, 2, factor);
    set_uint(kernel, 3, with->count);
    chain_launch(at, kernel, with->count, GROUP);
}

void vectors_axpy(vectors *with, chain *at, cl_mem y, cl_mem x, float factor)
{
    combine(with, at, with->axpy, y, x, factor);
}

void vectors_scale_add(vectors *with, chain *at, cl_mem y, cl_mem x, float factor)
{
    combine(with, at, with->scale_add, y, x, factor);
}

static size_t parts_of(const vectors *with)
{
    const size_t groups = (with->count + GROUP - 1) / GROUP;
    return groups < PARTS_MAX ? groups : PARTS_MAX;
}

/* A part per group, then their sum by one group. */
float vectors_dot(vectors *with, chain *at, cl_mem x, cl_mem y)
{
    float result;
    const size_t parts = parts_of(with);
    set_buffer(with->dot, 0, x);
    set_buffer(with->dot, 1, y);
    set_buffer(with->dot, 2, with->parts);
    set_uint(with->dot, 3, with->count);
    set_local(with->dot, 4, GROUP * sizeof(float));
    chain_launch(at, with->dot, parts * GROUP, GROUP);
    set_buffer(with->sum, 0, with->parts);
    set_uint(with->sum, 1, (cl_uint)parts);
    set_local(with->sum, 2, GROUP * sizeof(float));
    chain_launch(at, with->sum, GROUP, GROUP);
    chain_read(at, with->parts, &result, sizeof result);
    chain_finish(at);
    return result;
}
