/* SPDX-License-Identifier: MIT */
/*
 * The register file of a core: who reads or writes registers of lanes does it here.
 *
 * A row holds the registers of one lane of each column, [64][lane]; threads keep the row that their warp was given. The
 * lanes of a path are usually all of one row, and are then used in place. Lanes of several rows are gathered into a row of
 * the file's own before an instruction, and scattered afterwards: registers by the instruction's `reads` and `writes`, which never have
 * x0. Its bit stands for fcsr.
 */
#ifndef SIMT_CORE_REGISTERS_H
#define SIMT_CORE_REGISTERS_H

#include "byte_stream.h"
#include "hd_message.h"
#include "hd_state.h"
#include "homes.h"
#include "lanes.h"

#define REGISTERS_FCSR UINT64_C(1)

/* As a bit of a set: does the instruction look at fcsr, or write it? */
static inline uint64_t registers_fcsr(const isa_instruction *instruction)
{
    _Static_assert(ISA_CLASS_FP < ISA_CLASS_SPECIAL, "in the order of instruction.h");
    return instruction->instruction_class == ISA_CLASS_CSR ||
           (instruction->instruction_class >= ISA_CLASS_FP && instruction->instruction_class <= ISA_CLASS_SPECIAL);
}

/* Who is told of registers that have been written, a bit each, of lanes; their values are in the file. */
typedef struct register_listener {
    void *context;
    void (*written)(void *context, lane_homes homes, uint64_t registers, uint64_t lanes); /* NULL: nobody */
} register_listener;

typedef struct register_file {
    isa_lanes *rows;     /* [row] */
    isa_lanes *gathered; /* of several rows, from a gather until the next */
    uint32_t *registers; /* [row][64][lane] */
    uint8_t *fcsr;       /* [row][lane] */
    uint32_t lanes;
    register_listener listener;
} register_file;

/* 0 on success; registers_destroy in either case. `file` is zeroed. */
int registers_create(register_file *file, uint32_t rows, uint32_t lanes);
void registers_destroy(register_file *file);

/* For registers_gather and registers_scatter only. */
isa_lanes *registers_gather_rows(const register_file *file, lane_homes homes, uint64_t registers, uint64_t mask);
void registers_scatter_rows(const register_file *file, lane_homes homes, uint64_t registers, uint64_t mask);

/* The lanes of mask with these registers, to be read and written. What others there are, nobody knows. */
static inline isa_lanes *registers_gather(const register_file *file, lane_homes homes, uint64_t registers,
                                          uint64_t mask)
{
    if (__builtin_expect(homes.rows != NULL, 0))
        return registers_gather_rows(file, homes, registers, mask);
    return &file->rows[homes.row];
}

/* These registers have been written in what registers_gather has lent. */
static inline void registers_scatter(const register_file *file, lane_homes homes, uint64_t registers, uint64_t mask)
{
    if (__builtin_expect(homes.rows != NULL, 0))
        registers_scatter_rows(file, homes, registers, mask);
    registers &= ~REGISTERS_FCSR;
    if (__builtin_expect(file->listener.written != NULL, 0) && registers)
        file->listener.written(file->listener.context, homes, registers, mask);
}

/* The row's threads begin: warp_start_registers. */
void registers_start(const register_file *file, uint32_t row, const hd_grid *grid);
/* These registers and fcsr of a row, to the stream or from it. */
void registers_stream(const register_file *file, uint32_t row, uint64_t registers, byte_stream *stream);
/* heddle.state/1, of a row; nobody is told. */
void registers_transfer(const register_file *file, uint32_t row, const hd_state_stream *stream);
/* All of the lanes of mask to words [64][lane] and fcsr [lane], and back. */
void registers_save(const register_file *file, lane_homes homes, uint64_t mask, uint32_t *words, uint8_t *fcsr);
void registers_restore(const register_file *file, lane_homes homes, uint64_t mask, const uint32_t *words,
                       const uint8_t *fcsr);

#endif
