/* SPDX-License-Identifier: MIT */
/* First step of loading: the bytes of an ELF file become segments, instructions, symbols, lines and sections. */
#include "elf_file.h"
#include "hd_address.h"

#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b)
{
    const isa_segment *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static int add_segment(isa_program *program, const elf_file *file, uint32_t i)
{
    Elf32_Phdr header;
    if (elf_program_header(file, i, &header))
        return -1;
    if (header.p_type != PT_LOAD || !header.p_memsz)
        return 0;
    if (header.p_vaddr < HD_GLOBAL_BASE || (uint64_t)header.p_vaddr + header.p_memsz > UINT64_C(0x100000000))
        return elf_fail(file, "the segment at 0x%08x, 0x%x bytes, is outside the global window 0x%08x..0xffffffff",
                        header.p_vaddr, header.p_memsz, HD_GLOBAL_BASE);
    if (header.p_flags & PF_X && header.p_vaddr % 4)
        return elf_fail(file, "the code at 0x%08x is not at a multiple of 4", header.p_vaddr);
    program->segments[program->segment_count++] = (isa_segment){
        .address = header.p_vaddr,
        .file_bytes = header.p_filesz,
        .memory_bytes = header.p_memsz,
        .data = file->bytes + header.p_offset,
        .flags = (header.p_flags & PF_X ? ISA_SEGMENT_EXECUTE : 0) | (header.p_flags & PF_W ? ISA_SEGMENT_WRITE : 0) |
                 (header.p_flags & PF_R ? ISA_SEGMENT_READ : 0),
    };
    return 0;
}

static int load_segments(isa_program *program, const elf_file *file)
{
    program->segments = calloc(file->header.e_phnum, sizeof *program->segments);
    if (!program->segments)
        return elf_fail(file, "out of memory");
    for (uint32_t i = 0; i < file->header.e_phnum; i++)
        if (add_segment(program, file, i))
            return -1;
    qsort(program->segments, program->segment_count, sizeof *program->segments, by_address);
    for (uint32_t i = 1; i < program->segment_count; i++) {
        const isa_segment *before = &program->segments[i - 1], *after = &program->segments[i];
        if ((uint64_t)before->address + before->memory_bytes > after->address)
            return elf_fail(file, "the segments at 0x%08x (0x%x bytes) and 0x%08x overlap", before->address,
                            before->memory_bytes, after->address);
    }
    return 0;
}

static int find_text(isa_program *program, const elf_file *file)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const isa_segment *segment = &program->segments[i];
        if (!(segment->flags & ISA_SEGMENT_EXECUTE) || segment->file_bytes < 4)
            continue;
        if (!end)
            program->text_address = segment->address;
        end = (uint64_t)segment->address + segment->file_bytes / 4 * 4;
    }
    if (!end)
        return elf_fail(file, "no code: the file has no executable segment");
    if (end - program->text_address > ISA_TEXT_MAX_BYTES)
        return elf_fail(file, "code from 0x%08x to 0x%08x: it may span 0x%x bytes at most", program->text_address,
                        (uint32_t)(end - 1), ISA_TEXT_MAX_BYTES);
    program->text_bytes = (uint32_t)(end - program->text_address);
    return 0;
}

static void decode_segment(isa_program *program, const isa_segment *segment)
{
    isa_instruction *instruction = program->instructions + (segment->address - program->text_address) / 4;
    for (uint32_t offset = 0; offset + 4 <= segment->file_bytes; offset += 4) {
        uint32_t word;
        memcpy(&word, segment->data + offset, sizeof word);
        *instruction++ = isa_decode(word);
    }
}

static int load_text(isa_program *program, const elf_file *file)
{
    if (find_text(program, file))
        return -1;
    program->instructions = malloc(program->text_bytes / 4 * sizeof *program->instructions);
    if (!program->instructions)
        return elf_fail(file, "out of memory");
    for (uint32_t i = 0; i < program->text_bytes / 4; i++)
        program->instructions[i] = isa_no_instruction;
    for (uint32_t i = 0; i < program->segment_count; i++)
        if (program->segments[i].flags & ISA_SEGMENT_EXECUTE && program->segments[i].file_bytes >= 4)
            decode_segment(program, &program->segments[i]);
    return 0;
}

static int parse(isa_program *program, const void *elf, size_t bytes, char *error, size_t error_bytes)
{
    elf_file file;
    program->file = malloc(bytes ? bytes : 1);
    if (!program->file)
        return isa_fail(error, error_bytes, "out of memory");
    memcpy(program->file, elf, bytes);
    if (elf_open(&file, program->file, bytes, error, error_bytes))
        return -1;
    program->entry = file.header.e_entry;
    if (load_segments(program, &file) || load_text(program, &file) || isa_load_symbols(program, &file) ||
        isa_load_lines(program, &file) || isa_load_sections(program, &file))
        return -1;
    isa_take_fingerprint(program);
    return 0;
}

isa_program *isa_program_parse(const void *elf, size_t bytes, char *error, size_t error_bytes)
{
    isa_program *program = calloc(1, sizeof *program);
    if (!program) {
        isa_fail(error, error_bytes, "out of memory");
        return NULL;
    }
    if (parse(program, elf, bytes, error, error_bytes)) {
        isa_program_free(program);
        return NULL;
    }
    return program;
}
