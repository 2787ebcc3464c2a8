/* SPDX-License-Identifier: MIT */
/* Programs that are compiled one by one, with headers that are programs, and linked. */
#include "program.h"

enum { ITEMS = 200 };

static const char *const header_text = "typedef struct pair { int low, high; } pair;\n"
                                       "static inline int twice(int x) { return 2 * x; }\n"
                                       "pair split(int value);\n"
                                       "int meet(local int *place, int value);\n";

/* What the kernel calls is elsewhere; both have a function of their own with one name, and the inline one of the header. */
static const char *const kernel_text = "#include \"parts/pair.h\"\n"
                                       "static int own(int x) { return x + 1; }\n"
                                       "kernel void linked(global int *a)\n"
                                       "{\n"
                                       "    local int place[64];\n"
                                       "    const size_t i = get_global_id(0);\n"
                                       "    const pair p = split(own(twice(a[i])));\n"
                                       "    a[i] = p.low + 1000 * p.high + meet(place, (int)get_local_id(0));\n"
                                       "}\n";

static const char *const split_text = "#include \"parts/pair.h\"\n"
                                      "static int own(int x) { return x % 7; }\n"
                                      "pair split(int value)\n"
                                      "{\n"
                                      "    pair made;\n"
                                      "    made.low = own(value);\n"
                                      "    made.high = twice(value);\n"
                                      "    return made;\n"
                                      "}\n";

static const char *const meet_text = "#include \"parts/pair.h\"\n"
                                     "constant int scale[4] = {1, 10, 100, 1000};\n"
                                     "int meet(local int *place, int value)\n"
                                     "{\n"
                                     "    const int last = (int)get_local_size(0) - 1;\n"
                                     "    place[value] = value * scale[value & 3];\n"
                                     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                     "    return place[last - value];\n"
                                     "}\n";

static cl_program source_of(const rig *of, const char *text)
{
    cl_int error;
    cl_program made = clCreateProgramWithSource(of->context, 1, &text, NULL, &error);
    CHECK(error);
    return made;
}

static cl_program compiled(const rig *of, const char *text, cl_program header)
{
    const char *name = "parts/pair.h";
    cl_program made = source_of(of, text);
    CHECK(clCompileProgram(made, 1, &of->device, "", 1, &header, &name, NULL, NULL));
    return made;
}

static cl_program linked(const rig *of, const char *options, cl_uint count, const cl_program *from)
{
    cl_int error;
    cl_program made = clLinkProgram(of->context, 1, &of->device, options, count, from, NULL, NULL, &error);
    CHECK(error);
    return made;
}

static void run(const rig *of, cl_program program)
{
    cl_int error;
    int *values = numbers(ITEMS, 3);
    cl_mem buffer = new_buffer(of, ITEMS * sizeof *values, values);
    cl_kernel kernel = clCreateKernel(program, "linked", &error);
    CHECK(error);
    set_buffer(kernel, 0, buffer);
    launch(of->queue, kernel, ITEMS, 40);
    read_ints(of, buffer, values, ITEMS);
    printf("%d %d %08x\n", values[0], values[ITEMS - 1], digest(values, ITEMS * sizeof *values));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseMemObject(buffer));
    free(values);
}

static cl_program through_binary(const rig *of, cl_program from)
{
    size_t bytes;
    cl_int error, status;
    CHECK(clGetProgramInfo(from, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *image = malloc(bytes);
    CHECK(clGetProgramInfo(from, CL_PROGRAM_BINARIES, sizeof image, &image, NULL));
    cl_program made =
        clCreateProgramWithBinary(of->context, 1, &of->device, &bytes, (const unsigned char **)&image, &status, &error);
    CHECK(error);
    free(image);
    return made;
}

static void show_type(const rig *of, cl_program program)
{
    cl_program_binary_type type;
    CHECK(clGetProgramBuildInfo(program, of->device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    puts(type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ? "object"
         : type == CL_PROGRAM_BINARY_TYPE_LIBRARY       ? "library"
         : type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE    ? "executable"
                                                        : "nothing");
}

void link_programs(const rig *of)
{
    cl_program header = source_of(of, header_text);
    cl_program parts[3] = {compiled(of, kernel_text, header), compiled(of, split_text, header),
                           compiled(of, meet_text, header)};
    cl_program all = linked(of, "", 3, parts);
    show_type(of, parts[0]);
    show_type(of, all);
    run(of, all);
    cl_program library = linked(of, "-create-library", 2, parts + 1);
    show_type(of, library);
    cl_program halves[2] = {through_binary(of, library), through_binary(of, parts[0])};
    cl_program again = linked(of, "", 2, halves);
    run(of, again);
    cl_program made[] = {header, parts[0], parts[1], parts[2], all, library, halves[0], halves[1], again};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        CHECK(clReleaseProgram(made[i]));
}

static void show_failure(const rig *of, cl_uint count, const cl_program *from, const char *what)
{
    char log[8192] = "";
    cl_int error;
    cl_program made = clLinkProgram(of->context, 0, NULL, "", count, from, NULL, NULL, &error);
    printf("%s: %s", what, error == CL_LINK_PROGRAM_FAILURE ? "CL_LINK_PROGRAM_FAILURE\n" : "another error\n");
    CHECK(clGetProgramBuildInfo(made, of->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    printf("%s\n", log);
    CHECK(clReleaseProgram(made));
}

/* The words of logs are an implementation's own. */
void link_wrong(const rig *of)
{
    cl_program header = source_of(of, header_text);
    cl_program parts[3] = {compiled(of, kernel_text, header), compiled(of, split_text, header),
                           compiled(of, split_text, header)};
    show_failure(of, 1, parts, "undefined");
    show_failure(of, 3, parts, "defined twice");
    for (size_t i = 0; i < 3; i++)
        CHECK(clReleaseProgram(parts[i]));
    CHECK(clReleaseProgram(header));
}
