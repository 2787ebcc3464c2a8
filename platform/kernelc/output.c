/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "kernelc.h"
#include "object_format.h"

void heddle_kernelc_free(kernelc_output *output)
{
    free(output->image);
    free(output->log);
    *output = (kernelc_output){0};
}

static int begins_with(const void *image, size_t bytes, const char *line)
{
    return bytes >= strlen(line) && !memcmp(image, line, strlen(line));
}

kernelc_product heddle_kernelc_product(const void *image, size_t bytes)
{
    if (begins_with(image, bytes, OBJECT_LINE))
        return KERNELC_OBJECT;
    return begins_with(image, bytes, LIBRARY_LINE) ? KERNELC_LIBRARY : KERNELC_EXECUTABLE;
}
