/* SPDX-License-Identifier: MIT */
#include "move.h"

#include "elf_file.h"

#include <string.h>

typedef struct mover {
    uint8_t *bytes;
    uint32_t distance;
    uint32_t relocations; /* sections of them */
    elf_file file;
} mover;

/* What a relocation does when the program moves. */
enum effect {
    EFFECT_UNKNOWN,
    EFFECT_ADDRESS,  /* an address, or the upper bits of one */
    EFFECT_RELATIVE, /* a distance between two places, one of which is the pc */
    EFFECT_NONE,     /* low bits; differences; a hint to the linker */
};

static enum effect effect_of(uint32_t type)
{
    switch (type) {
    case R_RISCV_32:
    case R_RISCV_HI20: return EFFECT_ADDRESS;
    case R_RISCV_BRANCH:
    case R_RISCV_JAL:
    case R_RISCV_CALL:
    case R_RISCV_CALL_PLT:
    case R_RISCV_PCREL_HI20:
    case R_RISCV_32_PCREL: return EFFECT_RELATIVE;
    case R_RISCV_NONE:
    case R_RISCV_LO12_I:
    case R_RISCV_LO12_S:
    case R_RISCV_PCREL_LO12_I: /* of the place of its other half */
    case R_RISCV_PCREL_LO12_S:
    case R_RISCV_ADD8:
    case R_RISCV_ADD16:
    case R_RISCV_ADD32:
    case R_RISCV_SUB6:
    case R_RISCV_SUB8:
    case R_RISCV_SUB16:
    case R_RISCV_SUB32:
    case R_RISCV_SET6:
    case R_RISCV_SET8:
    case R_RISCV_SET16:
    case R_RISCV_SET32:
    case R_RISCV_ALIGN:
    case R_RISCV_RELAX: return EFFECT_NONE;
    default: return EFFECT_UNKNOWN;
    }
}

static void add_at(const mover *m, size_t offset)
{
    uint32_t word;
    memcpy(&word, m->bytes + offset, sizeof word);
    word += m->distance;
    memcpy(m->bytes + offset, &word, sizeof word);
}

/* Section headers do not change but for their addresses, which come last. */
static Elf32_Shdr section_of(const mover *m, uint32_t i)
{
    Elf32_Shdr section;
    memcpy(&section, m->bytes + m->file.header.e_shoff + (size_t)i * sizeof section, sizeof section);
    return section;
}

/* Is what it stands in loaded into memory, so that it moves? */
static int moves(const mover *m, uint32_t section)
{
    return section > SHN_UNDEF && section < m->file.header.e_shnum && section_of(m, section).sh_flags & SHF_ALLOC;
}

/* ---- Relocations ----------------------------------------------------------------------------------------------------- */

static int apply(const mover *m, const Elf32_Shdr *place, const Elf32_Rela *relocation)
{
    const uint32_t type = ELF32_R_TYPE(relocation->r_info), offset = relocation->r_offset - place->sh_addr;
    const enum effect effect = effect_of(type);
    const char *name;
    Elf32_Sym symbol;
    if (effect == EFFECT_NONE || (effect == EFFECT_UNKNOWN && !(place->sh_flags & SHF_ALLOC)))
        return 0;
    if (effect == EFFECT_UNKNOWN)
        return elf_fail(&m->file, "it cannot be moved: a relocation of type %u at 0x%08x", type, relocation->r_offset);
    if (ELF32_R_SYM(relocation->r_info) >= elf_symbol_count(&m->file) || place->sh_type == SHT_NOBITS ||
        place->sh_size < 4 || offset > place->sh_size - 4)
        return elf_fail(&m->file, "damaged: a relocation at 0x%08x of nothing", relocation->r_offset);
    if (elf_symbol(&m->file, ELF32_R_SYM(relocation->r_info), &symbol, &name))
        return -1;
    if (effect == EFFECT_ADDRESS && moves(m, symbol.st_shndx))
        add_at(m, place->sh_offset + offset);
    if (effect == EFFECT_RELATIVE && place->sh_flags & SHF_ALLOC && !moves(m, symbol.st_shndx))
        return elf_fail(&m->file,
                        "it cannot be moved: 0x%08x refers to a fixed address by its distance: compile with "
                        "-mcmodel=medlow",
                        relocation->r_offset);
    return 0;
}

static int apply_section(mover *m, const Elf32_Shdr *section)
{
    if (section->sh_info >= m->file.header.e_shnum || section->sh_entsize != sizeof(Elf32_Rela))
        return elf_fail(&m->file, "damaged: relocations of no section");
    const Elf32_Shdr place = section_of(m, section->sh_info);
    m->relocations++;
    for (uint32_t i = 0; i < section->sh_size / sizeof(Elf32_Rela); i++) {
        Elf32_Rela relocation;
        memcpy(&relocation, m->bytes + section->sh_offset + (size_t)i * sizeof relocation, sizeof relocation);
        if (apply(m, &place, &relocation))
            return -1;
    }
    return 0;
}

static int apply_all(mover *m)
{
    for (uint32_t i = 0; i < m->file.header.e_shnum; i++) {
        const Elf32_Shdr section = section_of(m, i);
        if (section.sh_type == SHT_RELA && apply_section(m, &section))
            return -1;
    }
    return m->relocations ? 0
                          : elf_fail(&m->file, "it cannot be moved: it has no relocations: link it with --emit-relocs");
}

/* ---- Headers and symbols --------------------------------------------------------------------------------------------- */

static void move_symbols(const mover *m)
{
    for (uint32_t i = 0; i < elf_symbol_count(&m->file); i++) {
        const size_t at = m->file.symbols.sh_offset + (size_t)i * sizeof(Elf32_Sym);
        Elf32_Sym symbol;
        memcpy(&symbol, m->bytes + at, sizeof symbol);
        if (moves(m, symbol.st_shndx))
            add_at(m, at + offsetof(Elf32_Sym, st_value));
    }
}

static void move_headers(const mover *m)
{
    const Elf32_Ehdr *header = &m->file.header;
    for (uint32_t i = 0; i < header->e_phnum; i++) {
        const size_t at = header->e_phoff + (size_t)i * sizeof(Elf32_Phdr);
        Elf32_Phdr segment;
        memcpy(&segment, m->bytes + at, sizeof segment);
        if (segment.p_type == PT_LOAD)
            add_at(m, at + offsetof(Elf32_Phdr, p_vaddr));
    }
    add_at(m, offsetof(Elf32_Ehdr, e_entry));
    for (uint32_t i = 0; i < header->e_shnum; i++)
        if (moves(m, i))
            add_at(m, header->e_shoff + (size_t)i * sizeof(Elf32_Shdr) + offsetof(Elf32_Shdr, sh_addr));
}

int isa_move(uint8_t *elf, size_t bytes, uint32_t distance, char *error, size_t error_bytes)
{
    mover m = {.bytes = elf, .distance = distance};
    if (elf_open(&m.file, elf, bytes, error, error_bytes))
        return -1;
    if (distance % ISA_MOVE_PAGE_BYTES)
        return elf_fail(&m.file, "it cannot be moved by 0x%x bytes: that is not a whole number of pages", distance);
    if (apply_all(&m))
        return -1;
    move_symbols(&m);
    move_headers(&m);
    return 0;
}
