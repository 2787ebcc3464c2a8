/* SPDX-License-Identifier: MIT */
/* program KERNELS.cl PART...; "all": what every implementation does in the same way */
#include "program.h"

typedef struct part {
    const char *name;
    void (*run)(const rig *of);
    int is_for_all;
} part;

static const part parts[] = {
    {"add", add_vectors, 1},
    {"reduce", reduce, 1},
    {"count", count_bits, 1},
    {"places", places, 1},
    {"arguments", pass_arguments, 1},
    {"argument_info", ask_of_arguments, 1},
    {"binary", reuse_binary, 1},
    {"rectangles", copy_rectangles, 1},
    {"maps", map_buffers, 1},
    {"parts", use_parts, 1},
    {"copies", copy_and_fill, 1},
    {"pipeline", run_pipeline, 1},
    {"out_of_order", run_out_of_order, 1},
    {"callbacks", call_back, 1},
    {"user_events", hold_back, 1},
    {"mistakes", make_mistakes, 1},
    {"link", link_programs, 1},
    {"link_wrong", link_wrong, 0},
    {"memory", use_all_memory, 0},
    {"overlap", overlap_copies, 0},
    {"stray", stray, 0},
    {"endless", wait_forever, 0},
    {"local_own", need_local_memory, 0},
    {"local_argument", give_local_memory, 0},
    {"print", print_values, 0},
    {"carry", carry, 0},
    {"crash", crash, 0},
    {"sleep", sleep_long, 0},
};

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 65536);
    if (!file || !text || !fread(text, 1, 65535, file)) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

static void build(rig *made, const char *path)
{
    cl_int error;
    char *source = read_file(path), log[4096] = "";
    made->program = clCreateProgramWithSource(made->context, 1, (const char **)&source, NULL, &error);
    CHECK(error);
    error = clBuildProgram(made->program, 1, &made->device, "-cl-std=CL1.2 -cl-kernel-arg-info", NULL, NULL);
    if (error) {
        clGetProgramBuildInfo(made->program, made->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    CHECK(error);
    free(source);
}

static void set_up(rig *made, const char *path)
{
    cl_platform_id platform;
    cl_int error;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &made->device, NULL));
    made->context = clCreateContext(NULL, 1, &made->device, NULL, NULL, &error);
    CHECK(error);
    made->queue = new_queue(made, 0);
    build(made, path);
}

static void tear_down(rig *gone)
{
    CHECK(clReleaseProgram(gone->program));
    CHECK(clReleaseCommandQueue(gone->queue));
    CHECK(clReleaseContext(gone->context));
}

static void run(const rig *of, const char *name)
{
    int count = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const int is_asked = !strcmp(name, parts[i].name) || (!strcmp(name, "all") && parts[i].is_for_all);
        if (!is_asked)
            continue;
        printf("%s:\n", parts[i].name);
        parts[i].run(of);
        fflush(stdout);
        count++;
    }
    if (!count) {
        fprintf(stderr, "there is no part '%s'\n", name);
        exit(2);
    }
}

int main(int count, char **words)
{
    rig made;
    if (count < 3)
        return 2;
    set_up(&made, words[1]);
    for (int i = 2; i < count; i++)
        run(&made, words[i]);
    tear_down(&made);
    return 0;
}
