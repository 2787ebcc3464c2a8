/* SPDX-License-Identifier: MIT */
/* What a peer of a remote port may send: any bytes, cut anywhere. What is taken is written as the same bytes again. */
#include "heddle_remote.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static long decode(fuzz_input input, heddle_remote_message *message)
{
    const char *why = NULL;
    const long used = heddle_remote_decode(input.bytes, input.left, message, &why);
    fuzz_require(used >= -1 && used <= (long)input.left, "%ld of %zu bytes", used, input.left);
    fuzz_require(used >= 0 || (why && *why), "it is not said what is wrong");
    return used;
}

static void require_same(const fuzz_input *input, long used, const heddle_remote_message *message)
{
    uint8_t bytes[HEDDLE_REMOTE_BYTES_MAX];
    fuzz_require(heddle_remote_encode(message, bytes) == (size_t)used, "%ld", used);
    fuzz_require(!memcmp(bytes, input->bytes, (size_t)used), "other bytes");
}

/* A part of it is a part, or as wrong as the whole. */
static void require_patience(const fuzz_input *input, long used)
{
    const fuzz_input part = {input->bytes, used > 0 ? (size_t)used - 1 : input->left / 2};
    heddle_remote_message *message = malloc(sizeof *message);
    const long of_part = decode(part, message);
    fuzz_require(of_part == 0 || used < 0, "%ld", of_part);
    free(message);
}

void fuzz_one(fuzz_input input)
{
    heddle_remote_message *message = malloc(sizeof *message);
    long used;
    while ((used = decode(input, message)) > 0) {
        require_same(&input, used, message);
        require_patience(&input, used);
        input.bytes += used;
        input.left -= (size_t)used;
    }
    require_patience(&input, used);
    free(message);
}
