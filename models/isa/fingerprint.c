/* SPDX-License-Identifier: MIT */
/* Of the functions that have a symbol. Upper halves of addresses are left out: they change when a program is put elsewhere, and
 * nothing else of its code does; constants beside it may be addresses. */
#include "elf_file.h"
#include "hd_fnv.h"

#include <string.h>

#define OPCODE_MASK 0x7Fu
#define OPCODE_LUI 0x37u
#define LUI_BITS 0xFFFu /* opcode and register */

static uint64_t add_word(uint64_t hash, uint32_t word)
{
    const uint32_t kept = (word & OPCODE_MASK) == OPCODE_LUI ? word & LUI_BITS : word;
    return hd_fnv_add(hash, &kept, sizeof kept);
}

/* The word at this address of the file; 0: there is none. */
static uint32_t word_at(const isa_program *program, uint32_t address)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const isa_segment *segment = &program->segments[i];
        const uint32_t offset = address - segment->address;
        if (offset < segment->file_bytes && segment->file_bytes - offset >= sizeof word)
            memcpy(&word, segment->data + offset, sizeof word);
    }
    return word;
}

void isa_take_fingerprint(isa_program *program)
{
    program->fingerprint = HD_FNV_START;
    for (uint32_t i = 0; i < program->symbol_count; i++) {
        const isa_symbol *symbol = &program->symbols[i];
        const uint32_t bytes = symbol->bytes < program->text_bytes ? symbol->bytes : program->text_bytes;
        for (uint32_t at = 0; symbol->is_function && at + 4 <= bytes; at += 4)
            program->fingerprint = add_word(program->fingerprint, word_at(program, symbol->address + at));
    }
}
