/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "kernelc.h"

void heddle_kernelc_free(kernelc_output *output)
{
    free(output->image);
    free(output->log);
    *output = (kernelc_output){0};
}
