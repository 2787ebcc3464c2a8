#ifndef @NAME@_ARGS_H
#define @NAME@_ARGS_H

#include "heddle_args.h"

/* What the host hands to the kernel. */
typedef struct @name@_args {
    hd_device_ptr x, y; /* uint32_t[n] */
    uint32_t n;
} @name@_args;
HD_ARGUMENT_BLOCK(@name@_args, 12);

#endif
