/* SPDX-License-Identifier: MIT */
#ifndef AES_ARGS_H
#define AES_ARGS_H

#include "heddle_args.h"

enum { AES_ROUNDS = 10, AES_TABLE = 256 };

/* A column of the state: row 0 is the most significant byte. */
typedef struct aes_block {
    uint32_t columns[4];
} aes_block;

typedef struct aes_args {
    hd_device_ptr
        table; /* uint32_t[AES_TABLE]: by a byte of row 0, what it adds to its column after substitution and mixing */
    hd_device_ptr keys;   /* aes_block[AES_ROUNDS + 1] */
    hd_device_ptr text;   /* aes_block[count] */
    hd_device_ptr cipher; /* aes_block[count] */
    uint32_t count;
} aes_args;
HD_ARGUMENT_BLOCK(aes_args, 20);

#endif
