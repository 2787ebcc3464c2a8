/* SPDX-License-Identifier: MIT */
#include "warp_print.h"

#include <stdio.h>

#include "print.h"

#define PRINT_BYTES 1024u /* of a line; what is longer is cut */

static void say(const warp_place *place, uint32_t lane, const char *where, hd_time t, const char *text)
{
    const uint32_t *block = place->launch->block_index;
    place->services->log(place->services->context, HD_LOG_PROGRAM, t, "%s: block (%u,%u,%u), thread (%u,%u,%u): %s",
                         where, block[0], block[1], block[2], warp_thread_index(place, lane, 0),
                         warp_thread_index(place, lane, 1), warp_thread_index(place, lane, 2), text);
}

static void find_source(const warp_place *place, uint32_t pc, char *text, size_t bytes)
{
    if (!isa_program_source(place->program, pc, text, bytes))
        isa_program_place(place->program, pc, text, bytes);
}

uint64_t warp_print(const warp_place *place, const isa_instruction *instruction, const isa_lanes *lanes, uint64_t mask,
                    uint32_t pc, hd_time t)
{
    char where[128], text[PRINT_BYTES];
    find_source(place, pc, where, sizeof where);
    for (uint64_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        if (isa_print(place->program, instruction, lanes, lane, text, sizeof text)) {
            warp_place_fault(place, t, pc, UINT64_C(1) << lane, text);
            return UINT64_C(1) << lane;
        }
        say(place, lane, where, t, text);
    }
    return 0;
}

void warp_failed_assertion(const warp_place *place, const isa_lanes *lanes, uint64_t mask, char *text, size_t bytes)
{
    uint32_t address = lanes->registers[ISA_PRINT_TEXT * lanes->lanes + (uint32_t)__builtin_ctzll(mask)];
    const char *what = isa_program_text(place->program, address);
    snprintf(text, bytes, "assertion failed: %s", what ? what : "(its text is no constant)");
}
