/* SPDX-License-Identifier: MIT */
#include "floor_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "hd_message.h"

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

uint8_t *floor_global(floor_memory *memory, uint64_t address, uint64_t bytes)
{
    const uint64_t offset = address - HD_GLOBAL_BASE;
    return offset < FLOOR_GLOBAL_BYTES && bytes <= FLOOR_GLOBAL_BYTES - offset ? memory->global + offset : NULL;
}

static uint8_t *place_private(floor_memory *memory, uint32_t address, uint32_t warp, uint32_t lane)
{
    const uint32_t offset = address - HD_PRIVATE_BASE;
    const uint64_t word = warp * (memory->private_bytes / 4) + offset / 4;
    return memory->private + (word * FLOOR_LANES + lane) * 4 + offset % 4;
}

static uint8_t *place(floor_memory *memory, uint32_t address, uint32_t warp, uint32_t lane)
{
    if (address - HD_GLOBAL_BASE < FLOOR_GLOBAL_BYTES)
        return memory->global + (address - HD_GLOBAL_BASE);
    if (address - HD_SCRATCHPAD_BASE < FLOOR_SCRATCHPAD_BYTES)
        return memory->scratchpad + (address - HD_SCRATCHPAD_BASE);
    if (address - HD_CONSTANT_BASE < FLOOR_CONSTANT_BYTES)
        return memory->constant + (address - HD_CONSTANT_BASE);
    if (address - HD_PRIVATE_BASE < memory->private_bytes)
        return place_private(memory, address, warp, lane);
    floor_fail("access to 0x%08x", address);
}

static uint32_t *row(const isa_lanes *lanes, uint32_t number)
{
    return lanes->registers + (number == ISA_NO_REGISTER ? 0 : number) * FLOOR_LANES;
}

/* What the lanes of an access have in common. */
typedef struct access {
    floor_memory *memory;
    const isa_instruction *instruction;
    isa_lanes *lanes;
    uint64_t mask;
    uint32_t warp;
    const uint32_t *address; /* [lane] */
} access;

static uint8_t *place_lane(const access *a, uint32_t lane)
{
    return place(a->memory, a->address[lane], a->warp, lane);
}

static void load_words(const access *a)
{
    uint32_t *into = row(a->lanes, a->instruction->rd);
    for (uint64_t left = a->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        memcpy(&into[lane], place_lane(a, lane), 4);
    }
}

static void load(const access *a)
{
    uint32_t loaded[ISA_MAX_LANES] = {0};
    for (uint64_t left = a->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        memcpy(&loaded[lane], place_lane(a, lane), a->instruction->access_bytes);
    }
    if (a->instruction->writes)
        isa_load_values(a->instruction, loaded, a->lanes, a->mask);
}

static void store_words(const access *a)
{
    const uint32_t *source = row(a->lanes, a->instruction->rs2);
    for (uint64_t left = a->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        memcpy(place_lane(a, lane), &source[lane], 4);
    }
}

static void store(const access *a)
{
    const uint32_t *source = row(a->lanes, a->instruction->rs2);
    for (uint64_t left = a->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        memcpy(place_lane(a, lane), &source[lane], a->instruction->access_bytes);
    }
}

static void change(const access *a)
{
    const isa_instruction *instruction = a->instruction;
    const uint32_t operation = isa_atomic_operation(instruction);
    const uint32_t *operand = row(a->lanes, instruction->rs2);
    uint32_t *rd = row(a->lanes, instruction->rd);
    if (operation == HD_ATOMIC_LOAD_RESERVED || operation == HD_ATOMIC_STORE_CONDITIONAL)
        floor_fail("there are no reservations on the floor");
    for (uint64_t left = a->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint8_t *at = place_lane(a, lane);
        uint32_t before;
        memcpy(&before, at, 4);
        const uint32_t after = hd_atomic_apply(operation, before, operand[lane], rd[lane]);
        memcpy(at, &after, 4);
        if (instruction->writes)
            rd[lane] = before;
    }
}

void floor_access(floor_memory *memory, const isa_instruction *instruction, uint32_t warp, isa_lanes *lanes,
                  uint64_t mask)
{
    uint32_t address[ISA_MAX_LANES];
    const access a = {memory, instruction, lanes, mask, warp, address};
    isa_addresses(instruction, lanes, mask, address);
    const uint32_t is_word = instruction->access_bytes == 4;
    switch (instruction->instruction_class) {
    case ISA_CLASS_LOAD:
        if (is_word && instruction->writes)
            load_words(&a);
        else
            load(&a);
        break;
    case ISA_CLASS_STORE:
        if (is_word)
            store_words(&a);
        else
            store(&a);
        break;
    default: change(&a); break;
    }
}
