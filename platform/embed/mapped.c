/* SPDX-License-Identifier: MIT */
/* Device memory without time: looked at, changed; and memory of the process that stands for it. */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "session.h"

#define MAP_ALIGNMENT 64u
#define PIECE_BYTES (UINT32_C(1) << 20)

/* ---- Untimed access ------------------------------------------------------------------------------------------------------- */

/* Of a machine with a host of its own nobody here knows what is allocated. */
static heddle_error check_range(session *s, const char *function, heddle_address address, uint64_t bytes)
{
    if (s->driver)
        return memory_check(s, function, address, bytes);
    if (address >= HD_GLOBAL_BASE && bytes <= (UINT64_C(1) << 32) - address)
        return HEDDLE_OK;
    return fail(HEDDLE_ERROR_RANGE, "%s: %llu bytes at 0x%08x: outside device memory", function,
                (unsigned long long)bytes, address);
}

static heddle_error access_untimed(session *s, const char *function, heddle_address address, uint8_t *data,
                                   uint64_t bytes, uint32_t is_write)
{
    for (uint64_t done = 0; done < bytes;) {
        const uint64_t left = bytes - done;
        const uint32_t taken = hd_machine_debug_access(s->machine, address + done, data + done,
                                                       left < PIECE_BYTES ? (uint32_t)left : PIECE_BYTES, is_write);
        if (!taken)
            return fail(HEDDLE_ERROR_DEVICE, "%s: nothing answers untimed access at 0x%08llx", function,
                        (unsigned long long)(address + done));
        done += taken;
    }
    return HEDDLE_OK;
}

heddle_error heddle_peek(heddle_machine *machine, void *to, heddle_address from, size_t bytes)
{
    session *s;
    uint32_t index;
    if (!to && bytes)
        return fail_null(__func__, "the program's memory");
    heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    error = bytes ? check_range(s, __func__, from, bytes) : HEDDLE_OK;
    return session_leave(s, error ? error : access_untimed(s, __func__, from, to, bytes, 0));
}

heddle_error heddle_poke(heddle_machine *machine, heddle_address to, const void *from, size_t bytes)
{
    session *s;
    uint32_t index;
    if (!from && bytes)
        return fail_null(__func__, "the program's memory");
    heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    error = bytes ? check_range(s, __func__, to, bytes) : HEDDLE_OK;
    if (!error && s->checks_memory)
        error = fail(HEDDLE_ERROR_DEVICE, "%s: HEDDLE_CHECK_MEMORY would not know what was written", __func__);
    return session_leave(s, error ? error : access_untimed(s, __func__, to, (uint8_t *)(uintptr_t)from, bytes, 1));
}

/* ---- Mapped memory -------------------------------------------------------------------------------------------------------- */

static heddle_error add_map(session *s, const char *function, heddle_address address, size_t bytes, uint32_t flags)
{
    heddle_error error = memory_check(s, function, address, bytes);
    if (error)
        return error;
    mapped_range *added = calloc(1, sizeof *added);
    void *memory = NULL;
    if (!added || posix_memalign(&memory, MAP_ALIGNMENT, bytes)) {
        free(added);
        return fail_memory();
    }
    memset(memory, 0, bytes);
    if (flags & HEDDLE_MAP_READ)
        error = copy_now(s, function,
                         &(host_call){.kind = HOST_CALL_READ, .address = address, .into = memory, .bytes = bytes});
    if (error) {
        free(memory);
        free(added);
        return error;
    }
    *added = (mapped_range){.next = s->maps, .memory = memory, .address = address, .flags = flags, .bytes = bytes};
    s->maps = added;
    return HEDDLE_OK;
}

heddle_error heddle_map(heddle_machine *machine, heddle_address address, size_t bytes, uint32_t flags, void **memory)
{
    session *s;
    if (!memory)
        return fail_null(__func__, "memory");
    *memory = NULL;
    if (!bytes)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: 0 bytes asked for", __func__);
    if (!flags || flags & ~(HEDDLE_MAP_READ | HEDDLE_MAP_WRITE))
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: flags is 0x%x, no HEDDLE_MAP_*", __func__, flags);
    heddle_error error = session_enter_host(machine, __func__, &s);
    if (error)
        return error;
    error = add_map(s, __func__, address, bytes, flags);
    if (!error)
        *memory = s->maps->memory;
    return session_leave(s, error);
}

static heddle_error take_map(session *s, const char *function, const void *memory)
{
    mapped_range **at = &s->maps;
    while (*at && (*at)->memory != memory)
        at = &(*at)->next;
    mapped_range *gone = *at;
    heddle_error error = HEDDLE_OK;
    if (!gone)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: %p is not mapped", function, memory);
    *at = gone->next;
    if (gone->flags & HEDDLE_MAP_WRITE)
        error = copy_now(
            s, function,
            &(host_call){
                .kind = HOST_CALL_WRITE, .address = gone->address, .from = gone->memory, .bytes = gone->bytes});
    free(gone->memory);
    free(gone);
    return error;
}

heddle_error heddle_unmap(heddle_machine *machine, void *memory)
{
    session *s;
    if (!memory)
        return fail_null(__func__, "memory");
    const heddle_error error = session_enter_host(machine, __func__, &s);
    return error ? error : session_leave(s, take_map(s, __func__, memory));
}

void maps_forget(session *s)
{
    while (s->maps) {
        mapped_range *gone = s->maps;
        s->maps = gone->next;
        free(gone->memory);
        free(gone);
    }
}
