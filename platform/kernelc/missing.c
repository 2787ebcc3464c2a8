/* SPDX-License-Identifier: MIT */
/* Heddle built where there was no clang: kernel files can be read, and none can be made. */
#include <string.h>

#include "kernelc.h"

kernelc_outcome heddle_kernelc_compile(const kernelc_input *input, kernelc_output *output)
{
    (void)input;
    *output =
        (kernelc_output){.log = strdup("Heddle was built without a compiler for OpenCL C: Debian packages clang-16, "
                                       "llvm-16 and libclc-16\n")};
    return KERNELC_MISSING;
}

char *heddle_kernelc_cuda_files(void)
{
    return NULL;
}

const char *heddle_kernelc_clang(void)
{
    return NULL;
}

const char *heddle_kernelc_version(void)
{
    return NULL;
}
