/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "device_program.h"
#include "opencl_loader.h"

int opencl_loader_set(void)
{
    char *library = device_library_path("libheddle_opencl.so");
    if (!library)
        return hd_usage_error(NULL, NULL, 0, "this Heddle was built without OpenCL: opencl-headers was missing");
    setenv("OCL_ICD_VENDORS", library, 1);
    setenv("OCL_ICD_FILENAMES", library, 1);
    free(library);
    return HD_EXIT_PASS;
}

static int take_words(char **words, device_program *made)
{
    made->words = words;
    return opencl_loader_set();
}

static int run(const hd_command *command, int count, char **words)
{
    static const device_kind kind = {.prefix = OPENCL_PREFIX, .make = take_words};
    return device_program_run(command, count, words, &kind);
}

const hd_command hd_command_opencl = {
    .name = "opencl",
    .usage = "MACHINE " DEVICE_PROGRAM_USAGE " -- PROGRAM [ARGUMENT]...",
    .doc = "run a program whose OpenCL device is a machine",
    .help = "  PROGRAM           any program that uses OpenCL, unmodified: it finds one platform with one "
            "device\n" DEVICE_PROGRAM_HELP "\n" DEVICE_PROGRAM_EXIT,
    .run = run,
};
