/* SPDX-License-Identifier: MIT */
/* The rules of hd_block.h that the tables of a class can break: for plug-ins as they are loaded, and for the test kit. */
#ifndef HD_DECLARATION_H
#define HD_DECLARATION_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sentence without the name of the class. */
typedef void hd_declaration_finding(void *context, const char *sentence);

/* foreign: the class of a SystemC model. abi_version and struct_bytes are good. Returns how many findings there are. */
uint32_t hd_check_declaration(const hd_block_class *block_class, uint32_t foreign, hd_declaration_finding *find,
                              void *context);

#ifdef __cplusplus
}
#endif

#endif
