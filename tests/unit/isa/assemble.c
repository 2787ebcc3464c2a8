/* SPDX-License-Identifier: MIT */
#include "assemble.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

static uint32_t encode_b(uint32_t offset)
{
    return (offset >> 12 & 1) << 31 | (offset >> 5 & 63) << 25 | (offset >> 1 & 15) << 8 | (offset >> 11 & 1) << 7;
}

static uint32_t encode_j(uint32_t offset)
{
    return (offset >> 20 & 1) << 31 | (offset >> 1 & 1023) << 21 | (offset >> 11 & 1) << 20 |
           (offset >> 12 & 255) << 12;
}

uint32_t encode(enum isa_operation operation, word_fields fields)
{
    const isa_encoding *row = &isa_encodings[operation];
    uint32_t immediate = (uint32_t)fields.immediate;
    uint32_t rd = fields.rd << 7, rs1 = fields.rs1 << 15, rs2 = fields.rs2 << 20;
    switch ((enum isa_form)row->form) {
    case ISA_FORM_NONE:
    case ISA_FORM_TEXT: return row->match;
    case ISA_FORM_NUMBER:
    case ISA_FORM_PRINT:
    case ISA_FORM_FENCE: return row->match | immediate << 20;
    case ISA_FORM_R:
    case ISA_FORM_VOTE:
    case ISA_FORM_FLOAT:
    case ISA_FORM_FLOAT_COMPARE: return row->match | rd | rs1 | rs2;
    case ISA_FORM_AMO:
    case ISA_FORM_COMPARE_AND_SWAP: return row->match | rd | rs1 | rs2 | (immediate & 3) << 25;
    case ISA_FORM_LOAD_RESERVED: return row->match | rd | rs1 | (immediate & 3) << 25;
    case ISA_FORM_SHIFT: return row->match | rd | rs1 | (immediate & 31) << 20;
    case ISA_FORM_I:
    case ISA_FORM_JALR:
    case ISA_FORM_LOAD:
    case ISA_FORM_LOAD_FLOAT:
    case ISA_FORM_CSR:
    case ISA_FORM_CSR_IMMEDIATE: return row->match | rd | rs1 | immediate << 20;
    case ISA_FORM_STORE:
    case ISA_FORM_STORE_FLOAT: return row->match | rs1 | rs2 | (immediate >> 5 & 127) << 25 | (immediate & 31) << 7;
    case ISA_FORM_U: return row->match | rd | immediate << 12;
    case ISA_FORM_B: return row->match | rs1 | rs2 | encode_b(immediate);
    case ISA_FORM_J: return row->match | rd | encode_j(immediate);
    case ISA_FORM_FLOAT_FUSED: return row->match | rd | rs1 | rs2 | fields.rs3 << 27 | fields.rounding << 12;
    case ISA_FORM_FLOAT_ROUNDED: return row->match | rd | rs1 | rs2 | fields.rounding << 12;
    case ISA_FORM_FLOAT_UNARY:
    case ISA_FORM_FLOAT_TO_INTEGER:
    case ISA_FORM_INTEGER_TO_FLOAT: return row->match | rd | rs1 | fields.rounding << 12;
    default: return row->match | rd | rs1;
    }
}

uint32_t warp_pattern(uint32_t number, uint32_t lane)
{
    return number ? 0xA5000000u + number * 0x10000u + lane * 0x101u : 0;
}

void warp_init(warp *w, uint32_t lanes)
{
    memset(w, 0, sizeof *w);
    w->lanes = (isa_lanes){.registers = w->registers, .fcsr = w->fcsr, .lanes = lanes};
    for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++)
        for (uint32_t lane = 0; lane < lanes; lane++)
            *warp_register(w, number, lane) = warp_pattern(number, lane);
}

uint32_t *warp_register(warp *w, uint32_t number, uint32_t lane)
{
    return &w->registers[number * w->lanes.lanes + lane];
}

void warp_set(warp *w, uint32_t number, uint32_t value)
{
    for (uint32_t lane = 0; lane < w->lanes.lanes; lane++)
        *warp_register(w, number, lane) = value;
}

/* Layout: header, program header, code, symbols, names, three section headers. */
uint8_t *make_elf(const uint32_t *words, uint32_t count, const test_function *functions, uint32_t function_count,
                  size_t *bytes)
{
    uint32_t code = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr);
    uint32_t symbols = code + 4 * count;
    uint32_t names = symbols + (function_count + 1) * (uint32_t)sizeof(Elf32_Sym);
    uint32_t name_bytes = 1;
    for (uint32_t i = 0; i < function_count; i++)
        name_bytes += (uint32_t)strlen(functions[i].name) + 1;
    uint32_t sections = names + (name_bytes + 3) / 4 * 4;
    *bytes = sections + 3 * sizeof(Elf32_Shdr);
    uint8_t *file = calloc(1, *bytes);
    Elf32_Ehdr header = {
        .e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = EM_RISCV,
        .e_version = EV_CURRENT,
        .e_entry = TEXT,
        .e_phoff = sizeof header,
        .e_shoff = sections,
        .e_flags = 2, /* floats in registers, single precision */
        .e_ehsize = sizeof header,
        .e_phentsize = sizeof(Elf32_Phdr),
        .e_phnum = 1,
        .e_shentsize = sizeof(Elf32_Shdr),
        .e_shnum = 3,
    };
    Elf32_Phdr segment = {.p_type = PT_LOAD,
                          .p_offset = code,
                          .p_vaddr = TEXT,
                          .p_filesz = 4 * count,
                          .p_memsz = 4 * count,
                          .p_flags = PF_R | PF_X};
    Elf32_Shdr section[3] = {
        {.sh_type = SHT_NULL},
        {.sh_type = SHT_SYMTAB, .sh_offset = symbols, .sh_size = names - symbols, .sh_link = 2},
        {.sh_type = SHT_STRTAB, .sh_offset = names, .sh_size = name_bytes},
    };
    memcpy(file, &header, sizeof header);
    memcpy(file + sizeof header, &segment, sizeof segment);
    memcpy(file + code, words, 4 * (size_t)count);
    memcpy(file + sections, section, sizeof section);
    uint32_t name = 1;
    for (uint32_t i = 0; i < function_count; i++) {
        Elf32_Sym symbol = {.st_name = name,
                            .st_value = TEXT + 4 * functions[i].word,
                            .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
                            .st_shndx = 1};
        memcpy(file + symbols + (i + 1) * sizeof symbol, &symbol, sizeof symbol);
        strcpy((char *)file + names + name, functions[i].name);
        name += (uint32_t)strlen(functions[i].name) + 1;
    }
    return file;
}

static void append(uint8_t **file, size_t *bytes, const void *data, size_t more)
{
    *file = realloc(*file, *bytes + more);
    cr_assert(*file);
    memcpy(*file + *bytes, data, more);
    *bytes += more;
}

/* The section headers move to the end; the last section holds their names. */
uint8_t *add_sections(uint8_t *file, size_t *bytes, const test_section *sections, uint32_t count)
{
    Elf32_Ehdr header;
    Elf32_Shdr headers[16] = {0};
    uint32_t name = 1;
    memcpy(&header, file, sizeof header);
    cr_assert(header.e_shnum + count < COUNT_OF(headers));
    memcpy(headers, file + header.e_shoff, header.e_shnum * sizeof *headers);
    for (uint32_t i = 0; i < count; i++) {
        headers[header.e_shnum++] = (Elf32_Shdr){
            .sh_name = name, .sh_type = SHT_PROGBITS, .sh_offset = (uint32_t)*bytes, .sh_size = sections[i].bytes};
        name += (uint32_t)strlen(sections[i].name) + 1;
        append(&file, bytes, sections[i].data, sections[i].bytes);
    }
    headers[header.e_shnum] = (Elf32_Shdr){.sh_type = SHT_STRTAB, .sh_offset = (uint32_t)*bytes, .sh_size = name};
    append(&file, bytes, "", 1);
    for (uint32_t i = 0; i < count; i++)
        append(&file, bytes, sections[i].name, strlen(sections[i].name) + 1);
    header.e_shstrndx = header.e_shnum++;
    append(&file, bytes, "\0\0\0", (4 - *bytes % 4) % 4);
    header.e_shoff = (uint32_t)*bytes;
    append(&file, bytes, headers, header.e_shnum * sizeof *headers);
    memcpy(file, &header, sizeof header);
    return file;
}

isa_program *load_functions(const uint32_t *words, uint32_t count, const test_function *functions,
                            uint32_t function_count)
{
    char error[256] = "";
    size_t bytes;
    uint8_t *file = make_elf(words, count, functions, function_count, &bytes);
    isa_program *program = isa_program_load(file, bytes, error, sizeof error);
    free(file);
    cr_assert(program, "%s", error);
    return program;
}

static const test_function kernel_at_start = {"kernel", 0};

isa_program *load_words(const uint32_t *words, uint32_t count)
{
    return load_functions(words, count, &kernel_at_start, 1);
}

const char *error_of_words(const uint32_t *words, uint32_t count)
{
    static char error[256];
    size_t bytes;
    uint8_t *file = make_elf(words, count, &kernel_at_start, 1, &bytes);
    isa_program *program = isa_program_load(file, bytes, error, sizeof error);
    free(file);
    cr_assert_not(program, "loaded without an error");
    return error;
}

uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}
