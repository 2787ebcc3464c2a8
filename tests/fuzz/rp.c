/* SPDX-License-Identifier: MIT */
/* What the peer of a port in the Remote-Port protocol may send: any bytes, cut anywhere. What is taken says the same when it is written again. */
#include "rp_packet.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static long decode(fuzz_input input, rp_packet *packet)
{
    const char *why = NULL;
    const long used = rp_decode(input.bytes, input.left, packet, &why);
    fuzz_require(used >= -1 && used <= (long)input.left, "%ld of %zu bytes", used, input.left);
    fuzz_require(used >= 0 || (why && *why), "it is not said what is wrong");
    return used;
}

static void require_same(const rp_packet *packet)
{
    rp_packet *again = malloc(sizeof *again);
    uint8_t *bytes = malloc(RP_BYTES_MAX);
    const size_t count = rp_encode(packet, bytes);
    fuzz_require(count <= RP_BYTES_MAX, "%zu bytes", count);
    fuzz_require(decode((fuzz_input){bytes, count}, again) == (long)count, "not as long as it was");
    fuzz_require(!memcmp(again, packet, offsetof(rp_packet, data)), "it says something else");
    fuzz_require(!memcmp(again->data, packet->data, packet->data_bytes), "other data");
    fuzz_require(!memcmp(again->enables, packet->enables, packet->enable_bytes), "other byte enables");
    free(bytes);
    free(again);
}

/* A part of it is a part, or as wrong as the whole. */
static void require_patience(const fuzz_input *input, long used)
{
    const fuzz_input part = {input->bytes, used > 0 ? (size_t)used - 1 : input->left / 2};
    rp_packet *packet = malloc(sizeof *packet);
    const long of_part = decode(part, packet);
    fuzz_require(of_part == 0 || used < 0 || !used, "%ld", of_part);
    free(packet);
}

void fuzz_one(fuzz_input input)
{
    rp_packet *packet = malloc(sizeof *packet);
    long used;
    while ((used = decode(input, packet)) > 0) {
        require_same(packet);
        require_patience(&input, used);
        input.bytes += used;
        input.left -= (size_t)used;
    }
    free(packet);
}
