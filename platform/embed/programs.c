/* SPDX-License-Identifier: MIT */
/* Kernel programs come into device memory, and go. */
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "hd_address.h"
#include "heap_images.h"
#include "move.h"
#include "session.h"

#define REFUSAL_BYTES 512u
#define PROGRAMS_MAX 0xFFFFFu /* what a handle holds */

static heddle_error refused(const char *refusal)
{
    return fail(HEDDLE_ERROR_KERNELS, "the kernel program is refused: %s", refusal);
}

/* ---- Where it goes ------------------------------------------------------------------------------------------------------ */

typedef struct range {
    uint64_t begin, end;
} range;

static range range_of(const isa_program *program)
{
    range all = {.begin = UINT64_MAX};
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const isa_segment *segment = &program->segments[i];
        const uint64_t end = (uint64_t)segment->address + segment->memory_bytes;
        if (!segment->memory_bytes)
            continue;
        all.begin = segment->address < all.begin ? segment->address : all.begin;
        all.end = end > all.end ? end : all.end;
    }
    return all;
}

/* The block that lies where a segment of the program is to lie; NULL: none. */
static const heap_block *in_the_way(const session *s, const isa_program *program)
{
    const heap_block *block = NULL;
    for (uint32_t i = 0; i < program->segment_count && !block; i++)
        block = heap_images_in_the_way(&s->heap, program->segments[i].address,
                                       (uint64_t)program->segments[i].address + program->segments[i].memory_bytes);
    return block;
}

static heddle_error check_range(const session *s, const range *needed)
{
    if (needed->begin >= HD_GLOBAL_BASE && needed->end <= s->heap.end)
        return HEDDLE_OK;
    return fail(HEDDLE_ERROR_KERNELS, "the kernel program needs 0x%08llx .. 0x%llx, device memory is 0x%08x .. 0x%llx",
                (unsigned long long)needed->begin, (unsigned long long)needed->end, HD_GLOBAL_BASE,
                (unsigned long long)s->heap.end);
}

/* Moves the image to where there is room for it. */
static heddle_error move(const session *s, uint8_t *image, size_t bytes, const range *needed,
                         const heap_block *occupied)
{
    char refusal[REFUSAL_BYTES];
    const uint64_t offset = needed->begin % ISA_MOVE_PAGE_BYTES, size = needed->end - needed->begin + offset;
    const uint64_t place = heap_images_place(&s->heap, size, ISA_MOVE_PAGE_BYTES);
    if (!place)
        return fail(HEDDLE_ERROR_KERNELS, "there is no room for the kernel program, which needs %llu bytes",
                    (unsigned long long)size);
    if (!isa_move(image, bytes, (uint32_t)(place + offset - needed->begin), refusal, sizeof refusal))
        return HEDDLE_OK;
    return fail(HEDDLE_ERROR_KERNELS,
                "the kernel program needs 0x%08llx .. 0x%llx, where %s lies: load it before allocating, or load one "
                "that can be moved, linked with --emit-relocs (%s)",
                (unsigned long long)needed->begin, (unsigned long long)needed->end,
                occupied->owner == HEAP_IMAGE ? "another one" : "an allocation or a queue", refusal);
}

/* Moves the image if it has to be; *end: before which nothing is allocated from here on, 0: it was moved. */
static heddle_error find_place(session *s, uint8_t *image, size_t bytes, uint64_t *end)
{
    char refusal[REFUSAL_BYTES];
    isa_program *program = hd_program_registry_load_to(hd_machine_programs(s->machine), image, bytes,
                                                       ISA_STEP_TRANSFORM, refusal, sizeof refusal);
    if (!program)
        return refused(refusal);
    const range needed = range_of(program);
    const heap_block *occupied = in_the_way(s, program);
    isa_program_free(program);
    *end = occupied ? 0 : needed.end;
    const heddle_error error = check_range(s, &needed);
    return error || !occupied ? error : move(s, image, bytes, &needed, occupied);
}

/* ---- Loading -------------------------------------------------------------------------------------------------------------- */

/* Its names are known from here on. */
static heddle_error add_program(session *s, const loaded_program *added)
{
    loaded_program *programs =
        s->program_count < PROGRAMS_MAX ? realloc(s->programs, (s->program_count + 1) * sizeof *programs) : NULL;
    if (!programs)
        return fail_memory();
    s->programs = programs;
    s->programs[s->program_count++] = *added;
    return HEDDLE_OK;
}

static heddle_error place(session *s, const isa_segment *segment)
{
    if (heap_enter(&s->heap, segment->address, segment->memory_bytes, HEAP_IMAGE) != HEAP_OK)
        return fail_memory();
    heddle_error error = session_write(s, segment->address, segment->data, segment->file_bytes);
    if (!error)
        error = session_access(s, &(host_call){.kind = HOST_CALL_FILL,
                                               .address = (uint64_t)segment->address + segment->file_bytes,
                                               .bytes = segment->memory_bytes - segment->file_bytes});
    return error;
}

/* Allocations come behind the programs that are where they were linked for. */
static void set_begin(session *s)
{
    s->heap.begin = HD_GLOBAL_BASE;
    for (uint32_t i = 0; i < s->program_count; i++)
        if (s->programs[i].is_open && s->programs[i].end > s->heap.begin)
            s->heap.begin = s->programs[i].end;
}

/* image: a copy of ours. */
static heddle_error load_copy(session *s, uint8_t *image, size_t bytes)
{
    char refusal[REFUSAL_BYTES];
    loaded_program added = {.is_open = 1};
    heddle_error error = find_place(s, image, bytes, &added.end);
    if (error)
        return error;
    hd_program_registry *registry = hd_machine_programs(s->machine);
    added.module = hd_program_registry_load(registry, image, bytes, refusal, sizeof refusal);
    if (added.module == HD_NO_MODULE)
        return refused(refusal);
    added.program = hd_program_registry_find(registry, added.module);
    error = add_program(s, &added);
    for (uint32_t i = 0; i < added.program->segment_count && !error; i++)
        if (added.program->segments[i].memory_bytes)
            error = place(s, &added.program->segments[i]);
    set_begin(s);
    return error;
}

static heddle_error load(session *s, const void *image, size_t bytes)
{
    heddle_error error = session_wait_all(s);
    if (error)
        return error;
    uint8_t *copy = malloc(bytes + 1);
    if (!copy)
        return fail_memory();
    memcpy(copy, image, bytes);
    error = load_copy(s, copy, bytes);
    free(copy);
    return error;
}

heddle_error heddle_load_image(heddle_machine *machine, const void *image, size_t bytes)
{
    session *s;
    if (!image)
        return fail_null(__func__, "image");
    const heddle_error error = session_enter_host(machine, __func__, &s);
    return error ? error : session_leave(s, load(s, image, bytes));
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
    heddle_error error = session_wait_all(s);
    if (!error)
        error = load_copy(s, image, bytes);
    free(image);
    return error;
}

heddle_error heddle_load(heddle_machine *machine, const char *path)
{
    session *s;
    if (!path)
        return fail_null(__func__, "path");
    const heddle_error error = session_enter_host(machine, __func__, &s);
    return error ? error : session_leave(s, load_file(s, path));
}

heddle_error heddle_program_load(heddle_machine *machine, const void *image, size_t bytes, heddle_program **program)
{
    session *s;
    if (!image || !program)
        return fail_null(__func__, image ? "program" : "image");
    *program = NULL;
    heddle_error error = session_enter_host(machine, __func__, &s);
    if (error)
        return error;
    error = load(s, image, bytes);
    if (!error)
        *program = handle_of(s, HANDLE_PROGRAM, s->program_count - 1, 0);
    return session_leave(s, error);
}

/* ---- Unloading ------------------------------------------------------------------------------------------------------------ */

static heddle_error unload(session *s, loaded_program *gone)
{
    const heddle_error error = session_wait_all(s);
    if (error)
        return error;
    for (uint32_t i = 0; i < gone->program->segment_count; i++)
        heap_images_leave(&s->heap, gone->program->segments[i].address);
    gone->is_open = 0;
    set_begin(s);
    return HEDDLE_OK;
}

heddle_error heddle_program_unload(heddle_program *program)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(program, HANDLE_PROGRAM, __func__, &s, &index);
    return error ? error : session_leave(s, unload(s, &s->programs[index]));
}
