/* SPDX-License-Identifier: MIT */
#include "floor_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"

void floor_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("floor: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static uint8_t *place(floor_memory *memory, uint32_t address)
{
    if (address - HD_GLOBAL_BASE < FLOOR_GLOBAL_BYTES)
        return memory->global + (address - HD_GLOBAL_BASE);
    if (address - HD_SCRATCHPAD_BASE < FLOOR_SCRATCHPAD_BYTES)
        return memory->scratchpad + (address - HD_SCRATCHPAD_BASE);
    if (address - HD_CONSTANT_BASE < FLOOR_CONSTANT_BYTES)
        return memory->constant + (address - HD_CONSTANT_BASE);
    floor_fail("access to 0x%08x", address);
}

void floor_access(floor_memory *memory, const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask)
{
    uint32_t address[ISA_MAX_LANES];
    isa_addresses(instruction, lanes, mask, address);
    if (instruction->access_bytes != 4)
        floor_fail("access of %u bytes", instruction->access_bytes);
    const uint32_t is_store = instruction->instruction_class == ISA_CLASS_STORE;
    uint32_t *row = lanes->registers + (is_store ? instruction->rs2 : instruction->rd) * lanes->lanes;
    for (uint64_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint8_t *at = place(memory, address[lane]);
        if (is_store)
            memcpy(at, &row[lane], 4);
        else if (instruction->writes)
            memcpy(&row[lane], at, 4);
    }
}
