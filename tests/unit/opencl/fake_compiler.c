/* SPDX-License-Identifier: MIT */
/* A compiler for tests: a source that begins with "good" has two kernels. The image is the source. */
#include <stdlib.h>
#include <string.h>

#include "compiler.h"

compiler_error compiler_build(const compiler_input *input, compiler_output *output)
{
    if (strstr(input->options, "-wrong"))
        return COMPILER_OPTIONS;
    if (strncmp(input->data, "good", 4)) {
        output->log = strdup("1:1: error: not good");
        return COMPILER_REFUSED;
    }
    if (input->header_count)
        output->log = strdup(input->headers[0].text);
    output->image = malloc(input->bytes);
    memcpy(output->image, input->data, input->bytes);
    output->bytes = input->bytes;
    return COMPILER_OK;
}

static const kernel_argument scale_arguments[] = {
    {.space = SPACE_GLOBAL, .offset = 16, .bytes = 4, .qualifiers = ARGUMENT_CONST, .type = "float*", .name = "data"},
    {.space = SPACE_PRIVATE, .offset = 24, .bytes = 8, .type = "long", .name = "factor"},
    {.space = SPACE_LOCAL, .offset = 32, .bytes = 4, .type = "float*", .name = "scratch"},
};

static kernel_signature kernels[] = {
    {.name = "scale",
     .attributes = "",
     .argument_count = 3,
     .arguments = scale_arguments,
     .block_bytes = 36,
     .local_bytes = 20},
    {.name = "demanding", .attributes = "reqd_work_group_size(8,1,1)", .block_bytes = 16, .group = {8, 1, 1}},
};

compiler_error signatures_read(const void *image, size_t bytes, kernel_signatures *read)
{
    if (bytes < 4 || memcmp(image, "good", 4))
        return COMPILER_REFUSED;
    *read = (kernel_signatures){.count = 2, .kernels = kernels};
    return COMPILER_OK;
}

void signatures_free(kernel_signatures *gone)
{
    gone->count = 0;
}

uint32_t compiler_local_address(uint32_t offset)
{
    return 0x01000000 + offset;
}
