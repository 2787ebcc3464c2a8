/* SPDX-License-Identifier: MIT */
/* The device, its queues, and the programs. */
#include "library.h"

static const char *const files[] = {"vectors.cl", "scan.cl",     "sort.cl", "sparse.cl",
                                    "graph.cl",   "clusters.cl", "tiles.cl"};
enum { FILES = sizeof files / sizeof *files };

/* ---- Programs ----------------------------------------------------------------------------------------------------------- */

static char *read_text(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    const size_t bytes = (size_t)ftell(file);
    char *text = allocated(bytes + 1);
    rewind(file);
    text[fread(text, 1, bytes, file)] = '\0';
    fclose(file);
    return text;
}

static void build(const rig *of, cl_program program, const char *options)
{
    const cl_int error = clBuildProgram(program, 1, &of->device, options, NULL, NULL);
    char log[4096] = "";
    if (error)
        clGetProgramBuildInfo(program, of->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fputs(log, stderr);
    CHECK(error);
}

/* All files together: their kernels may use each other's functions. */
static cl_program program_of(const rig *of, const char *folder, const char *options)
{
    char *texts[FILES];
    cl_int error;
    for (int i = 0; i < FILES; i++)
        texts[i] = read_text(folder, files[i]);
    cl_program made = clCreateProgramWithSource(of->context, FILES, (const char **)texts, NULL, &error);
    CHECK(error);
    for (int i = 0; i < FILES; i++)
        free(texts[i]);
    build(of, made, options);
    return made;
}

/* As a program does that keeps what it has built for its next start. */
static cl_program reloaded(const rig *of, cl_program built)
{
    size_t bytes;
    cl_int error, status;
    CHECK(clGetProgramInfo(built, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *image = allocated(bytes);
    CHECK(clGetProgramInfo(built, CL_PROGRAM_BINARIES, sizeof image, &image, NULL));
    cl_program made =
        clCreateProgramWithBinary(of->context, 1, &of->device, &bytes, (const unsigned char **)&image, &status, &error);
    CHECK(error);
    CHECK(status);
    free(image);
    build(of, made, "");
    CHECK(clReleaseProgram(built));
    return made;
}

/* ---- Life ------------------------------------------------------------------------------------------------------------------ */

void library_open(library *made, const char *folder)
{
    cl_platform_id platform;
    cl_int error;
    rig *of = &made->rig;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &of->device, NULL));
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    of->context = clCreateContext(properties, 1, &of->device, NULL, NULL, &error);
    CHECK(error);
    of->queue = new_queue(of, 0);
    made->kernels = new_queue(of, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    made->results = new_queue(of, 0);
    of->program = reloaded(of, program_of(of, folder, "-D VALUE=int -D VALUE_IS_INT -Werror"));
    made->float_program = program_of(of, folder, "-D VALUE=float -cl-mad-enable");
}

void library_close(library *gone)
{
    CHECK(clReleaseProgram(gone->float_program));
    CHECK(clReleaseProgram(gone->rig.program));
    CHECK(clReleaseCommandQueue(gone->results));
    CHECK(clReleaseCommandQueue(gone->kernels));
    CHECK(clReleaseCommandQueue(gone->rig.queue));
    CHECK(clReleaseContext(gone->rig.context));
}

/* ---- Arguments and memory -------------------------------------------------------------------------------------------------- */

void set_uint(cl_kernel kernel, cl_uint index, cl_uint value)
{
    CHECK(clSetKernelArg(kernel, index, sizeof value, &value));
}

void set_float(cl_kernel kernel, cl_uint index, float value)
{
    CHECK(clSetKernelArg(kernel, index, sizeof value, &value));
}

void set_local(cl_kernel kernel, cl_uint index, size_t bytes)
{
    CHECK(clSetKernelArg(kernel, index, bytes, NULL));
}

cl_mem new_part(cl_mem whole, size_t offset, size_t bytes)
{
    cl_int error;
    const cl_buffer_region region = {offset, bytes};
    cl_mem made = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK(error);
    return made;
}

size_t part_alignment(const library *of)
{
    cl_uint bits;
    CHECK(clGetDeviceInfo(of->rig.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
    return bits / 8;
}

uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

void *allocated(size_t bytes)
{
    void *made = malloc(bytes ? bytes : 1);
    if (made)
        return made;
    fprintf(stderr, "out of memory\n");
    exit(1);
}
