/* SPDX-License-Identifier: MIT */
/*
 * (host_cpu, rv64): a CPU that runs firmware: RV64IMAC_Zicsr_Zifencei harts in machine mode, and in user mode if `user_mode` says
 * so, with physical memory protection and a trigger module each, and the RAM that they share.
 *
 * RAM lies at HD_HOST_RAM_BASE (hd_host.h) and takes no bus; others reach it through the port `memory`. Every other load or
 * store is one access on the bus, and the hart waits for its answer.
 * Its tag is the number of the hart. An instruction takes cpi.each cycles and what its kind adds.
 *
 * Memory order: RAM has one order of all accesses, that of the cycles at which instructions begin, in one cycle that of the harts'
 * numbers. Every load has the value of the last store before it in this order (sequential consistency): a fence costs time and does
 * nothing else. amo* and a pair of lr and sc are one access each. An sc fails if since its lr another hart has stored at an address
 * less than 8 bytes from that one, or somebody else has written there. An access on the bus takes effect when the device has it,
 * and the hart does nothing before it is answered: it is in order with all other accesses of this hart. fence.i is of its own hart.
 *
 * The harts run ahead of the machine by up to `quantum`, as long as they need nothing from outside. What arrives meanwhile
 * (an interrupt, an access to their RAM) takes them back to that time, so that the quantum changes speed and no result.
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
    uint64_t
        entry; /* first pc of hart 0; it comes there with its number in a0, the bytes of RAM in a1, 0 in all others */
    uint64_t entry_of_others; /* first pc of the other harts */
    /* "0x8000000123 (main+0x20, host.c:12)", for texts; NULL: addresses only. */
    void (*place)(void *context, uint64_t pc, char *text, size_t bytes);
    void *context;
} hd_host_cpu_firmware;
void hd_host_cpu_set_firmware(hd_block *block, const hd_host_cpu_firmware *firmware);

#ifdef __cplusplus
}
#endif

#endif
