/* SPDX-License-Identifier: MIT */
#include "core_rig.h"
#include "loading.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

uint32_t r_type(uint32_t opcode, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

uint32_t i_type(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t immediate)
{
    return ((uint32_t)immediate & 0xFFF) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t b_type(uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return (o >> 12 & 1) << 31 | (o >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (o >> 1 & 0xF) << 8 |
           (o >> 11 & 1) << 7 | 0x63;
}

uint32_t addi(uint32_t rd, uint32_t rs1, int32_t immediate)
{
    return i_type(0x13, 0, rd, rs1, immediate);
}
uint32_t add(uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return r_type(0x33, 0, 0, rd, rs1, rs2);
}
uint32_t mul(uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return r_type(0x33, 0, 1, rd, rs1, rs2);
}
uint32_t divu(uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return r_type(0x33, 5, 1, rd, rs1, rs2);
}
uint32_t remu(uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return r_type(0x33, 7, 1, rd, rs1, rs2);
}
uint32_t srli(uint32_t rd, uint32_t rs1, uint32_t shift)
{
    return i_type(0x13, 5, rd, rs1, (int32_t)shift);
}
uint32_t slli(uint32_t rd, uint32_t rs1, uint32_t shift)
{
    return i_type(0x13, 1, rd, rs1, (int32_t)shift);
}
uint32_t andi(uint32_t rd, uint32_t rs1, int32_t immediate)
{
    return i_type(0x13, 7, rd, rs1, immediate);
}
uint32_t sub(uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return r_type(0x33, 0, 0x20, rd, rs1, rs2);
}
uint32_t lui(uint32_t rd, uint32_t upper)
{
    return (upper & 0xFFFFF000) | rd << 7 | 0x37;
}
uint32_t lbu(uint32_t rd, int32_t offset, uint32_t rs1)
{
    return i_type(0x03, 4, rd, rs1, offset);
}
uint32_t lw(uint32_t rd, int32_t offset, uint32_t rs1)
{
    return i_type(0x03, 2, rd, rs1, offset);
}
uint32_t sw(uint32_t rs2, int32_t offset, uint32_t rs1)
{
    uint32_t o = (uint32_t)offset;
    return (o >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | (o & 0x1F) << 7 | 0x23;
}
uint32_t beq(uint32_t rs1, uint32_t rs2, int32_t offset)
{
    return b_type(0, rs1, rs2, offset);
}
uint32_t bne(uint32_t rs1, uint32_t rs2, int32_t offset)
{
    return b_type(1, rs1, rs2, offset);
}
uint32_t blt(uint32_t rs1, uint32_t rs2, int32_t offset)
{
    return b_type(4, rs1, rs2, offset);
}
uint32_t jal(uint32_t rd, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return (o >> 20 & 1) << 31 | (o >> 1 & 0x3FF) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 0xFF) << 12 | rd << 7 | 0x6F;
}
uint32_t jalr(uint32_t rd, uint32_t rs1, int32_t offset)
{
    return i_type(0x67, 0, rd, rs1, offset);
}
uint32_t csrr(uint32_t rd, uint32_t csr)
{
    return csr << 20 | 2 << 12 | rd << 7 | 0x73;
}
uint32_t csrrw(uint32_t rd, uint32_t csr, uint32_t rs1)
{
    return csr << 20 | rs1 << 15 | 1 << 12 | rd << 7 | 0x73;
}
uint32_t amocas(uint32_t rd, uint32_t rs2, uint32_t rs1)
{
    return r_type(0x2F, 2, 0x14, rd, rs1, rs2);
}
uint32_t amoadd(uint32_t rd, uint32_t rs2, uint32_t rs1)
{
    return r_type(0x2F, 2, 0x00, rd, rs1, rs2);
}
uint32_t amoswap_acquire(uint32_t rd, uint32_t rs2, uint32_t rs1)
{
    return r_type(0x2F, 2, 0x06, rd, rs1, rs2);
}
uint32_t amoswap_release(uint32_t rd, uint32_t rs2, uint32_t rs1)
{
    return r_type(0x2F, 2, 0x05, rd, rs1, rs2);
}
uint32_t fence(void)
{
    return 0x0FF0000F;
}
uint32_t bar_sync(uint32_t number)
{
    return i_type(0x0B, 3, 0, 0, (int32_t)number);
}
uint32_t warp_sync(void)
{
    return i_type(0x0B, 5, 0, 0, 0);
}
uint32_t vote_any(uint32_t rd, uint32_t rs1)
{
    return r_type(0x0B, 4, 0, rd, rs1, 0);
}
uint32_t ret(void)
{
    return jalr(ZERO, RA, 0);
}
uint32_t lb(uint32_t rd, int32_t offset, uint32_t rs1)
{
    return i_type(0x03, 0, rd, rs1, offset);
}
static uint32_t s_type(uint32_t funct3, uint32_t rs2, int32_t offset, uint32_t rs1)
{
    return (sw(rs2, offset, rs1) & ~UINT32_C(0x7000)) | funct3 << 12;
}
uint32_t sb(uint32_t rs2, int32_t offset, uint32_t rs1)
{
    return s_type(0, rs2, offset, rs1);
}
uint32_t sh(uint32_t rs2, int32_t offset, uint32_t rs1)
{
    return s_type(1, rs2, offset, rs1);
}
uint32_t begin_tx(uint32_t domain)
{
    return i_type(0x0B, 0, 0, 0, (int32_t)domain);
}
uint32_t commit_tx(void)
{
    return i_type(0x0B, 1, 0, 0, 0);
}
uint32_t abort_tx(uint32_t reason)
{
    return i_type(0x0B, 2, 0, 0, (int32_t)reason);
}

/* ---- Programs ---------------------------------------------------------------------------------------------------------- */

isa_program *program_of_words(const uint32_t *words)
{
    char error[256] = "";
    uint32_t count = 0;
    while (words[count])
        count++;
    uint32_t *data = malloc(count * sizeof *data);
    memcpy(data, words, count * sizeof *data);
    isa_program *program = calloc(1, sizeof *program);
    program->segments = malloc(sizeof *program->segments);
    program->symbols = malloc(sizeof *program->symbols);
    program->instructions = malloc(count * sizeof *program->instructions);
    *program->segments = (isa_segment){.address = CODE,
                                       .file_bytes = count * 4,
                                       .memory_bytes = count * 4,
                                       .data = (const uint8_t *)data,
                                       .flags = ISA_SEGMENT_READ | ISA_SEGMENT_EXECUTE};
    *program->symbols = (isa_symbol){.name = "kernel", .address = CODE, .bytes = count * 4, .is_function = 1};
    program->text_address = program->entry = CODE;
    program->text_bytes = count * 4;
    program->segment_count = program->symbol_count = 1;
    for (uint32_t i = 0; i < count; i++)
        program->instructions[i] = isa_decode(words[i]);
    cr_assert(!isa_program_analyse(program, error, sizeof error), "%s", error);
    return program;
}

/* A transform may have put segments behind the first. */
void program_of_words_free(isa_program *program)
{
    if (!program)
        return;
    void *data = (void *)(uintptr_t)program->segments[0].data;
    isa_program_free(program);
    free(data);
}
