/* SPDX-License-Identifier: MIT */
/*
 * Address traces. An input is the index of a generator and how many there are (one byte each), and the text.
 * What is read is in order, in global memory and in lines; what is not read gives one line with name and number.
 */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "hd_address.h"
#include "hd_message.h"

static void require_access(const trace_access *access)
{
    fuzz_require(access->operation <= OPERATION_ATOMIC, "%u", access->operation);
    fuzz_require(access->bytes >= 1 && access->address % HD_LINE_BYTES + access->bytes <= HD_LINE_BYTES, "%u",
                 access->bytes);
    fuzz_require(access->address >= HD_GLOBAL_BASE && access->address + access->bytes <= HD_PHYSICAL_CONTEXT_BASE,
                 "%llx", (unsigned long long)access->address);
}

void fuzz_one(fuzz_input input)
{
    char error[256] = "";
    trace read;
    const uint32_t wanted = fuzz_number(&input, 1), count = 1 + fuzz_number(&input, 1), index = wanted % count;
    char *text = malloc(input.left + 1); /* as large as it has to be; not ended by a zero */
    if (input.left)
        memcpy(text, input.bytes, input.left);
    if (trace_parse(&read, "trace", text, input.left, index, count, error, sizeof error - 1)) {
        for (size_t i = 0; i < read.count; i++) {
            require_access(&read.accesses[i]);
            fuzz_require(!i || read.accesses[i].cycle >= read.accesses[i - 1].cycle, "%zu", i);
        }
    } else {
        fuzz_require(!strncmp(error, "trace:", 6), "%s", error);
        strcat(error, "\n");
        fuzz_require_lines(error);
    }
    trace_free(&read);
    free(text);
}
