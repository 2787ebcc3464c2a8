/* SPDX-License-Identifier: MIT */
#include "synchronization.h"

#include "elf_file.h"
#include "loading.h"

#include <stdlib.h>
#include <string.h>

#define SECTION ISA_SYNCHRONIZATION_SECTION
#define HEAD_BYTES 8u

static int is_kind(uint32_t kind)
{
    return kind == ISA_FUNCTION_NO_TRANSFORM || kind == ISA_FUNCTION_PARAMETERS_DO_NOT_ALIAS ||
           kind == ISA_ACCESS_OF_LOCK;
}

int isa_synchronization_next(const isa_program *program, uint32_t *at, isa_synchronization *record)
{
    const isa_section *section = isa_program_section(program, SECTION);
    if (!section || *at >= section->size || section->size - *at < HEAD_BYTES)
        return 0;
    const uint8_t *bytes = section->bytes + *at;
    memcpy(&record->pc, bytes, 4);
    memcpy(&record->kind, bytes + 4, 4);
    record->lock = NULL;
    uint32_t size = HEAD_BYTES;
    if (!is_kind(record->kind))
        return 0;
    if (record->kind == ISA_ACCESS_OF_LOCK) {
        const size_t left = section->size - *at - HEAD_BYTES;
        const size_t most = left < ISA_LOCK_NAME_MAX + 1 ? left : ISA_LOCK_NAME_MAX + 1;
        const uint8_t *name = bytes + HEAD_BYTES, *end = memchr(name, 0, most);
        if (!end || end == name || !elf_is_line((const char *)name))
            return 0;
        const size_t length = (size_t)(end - name);
        record->lock = (const char *)name;
        size += ((uint32_t)length + 4) & ~3u;
        if (size > section->size - *at)
            return 0;
    }
    *at += size;
    return 1;
}

static int is_function(const isa_program *program, uint32_t pc)
{
    uint32_t offset = 1;
    return isa_program_at(program, pc) && isa_program_symbol_at(program, pc, &offset) && !offset;
}

static int is_access(const isa_program *program, uint32_t pc)
{
    const isa_instruction *instruction = isa_program_at(program, pc);
    const uint32_t class = instruction ? instruction->instruction_class : ISA_CLASS_ILLEGAL;
    return class == ISA_CLASS_LOAD || class == ISA_CLASS_STORE || class == ISA_CLASS_ATOMIC;
}

/* locks[word of text] = the name that an access there has been given. */
static int check_record(const isa_program *program, const isa_synchronization *record, const char **locks, char *error,
                        size_t error_bytes)
{
    if (!record->lock)
        return is_function(program, record->pc)
                   ? 0
                   : isa_fail(error, error_bytes, "damaged: %s names a function at 0x%08x, where none begins", SECTION,
                              record->pc);
    if (!is_access(program, record->pc))
        return isa_fail(error, error_bytes,
                        "damaged: %s names an access to lock '%s' at 0x%08x, where there is no load, store or atomic",
                        SECTION, record->lock, record->pc);
    const char **lock = &locks[(record->pc - program->text_address) / 4];
    if (*lock && strcmp(*lock, record->lock))
        return isa_fail(error, error_bytes,
                        "damaged: %s says that the access at 0x%08x is to lock '%s' and to lock '%s'", SECTION,
                        record->pc, *lock, record->lock);
    *lock = record->lock;
    return 0;
}

int isa_check_synchronization(const isa_program *program, char *error, size_t error_bytes)
{
    const isa_section *section = isa_program_section(program, SECTION);
    isa_synchronization record;
    uint32_t at = 0;
    int failed = 0;
    if (!section)
        return 0;
    const char **locks = calloc(program->text_bytes / 4, sizeof *locks);
    if (!locks)
        return isa_fail(error, error_bytes, "out of memory");
    while (!failed && isa_synchronization_next(program, &at, &record))
        failed = check_record(program, &record, locks, error, error_bytes);
    free(locks);
    if (!failed && at != section->size)
        return isa_fail(error, error_bytes, "damaged: %s has no record that makes sense at byte %u of %u", SECTION, at,
                        section->size);
    return failed;
}
