/* SPDX-License-Identifier: MIT */
/* Private to platform/opencl: what all copies between host and device have in common. */
#ifndef OPENCL_TRANSFER_H
#define OPENCL_TRANSFER_H

#include "runtime.h"

/* CL_INVALID_OPERATION: the buffer was made so that the host may not do this. */
cl_int transfer_check_host(const struct _cl_mem *buffer, device_operation_kind kind);
/* A read, write or fill of a range of the buffer. */
device_operation transfer_operation(const struct _cl_mem *buffer, device_operation_kind kind, size_t offset,
                                    size_t bytes, void *host);

#endif
