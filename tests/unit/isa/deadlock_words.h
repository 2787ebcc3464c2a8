/* SPDX-License-Identifier: MIT */
/* Words in which lanes of a warp wait for each other, and what is found in them. */
#ifndef DEADLOCK_WORDS_H
#define DEADLOCK_WORDS_H

#include "assemble.h"
#include "deadlock.h"

/* Registers: ra = 1, sp = 2, t0-t2 = 5-7, a0-a2 = 10-12, t3 = 28. */
#define LOAD(to, base, at) WORD(LW, .rd = (to), .rs1 = (base), .immediate = (at))
#define STORE(base, at) WORD(SW, .rs1 = (base), .rs2 = 0, .immediate = (at))
#define BACK_IF_ZERO(of, words) WORD(BEQ, .rs1 = (of), .rs2 = 0, .immediate = -4 * (words))
#define SKIP_IF_ZERO(of, words) WORD(BEQ, .rs1 = (of), .rs2 = 0, .immediate = 4 * (words))
#define READ_CSR(to, csr) WORD(CSRRS, .rd = (to), .rs1 = 0, .immediate = (csr))
#define LI(to, value) WORD(ADDI, .rd = (to), .rs1 = 0, .immediate = (value))
#define PC(word) (TEXT + 4 * (word))

/* t0 = word 0 of the argument block, t1 = word 1. */
#define POINTERS LOAD(5, 10, 0), LOAD(6, 10, 4)
#define WAIT(base, at) LOAD(7, base, at), BACK_IF_ZERO(7, 1)

extern const isa_deadlock_options of_stack, of_splits;

/* A file with these words as its function `kernel`, and these sections; NULL: refused, as the error says. */
isa_program *load_with(const uint32_t *words, uint32_t count, const test_section *sections, uint32_t section_count,
                       char error[512]);

/* Branches that something is found at; *first is the first finding, without its lists. */
uint32_t found_in(const uint32_t *words, uint32_t count, const test_section *sections, uint32_t section_count,
                  const isa_deadlock_options *options, isa_deadlock *first);

#define FOUND_AS(options, first, ...)                                                                                  \
    ({                                                                                                                 \
        const uint32_t words[] = {__VA_ARGS__};                                                                        \
        found_in(words, COUNT_OF(words), NULL, 0, options, first);                                                     \
    })
#define FOUND(...) FOUND_AS(&of_stack, NULL, __VA_ARGS__)

/* In a file whose function is a kernel: its a0 is the argument block. kind: of a record on the function; 0: none. */
uint32_t found_in_kernel(const uint32_t *words, uint32_t count, uint32_t kind);

#define FOUND_IN_KERNEL(kind, ...)                                                                                     \
    ({                                                                                                                 \
        const uint32_t words[] = {__VA_ARGS__};                                                                        \
        found_in_kernel(words, COUNT_OF(words), kind);                                                                 \
    })

#endif
