/* SPDX-License-Identifier: MIT */
/* Files of checkpoints: any bytes, and any bytes behind a beginning that is right and before a checksum that is. */
#include "state_file.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "hd_fnv.h"

#define VERSION "fuzzed"

static void require_read(state_bytes *bytes)
{
    state_file file = {.bytes = *bytes};
    char *error = NULL;
    *bytes = (state_bytes){0};
    if (state_file_parse("a.state", VERSION, &file, &error)) {
        for (uint64_t i = 0; i < file.run.set_count; i++)
            fuzz_require(file.run.sets[i] != NULL, "setting %llu", (unsigned long long)i);
        fuzz_require(file.bytes.at <= file.bytes.count && strlen(file.digest.text) == DIGEST_CHARACTERS, "its end");
    } else {
        fuzz_require_lines(error);
        free(error);
    }
    state_file_close(&file);
}

/* What stands before the run in a file of this program. */
static state_bytes beginning(void)
{
    static state_bytes kept;
    if (!kept.count) {
        state_file file;
        char *error;
        fuzz_enter_folder();
        fuzz_require(state_file_write("a.state", &(state_file_run){.machine = "m", .app = "", .firmware = ""}, VERSION,
                                      &(state_bytes){0}, &error),
                     "it cannot be written");
        fuzz_require(state_file_read("a.state", VERSION, &file, &error), "it cannot be read");
        state_bytes_add(&kept, file.bytes.data, (size_t)((const uint8_t *)file.run.machine - file.bytes.data));
        state_file_close(&file);
    }
    state_bytes copy = {0};
    state_bytes_add(&copy, kept.data, kept.count);
    return copy;
}

void fuzz_one(fuzz_input input)
{
    state_bytes bytes = {0};
    state_bytes_add(&bytes, input.bytes, input.left);
    require_read(&bytes);
    bytes = beginning();
    state_bytes_add(&bytes, input.bytes, input.left);
    state_bytes_add_number(&bytes, hd_fnv_add(HD_FNV_START, bytes.data, bytes.count));
    require_read(&bytes);
}
