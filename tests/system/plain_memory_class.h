/* SPDX-License-Identifier: MIT */
/* The plain memory as a block class for netlists: (dram, plain). It has no create; SystemC makes it. */
#ifndef PLAIN_MEMORY_CLASS_H
#define PLAIN_MEMORY_CLASS_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const hd_block_class plain_memory_class;

/* For hd_tlm_options.foreign and release; context is a plain_memories. */
typedef struct plain_memories plain_memories;
plain_memories *plain_memories_new(void);
void plain_memories_free(plain_memories *all);
void *plain_memories_socket(void *all, const char *instance, const char *port, uint32_t element);
void plain_memories_release(void *all); /* the memories; their counts stay */
uint64_t plain_memories_reads(const plain_memories *all);
uint64_t plain_memories_writes(const plain_memories *all);

#ifdef __cplusplus
}
#endif

#endif
