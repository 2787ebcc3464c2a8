/* SPDX-License-Identifier: MIT */
/*
 * What the source says about how its threads wait for each other: section .heddle.synchronization (firmware/include/
 * simt_synchronization.h). Records lie one behind the other: the pc, the kind, and of an access to a named lock its name,
 * which ends with a 0 and is filled up to a multiple of 4 bytes.
 */
#ifndef ISA_SYNCHRONIZATION_H
#define ISA_SYNCHRONIZATION_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ISA_SYNCHRONIZATION_SECTION ".heddle.synchronization"
#define ISA_LOCK_NAME_MAX 63u

/* Of functions, as sets; the pc is where the function begins. */
#define ISA_FUNCTION_NO_TRANSFORM 1u            /* lanes wait for each other on purpose: as it is, or not at all */
#define ISA_FUNCTION_PARAMETERS_DO_NOT_ALIAS 2u /* no two of its pointers lead to one word */
/* The pc is of a load, store or atomic of a lock that no access without this name goes to. */
#define ISA_ACCESS_OF_LOCK 4u

typedef struct isa_synchronization {
    uint32_t pc;
    uint32_t kind;    /* one of the above */
    const char *lock; /* its name; NULL: of a function. The program's */
} isa_synchronization;

/* The record at *at, in bytes from the start of the section; *at is moved to the next. 0: there is none, or, *at unchanged and not
 * the end, it is damaged. Start with 0. */
int isa_synchronization_next(const isa_program *program, uint32_t *at, isa_synchronization *record);

#ifdef __cplusplus
}
#endif

#endif
