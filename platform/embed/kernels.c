/* SPDX-License-Identifier: MIT */
/* What kernel programs call by name. */
#include <stdlib.h>
#include <string.h>

#include "hd_message.h"
#include "session.h"

#define PROGRAM_ANY UINT32_MAX

/* In one program, or the first that has it. *program: which. */
static const isa_symbol *find_symbol(const session *s, uint32_t of, const char *name, uint32_t is_function,
                                     uint32_t *program)
{
    for (uint32_t p = 0; p < s->program_count; p++) {
        const loaded_program *loaded = &s->programs[p];
        *program = p;
        if (!loaded->is_open || (of != PROGRAM_ANY && of != p))
            continue;
        for (uint32_t i = 0; i < loaded->program->symbol_count; i++)
            if (loaded->program->symbols[i].is_function == is_function &&
                !strcmp(loaded->program->symbols[i].name, name))
                return &loaded->program->symbols[i];
    }
    return NULL;
}

static uint32_t has_programs(const session *s)
{
    for (uint32_t p = 0; p < s->program_count; p++)
        if (s->programs[p].is_open)
            return 1;
    return 0;
}

/* what: "function", "variable" */
static heddle_error unknown(const session *s, uint32_t of, const char *function, const char *what, const char *name)
{
    if (of != PROGRAM_ANY)
        return fail(HEDDLE_ERROR_UNKNOWN, "%s: the kernel program has no %s '%s'", function, what, name);
    return fail(HEDDLE_ERROR_UNKNOWN,
                has_programs(s) ? "%s: no kernel program has a %s '%s'"
                                : "%s: %s '%s' asked for, but no kernel program is loaded",
                function, what, name);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------------------ */

static heddle_error add_kernel(session *s, const kernel_entry *added)
{
    kernel_entry *kernels = realloc(s->kernels, (s->kernel_count + 1) * sizeof *kernels);
    if (!kernels)
        return fail_memory();
    s->kernels = kernels;
    s->kernels[s->kernel_count++] = *added;
    return HEDDLE_OK;
}

static heddle_error find_kernel(session *s, uint32_t of, const char *function, const char *name, heddle_kernel **kernel)
{
    kernel_entry found = {0};
    heddle_error error = HEDDLE_OK;
    uint32_t i = 0;
    found.symbol = find_symbol(s, of, name, 1, &found.program);
    if (!found.symbol)
        return unknown(s, of, function, "function", name);
    while (i < s->kernel_count && s->kernels[i].symbol != found.symbol)
        i++;
    if (i == s->kernel_count)
        error = add_kernel(s, &found);
    if (!error)
        *kernel = handle_of(s, HANDLE_KERNEL, i, 0);
    return error;
}

heddle_error heddle_kernel_named(heddle_machine *machine, const char *name, heddle_kernel **kernel)
{
    session *s;
    if (!name || !kernel)
        return fail_null(__func__, name ? "kernel" : "name");
    *kernel = NULL;
    const heddle_error error = session_enter_host(machine, __func__, &s);
    return error ? error : session_leave(s, find_kernel(s, PROGRAM_ANY, __func__, name, kernel));
}

heddle_error heddle_program_kernel(heddle_program *program, const char *name, heddle_kernel **kernel)
{
    session *s;
    uint32_t index;
    if (!name || !kernel)
        return fail_null(__func__, name ? "kernel" : "name");
    *kernel = NULL;
    const heddle_error error = session_enter(program, HANDLE_PROGRAM, __func__, &s, &index);
    return error ? error : session_leave(s, find_kernel(s, index, __func__, name, kernel));
}

/* ---- Variables ------------------------------------------------------------------------------------------------------------ */

static heddle_error find_variable(const session *s, uint32_t of, const char *function, const char *name,
                                  heddle_address *address, uint64_t *bytes)
{
    uint32_t program;
    const isa_symbol *symbol = find_symbol(s, of, name, 0, &program);
    if (!symbol)
        return unknown(s, of, function, "variable", name);
    *address = symbol->address;
    if (bytes)
        *bytes = symbol->bytes;
    return HEDDLE_OK;
}

heddle_error heddle_variable(heddle_machine *machine, const char *name, heddle_address *address, uint64_t *bytes)
{
    session *s;
    if (!name || !address)
        return fail_null(__func__, name ? "address" : "name");
    const heddle_error error = session_enter_host(machine, __func__, &s);
    return error ? error : session_leave(s, find_variable(s, PROGRAM_ANY, __func__, name, address, bytes));
}

heddle_error heddle_program_variable(heddle_program *program, const char *name, heddle_address *address,
                                     uint64_t *bytes)
{
    session *s;
    uint32_t index;
    if (!name || !address)
        return fail_null(__func__, name ? "address" : "name");
    const heddle_error error = session_enter(program, HANDLE_PROGRAM, __func__, &s, &index);
    return error ? error : session_leave(s, find_variable(s, index, __func__, name, address, bytes));
}

/* ---- Stacks --------------------------------------------------------------------------------------------------------------- */

heddle_error heddle_set_stack(heddle_machine *machine, uint32_t bytes_per_thread)
{
    session *s;
    if (bytes_per_thread > UINT32_MAX - HD_LINE_BYTES)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: %u bytes are more than a thread can have", __func__, bytes_per_thread);
    const heddle_error error = session_enter_host(machine, __func__, &s);
    if (error)
        return error;
    s->stack_bytes = (bytes_per_thread + HD_LINE_BYTES - 1) / HD_LINE_BYTES * HD_LINE_BYTES;
    return session_leave(s, HEDDLE_OK);
}
