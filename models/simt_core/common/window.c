/* SPDX-License-Identifier: MIT */
#include "window.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    NULL_DEREFERENCE = WINDOW_ALLOWED + 1,
    UNMAPPED,
    MISALIGNED,
    SCRATCHPAD_OVERRUN,
    STACK_OVERFLOW,
    PRIVATE_OVERRUN,
    ATOMIC_ON_PRIVATE,
    CONSTANT_OVERRUN,
    READ_ONLY,
    MEMORY_OVERRUN,
};

static uint32_t mapping_error(uint32_t address)
{
    if (address >= HD_GLOBAL_BASE)
        return WINDOW_ALLOWED;
    if (address < HD_UNMAPPED_END)
        return NULL_DEREFERENCE;
    /* The stack grows down from the top of the private window, so that it leaves the window at its base. */
    if (address >= HD_SCRATCHPAD_END && address < HD_PRIVATE_BASE)
        return STACK_OVERFLOW;
    if (address < HD_SCRATCHPAD_BASE || (address >= HD_PRIVATE_END && address < HD_CONSTANT_BASE) ||
        address >= HD_CONSTANT_END)
        return UNMAPPED;
    return WINDOW_ALLOWED;
}

uint32_t window_refusal(const memory_view *view, uint32_t kind, uint32_t bytes, uint32_t address)
{
    const uint32_t unmapped = mapping_error(address);
    if (unmapped != WINDOW_ALLOWED)
        return unmapped;
    if ((address & (bytes - 1)) != 0)
        return MISALIGNED;
    const uint64_t end = (uint64_t)address + bytes;
    switch (window_of(address)) {
    case WINDOW_SCRATCHPAD:
        return end - HD_SCRATCHPAD_BASE > view->scratchpad_bytes ? SCRATCHPAD_OVERRUN : WINDOW_ALLOWED;
    case WINDOW_PRIVATE:
        if (kind == KIND_ATOMIC)
            return ATOMIC_ON_PRIVATE;
        return end - HD_PRIVATE_BASE > view->private_bytes ? PRIVATE_OVERRUN : WINDOW_ALLOWED;
    case WINDOW_CONSTANT:
        if (kind != KIND_LOAD)
            return READ_ONLY;
        return end - HD_CONSTANT_BASE > view->constant_bytes ? CONSTANT_OVERRUN : WINDOW_ALLOWED;
    default: return view->memory_end && end > view->memory_end ? MEMORY_OVERRUN : WINDOW_ALLOWED;
    }
}

void window_describe(const memory_view *view, uint32_t kind, uint32_t bytes, uint32_t address, uint32_t refusal,
                     char *text, size_t text_bytes)
{
    static const char *const kinds[] = {
        [KIND_LOAD] = "load of", [KIND_STORE] = "store to", [KIND_ATOMIC] = "atomic on"};
    char what[48];
    snprintf(what, sizeof what, "%u-byte %s 0x%08x", bytes, kinds[kind], address);
    switch (refusal) {
    case NULL_DEREFERENCE: snprintf(text, text_bytes, "null dereference: %s", what); break;
    case MISALIGNED: snprintf(text, text_bytes, "misaligned %s", what); break;
    case SCRATCHPAD_OVERRUN:
        snprintf(text, text_bytes, "scratchpad overrun: %s, the block has %u bytes", what, view->scratchpad_bytes);
        break;
    case STACK_OVERFLOW: snprintf(text, text_bytes, "stack overflow: %s", what); break;
    case PRIVATE_OVERRUN:
        snprintf(text, text_bytes, "private memory overrun: %s, the thread has %u bytes", what, view->private_bytes);
        break;
    case ATOMIC_ON_PRIVATE: snprintf(text, text_bytes, "private memory takes no atomics: %s", what); break;
    case CONSTANT_OVERRUN:
        snprintf(text, text_bytes, "constant memory overrun: %s, the launch has %u bytes", what, view->constant_bytes);
        break;
    case MEMORY_OVERRUN:
        snprintf(text, text_bytes, "beyond the machine's memory: %s, memory ends at 0x%08" PRIx64, what,
                 view->memory_end);
        break;
    case READ_ONLY: snprintf(text, text_bytes, "constant memory is read-only: %s", what); break;
    default: snprintf(text, text_bytes, "unmapped address: %s", what); break;
    }
}
