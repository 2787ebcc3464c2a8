/* SPDX-License-Identifier: MIT */
/*
 * Physical memory protection of a hart: pmpcfg and pmpaddr, and what they say of an access.
 *
 * The RISC-V Instruction Set Manual, volume II, §3.7. A write without permission to read (R = 0, W = 1) is reserved there: W is then
 * kept 0. An access that is not aligned is one access: all of its bytes have to be in the entry that matches any of them.
 */
#ifndef HOST_CPU_HART_PROTECTION_H
#define HOST_CPU_HART_PROTECTION_H

#include <stdint.h>

#define HART_PMP_ENTRIES_MAX 64u

/* What an access needs; bits of pmpcfg. */
#define HART_PMP_READ 1u
#define HART_PMP_WRITE 2u
#define HART_PMP_EXECUTE 4u

typedef struct hart_protection {
    uint32_t entries;   /* 0: there is no protection, and no CSR of it */
    uint32_t granule;   /* G: a region is of 2^(G + 2) bytes and more */
    uint32_t is_locked; /* an entry that is on is locked: machine mode has to ask, too */
    uint8_t configuration[HART_PMP_ENTRIES_MAX];
    uint64_t address[HART_PMP_ENTRIES_MAX]; /* as it was written, bits that read otherwise included */
} hart_protection;

void hart_protection_reset(hart_protection *protection);
/* Of a CSR: 0: it is none of these. */
uint32_t hart_protection_read(const hart_protection *protection, uint32_t number, uint64_t *value);
uint32_t hart_protection_write(hart_protection *protection, uint32_t number, uint64_t value);
uint32_t hart_protection_has(const hart_protection *protection, uint32_t number);

uint32_t hart_protection_allows(const hart_protection *protection, uint32_t is_machine_mode, uint64_t address,
                                uint32_t bytes, uint32_t needs);

#endif
