/* SPDX-License-Identifier: MIT */
/* Sections .heddle.* of a kernel file: what the compiler or a tool says to whoever runs the program. */
#include "elf_file.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX ".heddle."

static int add_section(isa_program *program, const elf_file *file, uint32_t number, const char *name,
                       const Elf32_Shdr *header)
{
    if (!elf_is_line(name))
        return elf_fail(file, "damaged: the name of section %u has control characters", number);
    if (header->sh_type == SHT_NOBITS)
        return elf_fail(file, "damaged: %s has no bytes in the file", name);
    if (isa_program_section(program, name))
        return elf_fail(file, "damaged: two sections are named %s", name);
    program->sections[program->section_count++] = (isa_section){
        .name = name, .bytes = file->bytes + header->sh_offset, .size = header->sh_size, .address = header->sh_addr};
    return 0;
}

int isa_load_sections(isa_program *program, const elf_file *file)
{
    const uint32_t count = file->section_names.sh_size ? file->header.e_shnum : 0;
    program->sections = calloc(count ? count : 1, sizeof *program->sections);
    if (!program->sections)
        return elf_fail(file, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        Elf32_Shdr header;
        const char *name = elf_section_name(file, i, &header);
        if (name && header.sh_type != SHT_NULL && header.sh_size && !strncmp(name, PREFIX, strlen(PREFIX)) &&
            add_section(program, file, i, name, &header))
            return -1;
    }
    return 0;
}

const isa_section *isa_program_section(const isa_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->section_count; i++)
        if (!strcmp(program->sections[i].name, name))
            return &program->sections[i];
    return NULL;
}
