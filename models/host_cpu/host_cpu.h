/* SPDX-License-Identifier: MIT */
/*
 * (host_cpu, rv64): a CPU that runs firmware: one RV64IMAC_Zicsr_Zifencei hart in machine mode, and its RAM.
 *
 * RAM lies at HD_HOST_RAM_BASE (hd_host.h) and takes no bus; others reach it through the port `memory`. Every other load or
 * store is one access on the bus, and the hart waits for its answer. An instruction takes cpi.each cycles and what its kind adds.
 *
 * The hart runs ahead of the machine by up to `quantum`, as long as it needs nothing from outside. What arrives meanwhile
 * (an interrupt, an access to its RAM) takes it back to that time, so that the quantum changes speed and no result.
 *
 * A mistake of the firmware (an access that nobody answers, an instruction that is none) ends the run with pc and address, or
 * becomes a trap: parameter `exceptions`.
 */
#ifndef HOST_CPU_H
#define HOST_CPU_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const hd_block_class hd_host_cpu_rv64;

/* For the platform, when all blocks stand at one time; takes effect at the next reset. */
typedef struct hd_host_cpu_firmware {
    uint64_t entry; /* first pc; the hart comes to it with the bytes of its RAM in a1, 0 in all others */
    /* "0x8000000123 (main+0x20, host.c:12)", for texts; NULL: addresses only. */
    void (*place)(void *context, uint64_t pc, char *text, size_t bytes);
    void *context;
} hd_host_cpu_firmware;
void hd_host_cpu_set_firmware(hd_block *block, const hd_host_cpu_firmware *firmware);

#ifdef __cplusplus
}
#endif

#endif
