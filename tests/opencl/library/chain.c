/* SPDX-License-Identifier: MIT */
/* Commands that follow each other in a queue that keeps no order of its own. */
#include "library.h"

chain chain_new(const library *of)
{
    return (chain){of, NULL};
}

/* The newest is what the next waits for. */
static void advance(chain *at, cl_event newest)
{
    if (at->last)
        CHECK(clReleaseEvent(at->last));
    at->last = newest;
}

static cl_uint waits(const chain *at)
{
    return at->last != NULL;
}

static const cl_event *list(const chain *at)
{
    return at->last ? &at->last : NULL;
}

void chain_join(chain *at, cl_event other)
{
    cl_event newest, both[2] = {other, at->last};
    CHECK(clEnqueueMarkerWithWaitList(at->of->kernels, 1 + waits(at), both, &newest));
    advance(at, newest);
}

void chain_launch(chain *at, cl_kernel kernel, size_t count, size_t group)
{
    cl_event newest;
    const size_t global = (count + group - 1) / group * group;
    CHECK(clEnqueueNDRangeKernel(at->of->kernels, kernel, 1, NULL, &global, &group, waits(at), list(at), &newest));
    advance(at, newest);
}

void chain_write(chain *at, cl_mem to, const void *from, size_t bytes)
{
    cl_event newest;
    CHECK(clEnqueueWriteBuffer(at->of->kernels, to, CL_FALSE, 0, bytes, from, waits(at), list(at), &newest));
    advance(at, newest);
}

void chain_read(chain *at, cl_mem from, void *to, size_t bytes)
{
    cl_event newest;
    CHECK(clEnqueueReadBuffer(at->of->kernels, from, CL_FALSE, 0, bytes, to, waits(at), list(at), &newest));
    advance(at, newest);
}

void chain_copy(chain *at, cl_mem from, cl_mem to, size_t bytes)
{
    cl_event newest;
    CHECK(clEnqueueCopyBuffer(at->of->kernels, from, to, 0, 0, bytes, waits(at), list(at), &newest));
    advance(at, newest);
}

void chain_fill(chain *at, cl_mem to, cl_uint word, size_t bytes)
{
    cl_event newest;
    CHECK(clEnqueueFillBuffer(at->of->kernels, to, &word, sizeof word, 0, bytes, waits(at), list(at), &newest));
    advance(at, newest);
}

void chain_finish(chain *at)
{
    if (!at->last)
        return;
    CHECK(clWaitForEvents(1, &at->last));
    advance(at, NULL);
}
