/* SPDX-License-Identifier: MIT */
/* A program that uses OpenCL and knows nothing of any implementation: its parts print what they have computed. */
#ifndef OPENCL_TEST_PROGRAM_H
#define OPENCL_TEST_PROGRAM_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program if the call has an error. */
#define CHECK(call) check((call), #call, __LINE__)
void check(cl_int error, const char *call, int line);

typedef struct rig {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
    cl_program program;     /* kernels.cl */
} rig;

cl_command_queue new_queue(const rig *of, cl_command_queue_properties properties);
cl_mem new_buffer(const rig *of, size_t bytes, const void *contents);
cl_kernel kernel_named(const rig *of, const char *name);
void set_buffer(cl_kernel kernel, cl_uint index, cl_mem buffer);
void set_int(cl_kernel kernel, cl_uint index, cl_int value);
void launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local);
void read_ints(const rig *of, cl_mem buffer, int *into, size_t count);
/* Of many numbers one that tells whether they are right. */
uint32_t digest(const void *data, size_t bytes);
/* 0, 1, 2 ... times factor; to be freed */
int *numbers(size_t count, int factor);

/* ---- Parts ------------------------------------------------------------------------------------------------------------ */

void add_vectors(const rig *of);
void reduce(const rig *of);
void count_bits(const rig *of);
void places(const rig *of);
void pass_arguments(const rig *of);
void ask_of_arguments(const rig *of);
void reuse_binary(const rig *of);
void copy_rectangles(const rig *of);
void map_buffers(const rig *of);
void use_parts(const rig *of);
void copy_and_fill(const rig *of);
void run_pipeline(const rig *of);
void run_out_of_order(const rig *of);
void call_back(const rig *of);
void hold_back(const rig *of);
void make_mistakes(const rig *of);
void link_programs(const rig *of);
/* Not by every implementation in the same way. */
void use_all_memory(const rig *of);
void overlap_copies(const rig *of);
void stray(const rig *of);
void wait_forever(const rig *of);
void link_wrong(const rig *of);
void need_local_memory(const rig *of);
void give_local_memory(const rig *of);
void print_values(const rig *of);
void carry(const rig *of);
/* Programs that end, or do not end, in ways of their own. */
void crash(const rig *of);
void sleep_long(const rig *of);

#endif
