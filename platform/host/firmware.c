/* SPDX-License-Identifier: MIT */
#include "firmware.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_internal.h"

struct hd_firmware {
    const uint8_t *bytes;
    size_t size;
    Elf64_Ehdr header;
    hd_firmware_segment *segments;
    uint32_t segment_count;
    const uint8_t *symbols; /* Elf64_Sym, not aligned; NULL = none */
    uint64_t symbol_count;
    const char *names; /* ends in a zero byte */
    uint64_t name_bytes;
};

static int within(const hd_firmware *firmware, uint64_t offset, uint64_t bytes)
{
    return offset <= firmware->size && bytes <= firmware->size - offset;
}

static const char *check_header(hd_firmware *firmware)
{
    const uint8_t *bytes = firmware->bytes;
    if (firmware->size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return "not an ELF file";
    if (firmware->size < sizeof firmware->header)
        return "truncated: less than an ELF header";
    memcpy(&firmware->header, bytes, sizeof firmware->header);
    const Elf64_Ehdr *header = &firmware->header;
    if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB || header->e_machine != EM_RISCV)
        return "not code for 64-bit little-endian RISC-V: compile with -march=rv64imac_zicsr_zifencei -mabi=lp64";
    if (header->e_type != ET_EXEC)
        return "not an executable: link it with -static";
    if (header->e_flags & EF_RISCV_FLOAT_ABI)
        return "passes floats in registers: compile with -mabi=lp64";
    if (header->e_entry & 1)
        return "begins at an odd address, where no instruction can be: its entry point (e_entry) is wrong";
    if (header->e_phnum == 0 || header->e_phentsize != sizeof(Elf64_Phdr) ||
        !within(firmware, header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr)))
        return "damaged: no program headers, or beyond the file";
    return NULL;
}

static const char *read_segments(hd_firmware *firmware)
{
    firmware->segments = calloc(firmware->header.e_phnum, sizeof *firmware->segments);
    if (!firmware->segments)
        return "out of memory";
    for (uint32_t i = 0; i < firmware->header.e_phnum; i++) {
        Elf64_Phdr header;
        memcpy(&header, firmware->bytes + firmware->header.e_phoff + i * sizeof header, sizeof header);
        if (header.p_type != PT_LOAD || header.p_memsz == 0)
            continue;
        if (header.p_memsz < header.p_filesz || !within(firmware, header.p_offset, header.p_filesz) ||
            header.p_vaddr > UINT64_MAX - header.p_memsz)
            return "damaged: a segment beyond the file";
        firmware->segments[firmware->segment_count++] =
            (hd_firmware_segment){.address = header.p_vaddr,
                                  .file_bytes = header.p_filesz,
                                  .memory_bytes = header.p_memsz,
                                  .data = firmware->bytes + header.p_offset};
    }
    return firmware->segment_count ? NULL : "no code: nothing in it occupies memory";
}

static int section(const hd_firmware *firmware, uint32_t i, Elf64_Shdr *header)
{
    if (i >= firmware->header.e_shnum)
        return 0;
    memcpy(header, firmware->bytes + firmware->header.e_shoff + i * sizeof *header, sizeof *header);
    return header->sh_type != SHT_NOBITS && within(firmware, header->sh_offset, header->sh_size);
}

/* Names are for texts only: without a table that can be read there are none. */
static void read_symbols(hd_firmware *firmware)
{
    Elf64_Shdr table, names;
    const Elf64_Ehdr *header = &firmware->header;
    if (header->e_shentsize != sizeof table ||
        !within(firmware, header->e_shoff, (uint64_t)header->e_shnum * sizeof table))
        return;
    for (uint32_t i = 0; i < header->e_shnum; i++) {
        if (!section(firmware, i, &table) || table.sh_type != SHT_SYMTAB || !section(firmware, table.sh_link, &names))
            continue;
        if (!names.sh_size || firmware->bytes[names.sh_offset + names.sh_size - 1])
            continue;
        firmware->symbols = firmware->bytes + table.sh_offset;
        firmware->symbol_count = table.sh_size / sizeof(Elf64_Sym);
        firmware->names = (const char *)firmware->bytes + names.sh_offset;
        firmware->name_bytes = names.sh_size;
    }
}

hd_firmware *hd_firmware_open(const uint8_t *bytes, size_t size, char *error, size_t error_bytes)
{
    hd_firmware *firmware = calloc(1, sizeof *firmware);
    if (!firmware) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    firmware->bytes = bytes;
    firmware->size = size;
    const char *refusal = check_header(firmware);
    if (!refusal)
        refusal = read_segments(firmware);
    if (refusal) {
        snprintf(error, error_bytes, "%s", refusal);
        hd_firmware_close(firmware);
        return NULL;
    }
    read_symbols(firmware);
    return firmware;
}

void hd_firmware_close(hd_firmware *firmware)
{
    if (firmware)
        free(firmware->segments);
    free(firmware);
}

uint64_t hd_firmware_entry(const hd_firmware *firmware)
{
    return firmware->header.e_entry;
}

const hd_firmware_segment *hd_firmware_segments(const hd_firmware *firmware, uint32_t *count)
{
    *count = firmware->segment_count;
    return firmware->segments;
}

static int is_line(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7F)
            return 0;
    return 1;
}

static const char *name_of(const hd_firmware *firmware, const Elf64_Sym *symbol)
{
    return symbol->st_name < firmware->name_bytes ? firmware->names + symbol->st_name : "";
}

static uint64_t variable(const hd_firmware *firmware, const char *name, uint64_t bytes)
{
    for (uint64_t i = 0; i < firmware->symbol_count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, firmware->symbols + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size == bytes &&
            !strcmp(name_of(firmware, &symbol), name))
            return symbol.st_value;
    }
    return 0;
}

uint64_t hd_firmware_entry_of_others(const hd_firmware *firmware)
{
    for (uint64_t i = 0; i < firmware->symbol_count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, firmware->symbols + i * sizeof symbol, sizeof symbol);
        if (symbol.st_shndx != SHN_UNDEF && !(symbol.st_value & 1) &&
            !strcmp(name_of(firmware, &symbol), "_start_hart"))
            return symbol.st_value;
    }
    return hd_firmware_entry(firmware);
}

uint64_t hd_firmware_heap(const hd_firmware *firmware)
{
    const uint64_t the_runtime = variable(firmware, "the_runtime", sizeof(runtime));
    return the_runtime ? the_runtime + offsetof(runtime, own.heap) : 0;
}

void hd_firmware_place(const hd_firmware *firmware, uint64_t pc, char *text, size_t bytes)
{
    const char *name = NULL;
    uint64_t start = 0;
    for (uint64_t i = 0; i < firmware->symbol_count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, firmware->symbols + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value > pc || symbol.st_value < start ||
            pc - symbol.st_value >= (symbol.st_size ? symbol.st_size : 1) || symbol.st_name >= firmware->name_bytes)
            continue;
        name = firmware->names + symbol.st_name;
        start = symbol.st_value;
    }
    if (name && *name && is_line(name))
        snprintf(text, bytes, "0x%llx (%s+0x%llx)", (unsigned long long)pc, name, (unsigned long long)(pc - start));
    else
        snprintf(text, bytes, "0x%llx", (unsigned long long)pc);
}
