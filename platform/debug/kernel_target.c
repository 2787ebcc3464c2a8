/* SPDX-License-Identifier: MIT */
/*
 * Kernels on cores: threads are lanes of warps. There are tens of thousands; listed are those of the thread block that has stopped,
 * and of every other warp its first one. TARGET_ANY is the device as a whole, which is there before and after all of them.
 */
#include "debugger_internal.h"
#include "hd_address.h"

#include <stdio.h>

#define INSTRUCTION_BYTES 4u /* of kernels, all of them */

#define FPU "org.gnu.gdb.riscv.fpu"
#define LANE "heddle.lane"
#define F(name, number)                                                                                                \
    {                                                                                                                  \
        name, FPU, "ieee_single", 4, 32 + (number)                                                                     \
    }
#define C(name, number)                                                                                                \
    {                                                                                                                  \
        name, FPU, "int", 4, HD_DEBUG_CSR + (number)                                                                   \
    }

/* Of the thread's place; behind all numbers of hd_debug. */
enum { PLACE_ACTIVE = 0x10000, PLACE_LANE, PLACE_WARP, PLACE_BLOCK, PLACE_THREAD = PLACE_BLOCK + 3 };
#define P(name, bytes, number)                                                                                         \
    {                                                                                                                  \
        name, LANE, "uint" #bytes, bytes / 8, number                                                                   \
    }

static const target_register registers[] = {
    DEBUG_INTEGER_REGISTERS(4),
    F("ft0", 0),
    F("ft1", 1),
    F("ft2", 2),
    F("ft3", 3),
    F("ft4", 4),
    F("ft5", 5),
    F("ft6", 6),
    F("ft7", 7),
    F("fs0", 8),
    F("fs1", 9),
    F("fa0", 10),
    F("fa1", 11),
    F("fa2", 12),
    F("fa3", 13),
    F("fa4", 14),
    F("fa5", 15),
    F("fa6", 16),
    F("fa7", 17),
    F("fs2", 18),
    F("fs3", 19),
    F("fs4", 20),
    F("fs5", 21),
    F("fs6", 22),
    F("fs7", 23),
    F("fs8", 24),
    F("fs9", 25),
    F("fs10", 26),
    F("fs11", 27),
    F("ft8", 28),
    F("ft9", 29),
    F("ft10", 30),
    F("ft11", 31),
    C("fflags", 1),
    C("frm", 2),
    C("fcsr", 3),
    P("active_lanes", 64, PLACE_ACTIVE),
    P("lane", 32, PLACE_LANE),
    P("warp", 32, PLACE_WARP),
    P("block_x", 32, PLACE_BLOCK),
    P("block_y", 32, PLACE_BLOCK + 1),
    P("block_z", 32, PLACE_BLOCK + 2),
    P("thread_x", 32, PLACE_THREAD),
    P("thread_y", 32, PLACE_THREAD + 1),
    P("thread_z", 32, PLACE_THREAD + 2),
};

static const debugged *block_of_group(const debugger *self, uint64_t group)
{
    for (uint32_t i = 0; i < self->block_count; i++) {
        const debugged *at = &self->blocks[i];
        if (at->door == DOOR_KERNELS && group - at->first_group < at->groups)
            return at;
    }
    return NULL;
}

/* Whether it lives or not. */
static place_of_thread place_of(const debugger *self, uint64_t thread)
{
    const uint64_t group = thread / HD_DEBUG_LANES_MAX - 1;
    const debugged *at = thread < FIRST_LANE ? NULL : block_of_group(self, group);
    return (place_of_thread){
        .at = at, .group = at ? (uint32_t)group - at->first_group : 0, .lane = (uint32_t)(thread % HD_DEBUG_LANES_MAX)};
}

static uint64_t live(const place_of_thread *place, uint32_t *owner)
{
    *owner = UINT32_MAX;
    return place->at ? place->at->ability->live(place->at->block, place->group, owner) : 0;
}

static uint32_t lives(const place_of_thread *place)
{
    uint32_t owner;
    return live(place, &owner) >> place->lane & 1;
}

/* ---- Which there are -------------------------------------------------------------------------------------------------- */

static uint64_t listed_of(const debugger *self, const debugged *at, uint32_t group)
{
    const place_of_thread focus = place_of(self, self->focus);
    uint32_t owner, owner_of_focus;
    const uint64_t lanes = at->ability->live(at->block, group, &owner);
    live(&focus, &owner_of_focus);
    return focus.at == at && owner == owner_of_focus ? lanes : lanes & -lanes;
}

static uint64_t next_thread(void *context, uint64_t after)
{
    const debugger *self = context;
    if (!after)
        return TARGET_ANY;
    uint64_t next = after < FIRST_LANE ? FIRST_LANE : after + 1;
    for (place_of_thread place; (place = place_of(self, next)).at;
         next = (next / HD_DEBUG_LANES_MAX + 1) * HD_DEBUG_LANES_MAX) {
        const uint64_t lanes = listed_of(self, place.at, place.group) >> place.lane;
        if (lanes)
            return next + (uint64_t)__builtin_ctzll(lanes);
    }
    return 0;
}

static uint32_t is_alive(void *context, uint64_t thread)
{
    const place_of_thread place = place_of(context, thread);
    return thread == TARGET_ANY || lives(&place);
}

static void describe(void *context, uint64_t thread, char *text, size_t bytes)
{
    const debugger *self = context;
    const place_of_thread place = place_of(self, thread);
    hd_debug_thread found;
    if (!lives(&place)) {
        snprintf(text, bytes, thread == TARGET_ANY ? "the device" : "has ended");
        return;
    }
    place.at->ability->thread(place.at->block, place.group, place.lane, &found);
    const uint32_t *block = found.block_index, *index = found.thread_index;
    snprintf(text, bytes, "%s block (%u,%u,%u) warp %u lane %u thread (%u,%u,%u), %s: %s",
             hd_engine_block_name(self->engine, place.at->endpoint), block[0], block[1], block[2], found.warp,
             place.lane, index[0], index[1], index[2], found.active ? "active" : "inactive", found.what);
}

static void stopped(void *context, uint64_t thread)
{
    ((debugger *)context)->focus = thread;
}

/* ---- What they have --------------------------------------------------------------------------------------------------- */

static uint32_t read_place(const place_of_thread *place, uint32_t number, uint64_t *value)
{
    hd_debug_thread found;
    place->at->ability->thread(place->at->block, place->group, place->lane, &found);
    switch (number) {
    case PLACE_ACTIVE: *value = found.active; break;
    case PLACE_LANE: *value = place->lane; break;
    case PLACE_WARP: *value = found.warp; break;
    default:
        *value =
            number < PLACE_THREAD ? found.block_index[number - PLACE_BLOCK] : found.thread_index[number - PLACE_THREAD];
    }
    return 1;
}

/* The device stands nowhere, which gdb wants to be somewhere. */
static uint32_t read_register(void *context, uint64_t thread, uint32_t number, uint64_t *value)
{
    const debugger *self = context;
    const place_of_thread place = place_of(self, thread);
    *value = 0;
    if (!lives(&place))
        return number == HD_DEBUG_PC;
    if (number >= PLACE_ACTIVE)
        return read_place(&place, number, value);
    const uint32_t is_known = place.at->ability->read(place.at->block, place.group, place.lane, number, value);
    if (number == HD_DEBUG_PC && thread == self->behind)
        *value += INSTRUCTION_BYTES;
    return is_known;
}

static uint32_t write_register(void *context, uint64_t thread, uint32_t number, uint64_t value)
{
    const place_of_thread place = place_of(context, thread);
    return number < PLACE_ACTIVE && lives(&place) &&
           place.at->ability->write(place.at->block, place.group, place.lane, number, value);
}

/* The device sees what all threads see in the same way. */
static uint32_t access_memory(debugger *self, uint64_t thread, uint64_t address, void *data, uint32_t bytes,
                              uint32_t is_write)
{
    const place_of_thread place = place_of(self, thread);
    if (lives(&place))
        return debugger_memory(self, place, address, data, bytes, is_write);
    if (address < HD_GLOBAL_BASE || address > UINT32_MAX)
        return 0;
    return hd_engine_debug_access(self->engine, debugger_first(self, DOOR_KERNELS)->endpoint, UINT32_MAX, address, data,
                                  bytes, is_write);
}

static uint32_t read_memory(void *context, uint64_t thread, uint64_t address, void *data, uint32_t bytes)
{
    return access_memory(context, thread, address, data, bytes, 0);
}

static uint32_t write_memory(void *context, uint64_t thread, uint64_t address, const void *data, uint32_t bytes)
{
    return access_memory(context, thread, address, (void *)(uintptr_t)data, bytes, 1);
}

static void command(void *context, const char *words, char *answer, size_t bytes)
{
    debugger_command(context, words, answer, bytes);
}

debug_target kernel_target(debugger *self)
{
    return (debug_target){.context = self,
                          .architecture = "riscv:rv32",
                          .registers = registers,
                          .register_count = sizeof registers / sizeof *registers,
                          .watches = 1,
                          .next_thread = next_thread,
                          .is_alive = is_alive,
                          .describe = describe,
                          .stopped = stopped,
                          .read_register = read_register,
                          .write_register = write_register,
                          .read_memory = read_memory,
                          .write_memory = write_memory,
                          .command = command};
}
