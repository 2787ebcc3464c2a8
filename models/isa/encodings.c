/* SPDX-License-Identifier: MIT */
#include "decode.h"

const isa_encoding isa_encodings[ISA_OP_ILLEGAL] = {
#define ISA_OPERATION(name, text, class, operands, match_bits, mask_bits, bytes)                                       \
    [ISA_OP_##name] = {.mnemonic = text,                                                                               \
                       .match = match_bits,                                                                            \
                       .mask = mask_bits,                                                                              \
                       .instruction_class = ISA_CLASS_##class,                                                         \
                       .form = ISA_FORM_##operands,                                                                    \
                       .access_bytes = bytes},
#include "isa_operations.def"
#undef ISA_OPERATION
};
