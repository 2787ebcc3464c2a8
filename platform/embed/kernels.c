/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "hd_address.h"
#include "session.h"

/* ---- Loading --------------------------------------------------------------------------------------------------------- */

static heddle_error check_segment(const session *s, const isa_segment *segment)
{
    const uint64_t end = (uint64_t)segment->address + segment->memory_bytes;
    if (segment->address < HD_GLOBAL_BASE || end > s->heap.end)
        return fail(HEDDLE_ERROR_KERNELS,
                    "the kernel program needs 0x%08x .. 0x%llx, device memory is 0x%08x .. 0x%llx", segment->address,
                    (unsigned long long)end, HD_GLOBAL_BASE, (unsigned long long)s->heap.end);
    for (uint32_t i = 0; i < s->heap.count; i++) {
        const heap_block *block = &s->heap.blocks[i];
        if (block->address < end && segment->address < block->address + block->bytes)
            return fail(HEDDLE_ERROR_KERNELS,
                        "the kernel program needs 0x%08x .. 0x%llx, where %s lies: load it before allocating",
                        segment->address, (unsigned long long)end,
                        block->owner == HEAP_IMAGE ? "another one" : "an allocation or a queue");
    }
    return HEDDLE_OK;
}

static heddle_error place(session *s, const isa_segment *segment)
{
    const uint64_t end = (uint64_t)segment->address + segment->memory_bytes;
    if (heap_enter(&s->heap, segment->address, segment->memory_bytes, HEAP_IMAGE) != HEAP_OK)
        return fail_memory();
    if (end > s->heap.begin)
        s->heap.begin = end;
    heddle_error error = session_write(s, segment->address, segment->data, segment->file_bytes);
    if (!error)
        error = session_access(s, &(host_call){.kind = HOST_CALL_FILL,
                                               .address = (uint64_t)segment->address + segment->file_bytes,
                                               .bytes = segment->memory_bytes - segment->file_bytes});
    return error;
}

/* Its names are known from here on. */
static heddle_error add_program(session *s, const isa_program *program, uint32_t module)
{
    loaded_program *programs = realloc(s->programs, (s->program_count + 1) * sizeof *programs);
    if (!programs)
        return fail_memory();
    s->programs = programs;
    s->programs[s->program_count++] = (loaded_program){.program = program, .module = module};
    return HEDDLE_OK;
}

static heddle_error load(session *s, const void *image, size_t bytes)
{
    char refusal[512];
    hd_program_registry *registry = hd_machine_programs(s->machine);
    const uint32_t module = hd_program_registry_load(registry, image, bytes, refusal, sizeof refusal);
    if (module == HD_NO_MODULE)
        return fail(HEDDLE_ERROR_KERNELS, "the kernel program is refused: %s", refusal);
    const isa_program *program = hd_program_registry_find(registry, module);
    heddle_error error = HEDDLE_OK;
    for (uint32_t i = 0; i < program->segment_count && !error; i++)
        if (program->segments[i].memory_bytes)
            error = check_segment(s, &program->segments[i]);
    if (!error)
        error = add_program(s, program, module);
    for (uint32_t i = 0; i < program->segment_count && !error; i++)
        if (program->segments[i].memory_bytes)
            error = place(s, &program->segments[i]);
    return error;
}

static heddle_error load_when_all_is_done(session *s, const void *image, size_t bytes)
{
    const heddle_error error = session_wait_all(s);
    return error ? error : load(s, image, bytes);
}

heddle_error heddle_load_image(heddle_machine *machine, const void *image, size_t bytes)
{
    session *s;
    uint32_t index;
    if (!image)
        return fail_null(__func__, "image");
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    return error ? error : session_leave(s, load_when_all_is_done(s, image, bytes));
}

static heddle_error load_file(session *s, const char *path)
{
    size_t bytes;
    char *text;
    uint8_t *image = hd_app_read(path, &bytes, &text);
    if (!image) {
        fail(HEDDLE_ERROR_FILE, "%.*s", (int)strcspn(text, "\n"), text);
        free(text);
        return HEDDLE_ERROR_FILE;
    }
    const heddle_error error = load_when_all_is_done(s, image, bytes);
    free(image);
    return error;
}

heddle_error heddle_load(heddle_machine *machine, const char *path)
{
    session *s;
    uint32_t index;
    if (!path)
        return fail_null(__func__, "path");
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    return error ? error : session_leave(s, load_file(s, path));
}

/* ---- Names ----------------------------------------------------------------------------------------------------------- */

static const isa_symbol *find_symbol(const session *s, const char *name, uint32_t is_function,
                                     const loaded_program **where)
{
    for (uint32_t p = 0; p < s->program_count; p++) {
        const isa_program *program = s->programs[p].program;
        *where = &s->programs[p];
        for (uint32_t i = 0; i < program->symbol_count; i++)
            if (program->symbols[i].is_function == is_function && !strcmp(program->symbols[i].name, name))
                return &program->symbols[i];
    }
    return NULL;
}

static heddle_error find_kernel(session *s, const char *name, heddle_kernel **kernel)
{
    const loaded_program *where;
    const isa_symbol *symbol = find_symbol(s, name, 1, &where);
    if (!symbol)
        return fail(HEDDLE_ERROR_UNKNOWN,
                    s->program_count ? "heddle_kernel_named: no kernel program has a function '%s'"
                                     : "heddle_kernel_named: '%s' asked for, but no kernel program is loaded",
                    name);
    for (uint32_t i = 0; i < s->kernel_count; i++)
        if (s->kernels[i].symbol == symbol) {
            *kernel = handle_of(s, HANDLE_KERNEL, i, 0);
            return HEDDLE_OK;
        }
    kernel_entry *kernels = realloc(s->kernels, (s->kernel_count + 1) * sizeof *kernels);
    if (!kernels)
        return fail_memory();
    s->kernels = kernels;
    s->kernels[s->kernel_count] = (kernel_entry){.program = where->program, .module = where->module, .symbol = symbol};
    *kernel = handle_of(s, HANDLE_KERNEL, s->kernel_count++, 0);
    return HEDDLE_OK;
}

heddle_error heddle_kernel_named(heddle_machine *machine, const char *name, heddle_kernel **kernel)
{
    session *s;
    uint32_t index;
    if (!name || !kernel)
        return fail_null(__func__, name ? "kernel" : "name");
    *kernel = NULL;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    return error ? error : session_leave(s, find_kernel(s, name, kernel));
}

heddle_error heddle_variable(heddle_machine *machine, const char *name, heddle_address *address, uint64_t *bytes)
{
    session *s;
    uint32_t index;
    if (!name || !address)
        return fail_null(__func__, name ? "address" : "name");
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    const loaded_program *where;
    const isa_symbol *symbol = find_symbol(s, name, 0, &where);
    if (!symbol)
        return session_leave(s,
                             fail(HEDDLE_ERROR_UNKNOWN, "%s: no kernel program has a variable '%s'", __func__, name));
    *address = symbol->address;
    if (bytes)
        *bytes = symbol->bytes;
    return session_leave(s, HEDDLE_OK);
}

heddle_error heddle_set_stack(heddle_machine *machine, uint32_t bytes_per_thread)
{
    session *s;
    uint32_t index;
    if (bytes_per_thread > UINT32_MAX - HD_LINE_BYTES)
        return fail(HEDDLE_ERROR_ARGUMENT, "%s: %u bytes are more than a thread can have", __func__, bytes_per_thread);
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    s->stack_bytes = (bytes_per_thread + HD_LINE_BYTES - 1) / HD_LINE_BYTES * HD_LINE_BYTES;
    return session_leave(s, HEDDLE_OK);
}
