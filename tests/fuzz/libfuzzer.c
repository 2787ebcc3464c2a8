/* SPDX-License-Identifier: MIT */
/* The target under libFuzzer. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    fuzz_one((fuzz_input){.bytes = bytes, .left = count});
    return 0;
}
