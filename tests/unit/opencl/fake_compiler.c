/* SPDX-License-Identifier: MIT */
/* A compiler for tests: a source that begins with "good" has two kernels. The image is the source; of an object, behind that word. Objects
 * are linked if all their sources are good. */
#define _GNU_SOURCE /* memmem */
#include <stdlib.h>
#include <string.h>

#include "kernelc.h"

static void make(kernelc_output *output, const char *mark, const void *data, size_t bytes)
{
    output->bytes = strlen(mark) + bytes;
    output->image = malloc(output->bytes);
    memcpy(output->image, mark, strlen(mark));
    memcpy(output->image + strlen(mark), data, bytes);
}

static kernelc_outcome link_objects(const kernelc_input *input, kernelc_output *output)
{
    for (size_t i = 0; i < input->object_count; i++)
        if (!memmem(input->objects[i].data, input->objects[i].bytes, " good", 5)) {
            output->log = strdup("an object is not good");
            return KERNELC_REFUSED;
        }
    make(output, strstr(input->options, "-create-library") ? "library " : "", "good", 4);
    return KERNELC_DONE;
}

kernelc_product heddle_kernelc_product(const void *image, size_t bytes)
{
    if (bytes > 7 && !memcmp(image, "object ", 7))
        return KERNELC_OBJECT;
    return bytes > 8 && !memcmp(image, "library ", 8) ? KERNELC_LIBRARY : KERNELC_EXECUTABLE;
}

kernelc_outcome heddle_kernelc_compile(const kernelc_input *input, kernelc_output *output)
{
    if (strstr(input->options, "-wrong"))
        return KERNELC_OPTIONS;
    if (input->object_count)
        return link_objects(input, output);
    if (strncmp(input->data, "good", 4)) {
        output->log = strdup("1:1: error: not good");
        return KERNELC_REFUSED;
    }
    if (input->header_count)
        output->log = strdup(input->headers[0].text);
    make(output, input->is_compiled_only ? "object " : "", input->data, input->bytes);
    return KERNELC_DONE;
}

const char *heddle_kernelc_version(void)
{
    return "fake";
}

void heddle_kernelc_free(kernelc_output *output)
{
    free(output->image);
    free(output->log);
}

static const kernelc_argument scale_arguments[] = {
    {.space = KERNELC_GLOBAL, .offset = 16, .bytes = 4, .qualifiers = KERNELC_CONST, .type = "float*", .name = "data"},
    {.space = KERNELC_PRIVATE, .offset = 24, .bytes = 8, .type = "long", .name = "factor"},
    {.space = KERNELC_LOCAL, .offset = 32, .bytes = 4, .type = "float*", .name = "scratch"},
};

static const kernelc_kernel kernels[] = {
    {.name = "scale",
     .attributes = "",
     .argument_count = 3,
     .arguments = scale_arguments,
     .block_bytes = 36,
     .local_bytes = 20},
    {.name = "demanding", .attributes = "reqd_work_group_size(8,1,1)", .block_bytes = 16, .group_size = {8, 1, 1}},
};

kernelc_outcome heddle_kernelc_kernels(const void *image, size_t bytes, kernelc_kernels *read, char *error,
                                       size_t error_bytes)
{
    (void)error_bytes;
    *error = '\0';
    if (bytes < 4 || memcmp(image, "good", 4))
        return KERNELC_REFUSED;
    *read = (kernelc_kernels){.count = 2, .kernels = kernels};
    return KERNELC_DONE;
}

void heddle_kernelc_kernels_free(kernelc_kernels *gone)
{
    gone->count = 0;
}
