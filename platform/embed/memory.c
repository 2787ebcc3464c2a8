/* SPDX-License-Identifier: MIT */
#include "session.h"

heddle_error memory_allocate(session *s, uint64_t bytes, uint32_t owner, heap_site site, const char *what,
                             uint32_t *address)
{
    switch (heap_allocate(&s->heap, bytes, owner, site, address)) {
    case HEAP_OK: return HEDDLE_OK;
    case HEAP_FULL:
        return fail(HEDDLE_ERROR_MEMORY,
                    "%s: out of device memory: %llu bytes asked for, the largest free piece has %llu", what,
                    (unsigned long long)bytes, (unsigned long long)heap_largest_gap(&s->heap));
    default: return fail_memory();
    }
}

heddle_error memory_check(session *s, const char *function, heddle_address address, uint64_t bytes)
{
    const heap_block *block = heap_find(&s->heap, address);
    if (!block && heap_was_freed(&s->heap, address))
        return fail(HEDDLE_ERROR_FREED, "%s: %llu bytes at 0x%08x: the allocation has been freed", function,
                    (unsigned long long)bytes, address);
    if (!block || block->owner == HEAP_RUNTIME)
        return fail(HEDDLE_ERROR_RANGE, "%s: %llu bytes at 0x%08x: there is no allocation", function,
                    (unsigned long long)bytes, address);
    if (bytes > block->bytes - (address - block->address))
        return fail(HEDDLE_ERROR_RANGE, "%s: %llu bytes at 0x%08x: beyond the allocation of %llu bytes at 0x%08x",
                    function, (unsigned long long)bytes, address, (unsigned long long)block->bytes, block->address);
    return HEDDLE_OK;
}

heddle_error heddle_allocate_at(heddle_machine *machine, uint64_t bytes, const char *file, uint32_t line,
                                heddle_address *address)
{
    static const char *const function = "heddle_allocate";
    session *s;
    if (!address)
        return fail_null(function, "address");
    if (!bytes)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: 0 bytes asked for", function);
    const heddle_error error = session_enter_host(machine, function, &s);
    const heap_site site = {.file = file, .line = line};
    return error ? error : session_leave(s, memory_allocate(s, bytes, HEAP_USER, site, function, address));
}

heddle_error heddle_allocate(heddle_machine *machine, uint64_t bytes, heddle_address *address)
{
    return heddle_allocate_at(machine, bytes, NULL, 0, address);
}

static heddle_error check_free(session *s, heddle_address address)
{
    static const char *const function = "heddle_free";
    const heap_block *block = heap_find(&s->heap, address);
    if (block && block->address == address && block->owner == HEAP_USER)
        return HEDDLE_OK;
    if (heap_was_freed(&s->heap, address))
        return fail(HEDDLE_ERROR_FREED, "%s: 0x%08x has already been freed", function, address);
    return fail(HEDDLE_ERROR_RANGE, "%s: 0x%08x was not returned by heddle_allocate", function, address);
}

static heddle_error free_after_all(session *s, heddle_address address, heap_site site)
{
    heddle_error error = check_free(s, address);
    if (!error)
        error = session_wait_all(s);
    if (!error && heap_free(&s->heap, address, site) != HEAP_OK)
        error = fail_memory();
    return error;
}

heddle_error heddle_free_at(heddle_machine *machine, heddle_address address, const char *file, uint32_t line)
{
    session *s;
    const heddle_error error = session_enter_host(machine, "heddle_free", &s);
    return error ? error : session_leave(s, free_after_all(s, address, (heap_site){.file = file, .line = line}));
}

heddle_error heddle_free(heddle_machine *machine, heddle_address address)
{
    return heddle_free_at(machine, address, NULL, 0);
}
