/* SPDX-License-Identifier: MIT */
#ifndef SIMT_CORE_TRANSFER_SPAN_H
#define SIMT_CORE_TRANSFER_SPAN_H

#include <stddef.h>

#include "hd_state.h"

/* Of a struct, the members from `first` to `last`, none of which is a pointer. What is between them is as it was zeroed. */
#define TRANSFER_SPAN(stream, pointer, first, last)                                                                    \
    (stream)->bytes((stream)->context, &(pointer)->first,                                                              \
                    (size_t)((char *)(&(pointer)->last + 1) - (char *)&(pointer)->first))

#endif
