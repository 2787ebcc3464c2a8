/* SPDX-License-Identifier: MIT */
/* Firmware files: a sound one, one for each way in which it can be damaged, and any damage at all. */
#include "firmware.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C(0x8000040000)
#define NAMES "\0main\0inner"

/* A file as a linker leaves it. */
typedef struct image {
    Elf64_Ehdr header;
    Elf64_Phdr segments[2];
    uint8_t code[32];
    uint8_t data[16];
    Elf64_Sym symbols[3];
    char names[16];
    Elf64_Shdr sections[3];
} image;

static image sound(void)
{
    image file = {
        .header = {.e_type = ET_EXEC,
                   .e_machine = EM_RISCV,
                   .e_version = EV_CURRENT,
                   .e_entry = BASE,
                   .e_phoff = offsetof(image, segments),
                   .e_shoff = offsetof(image, sections),
                   .e_flags = EF_RISCV_RVC,
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 2,
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = 3,
                   .e_shstrndx = 2},
        .segments =
            {{.p_type = PT_LOAD, .p_offset = offsetof(image, code), .p_vaddr = BASE, .p_filesz = 32, .p_memsz = 32},
             {.p_type = PT_LOAD,
              .p_offset = offsetof(image, data),
              .p_vaddr = BASE + 4096,
              .p_filesz = 16,
              .p_memsz = 64}},
        .symbols = {{0},
                    {.st_name = 1,
                     .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                     .st_shndx = 1,
                     .st_value = BASE,
                     .st_size = 32},
                    {.st_name = 6,
                     .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                     .st_shndx = 1,
                     .st_value = BASE + 16,
                     .st_size = 8}},
        .names = NAMES,
        .sections = {{0},
                     {.sh_type = SHT_SYMTAB,
                      .sh_offset = offsetof(image, symbols),
                      .sh_size = sizeof file.symbols,
                      .sh_link = 2,
                      .sh_entsize = sizeof(Elf64_Sym)},
                     {.sh_type = SHT_STRTAB, .sh_offset = offsetof(image, names), .sh_size = sizeof NAMES}},
    };
    memcpy(file.header.e_ident, ELFMAG, SELFMAG);
    file.header.e_ident[EI_CLASS] = ELFCLASS64;
    file.header.e_ident[EI_DATA] = ELFDATA2LSB;
    file.header.e_ident[EI_VERSION] = EV_CURRENT;
    return file;
}

static void expect_place(const hd_firmware *firmware, uint64_t pc, const char *expected)
{
    char text[100];
    hd_firmware_place(firmware, pc, text, sizeof text);
    cr_expect_str_eq(text, expected);
}

Test(host, firmware_is_its_segments_its_entry_and_its_functions)
{
    const image file = sound();
    char error[100] = "";
    uint32_t count;
    hd_firmware *firmware = hd_firmware_open((const uint8_t *)&file, sizeof file, error, sizeof error);
    cr_assert(firmware, "%s", error);
    cr_expect_eq(hd_firmware_entry(firmware), BASE);
    const hd_firmware_segment *segments = hd_firmware_segments(firmware, &count);
    cr_assert_eq(count, 2);
    cr_expect(segments[0].address == BASE && segments[0].file_bytes == 32 && segments[0].memory_bytes == 32);
    cr_expect_eq(segments[0].data, file.code);
    cr_expect(segments[1].address == BASE + 4096 && segments[1].file_bytes == 16 && segments[1].memory_bytes == 64);
    expect_place(firmware, BASE + 4, "0x8000040004 (main+0x4)");
    expect_place(firmware, BASE + 18, "0x8000040012 (inner+0x2)"); /* the innermost */
    expect_place(firmware, BASE + 24, "0x8000040018 (main+0x18)");
    expect_place(firmware, BASE + 32, "0x8000040020");
    expect_place(firmware, 0, "0x0");
    hd_firmware_close(firmware);
    hd_firmware_close(NULL);
}

Test(host, the_innermost_function_is_named_in_any_order_of_symbols)
{
    image file = sound();
    const Elf64_Sym outer = file.symbols[1];
    char error[100] = "";
    file.symbols[1] = file.symbols[2];
    file.symbols[2] = outer;
    hd_firmware *firmware = hd_firmware_open((const uint8_t *)&file, sizeof file, error, sizeof error);
    cr_assert(firmware, "%s", error);
    expect_place(firmware, BASE + 18, "0x8000040012 (inner+0x2)");
    hd_firmware_close(firmware);
}

static uint64_t entry_of_others(const image *file)
{
    char error[100] = "";
    hd_firmware *firmware = hd_firmware_open((const uint8_t *)file, sizeof *file, error, sizeof error);
    cr_assert(firmware, "%s", error);
    const uint64_t entry = hd_firmware_entry_of_others(firmware);
    hd_firmware_close(firmware);
    return entry;
}

Test(host, other_harts_begin_at_their_symbol_if_there_is_one)
{
    image file = sound();
    cr_expect_eq(entry_of_others(&file), BASE);
    memcpy(file.names, "\0_start_hart", sizeof "\0_start_hart");
    file.sections[2].sh_size = sizeof "\0_start_hart";
    file.symbols[1].st_name = 0;
    file.symbols[2].st_name = 1;
    cr_expect_eq(entry_of_others(&file), BASE + 16);
    file.symbols[2].st_value++;
    cr_expect_eq(entry_of_others(&file), BASE, "nothing begins at an odd address");
    file.symbols[2].st_value--;
    file.symbols[2].st_shndx = SHN_UNDEF;
    cr_expect_eq(entry_of_others(&file), BASE, "it is not in the file");
}

/* ---- Damage ------------------------------------------------------------------------------------------------------- */

typedef struct damage {
    size_t offset; /* of a little-endian number in the image */
    uint32_t bytes;
    uint64_t value;
    const char *error; /* NULL: it is taken, without names */
} damage;

#define AT(member) offsetof(image, member), sizeof((image *)0)->member

static const damage damages[] = {
    {AT(header.e_ident[0]), 0, "not an ELF file"},
    {AT(header.e_ident[EI_CLASS]), ELFCLASS32, "not code for 64-bit little-endian RISC-V"},
    {AT(header.e_ident[EI_DATA]), ELFDATA2MSB, "not code for 64-bit little-endian RISC-V"},
    {AT(header.e_machine), EM_X86_64, "not code for 64-bit little-endian RISC-V"},
    {AT(header.e_type), ET_DYN, "not an executable"},
    {AT(header.e_flags), EF_RISCV_FLOAT_ABI_DOUBLE, "passes floats in registers"},
    {AT(header.e_entry), BASE + 1, "begins at an odd address"},
    {AT(header.e_phnum), 0, "no program headers"},
    {AT(header.e_phnum), 65535, "no program headers, or beyond the file"},
    {AT(header.e_phentsize), 32, "no program headers"},
    {AT(header.e_phoff), UINT64_MAX, "beyond the file"},
    {AT(header.e_phoff), sizeof(image) - 8, "beyond the file"},
    {AT(segments[0].p_filesz), 33, "a segment beyond the file"}, /* more than memory */
    {AT(segments[1].p_offset), sizeof(image) - 15, "a segment beyond the file"},
    {AT(segments[1].p_offset), UINT64_MAX - 7, "a segment beyond the file"},
    {AT(segments[1].p_vaddr), UINT64_MAX - 63, "a segment beyond the file"},
    {AT(segments[1].p_memsz), UINT64_MAX, "a segment beyond the file"},
    {AT(header.e_shoff), sizeof(image), NULL},
    {AT(header.e_shoff), UINT64_MAX, NULL},
    {AT(header.e_shnum), 0, NULL},
    {AT(header.e_shentsize), 40, NULL},
    {AT(sections[1].sh_type), SHT_NOBITS, NULL},
    {AT(sections[1].sh_offset), sizeof(image), NULL},
    {AT(sections[1].sh_link), 3, NULL},
    {AT(sections[2].sh_size), 0, NULL},
    {AT(sections[2].sh_size), 3, NULL}, /* its last byte is no zero */
    {AT(sections[2].sh_offset), UINT64_MAX, NULL},
    {AT(names[1]), '\n', NULL},
    {AT(symbols[1].st_name), 100, NULL},
    {AT(symbols[1].st_info), STT_OBJECT, NULL},
};

static void expect_damage(const damage *damage, size_t number)
{
    image file = sound();
    char error[200] = "";
    memcpy((uint8_t *)&file + damage->offset, &damage->value, damage->bytes);
    hd_firmware *firmware = hd_firmware_open((const uint8_t *)&file, sizeof file, error, sizeof error);
    if (damage->error) {
        cr_expect_null(firmware, "damage %zu is taken", number);
        cr_expect(strstr(error, damage->error), "damage %zu: %s", number, error);
    } else {
        cr_assert(firmware, "damage %zu: %s", number, error);
        expect_place(firmware, BASE + 4, "0x8000040004");
    }
    hd_firmware_close(firmware);
}

Test(host, damaged_firmware_is_refused_by_name)
{
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
        expect_damage(&damages[i], i);
}

Test(host, firmware_of_nothing_but_empty_segments_is_refused)
{
    image file = sound();
    char error[100] = "";
    file.segments[0].p_type = PT_NOTE;
    file.segments[1].p_memsz = file.segments[1].p_filesz = 0;
    cr_expect_null(hd_firmware_open((const uint8_t *)&file, sizeof file, error, sizeof error));
    cr_expect_str_eq(error, "no code: nothing in it occupies memory");
}

static uint64_t random_number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* What is taken stays within the file, which is as large as its memory: the address sanitizer sees any step beyond. */
static void expect_sound_or_refused(const uint8_t *bytes, size_t size, uint64_t *random, uint32_t *taken)
{
    char text[160] = "";
    uint32_t count;
    hd_firmware *firmware = hd_firmware_open(bytes, size, text, sizeof text);
    cr_assert(firmware || *text);
    if (!firmware)
        return;
    const hd_firmware_segment *segments = hd_firmware_segments(firmware, &count);
    cr_assert_gt(count, 0);
    for (uint32_t i = 0; i < count; i++) {
        const size_t offset = (size_t)(segments[i].data - bytes);
        cr_assert(offset <= size && segments[i].file_bytes <= size - offset);
        cr_assert_geq(segments[i].memory_bytes, segments[i].file_bytes);
        cr_assert_geq(segments[i].address + segments[i].memory_bytes, segments[i].address);
    }
    for (uint32_t i = 0; i < 8; i++) {
        hd_firmware_place(firmware, BASE + random_number(random) % 64, text, sizeof text);
        cr_assert(!strncmp(text, "0x80000400", 10) && !strchr(text, '\n'));
    }
    hd_firmware_close(firmware);
    ++*taken;
}

Test(host, any_damage_to_firmware_is_survived)
{
    enum { TRIES = 20000 };
    const uint64_t seed = 0x9E3779B97F4A7C15;
    uint64_t random = seed;
    uint32_t taken = 0;
    fprintf(stderr, "seed %llx\n", (unsigned long long)seed);
    for (uint32_t i = 0; i < TRIES; i++) {
        const image file = sound();
        const size_t size = i % 4 ? sizeof file : random_number(&random) % (sizeof file + 1);
        uint8_t *bytes = malloc(size ? size : 1);
        memcpy(bytes, &file, size);
        for (uint64_t changes = random_number(&random) % 4; size && changes; changes--)
            bytes[random_number(&random) % size] = (uint8_t)(random_number(&random) >> 8);
        expect_sound_or_refused(bytes, size, &random, &taken);
        free(bytes);
    }
    cr_expect(taken > TRIES / 10 && taken < TRIES, "%u of %u are taken", taken, TRIES);
}
