/* SPDX-License-Identifier: MIT */
/* What tests of the runtime have in common: a context on the fake device, and what they look at. */
#ifndef OPENCL_RIG_H
#define OPENCL_RIG_H

#include <criterion/criterion.h>

#include "entries.h"
#include "fake_device.h"
#include "runtime.h"

#define OK(call) cr_assert_eq((call), CL_SUCCESS)
#define GIVES(error, call) cr_expect_eq((call), (error), "%s: %d", #call, (call))

cl_context new_context(void);
cl_command_queue new_queue(cl_context context, cl_command_queue_properties properties);
cl_mem new_buffer(cl_context context, size_t bytes);
cl_int status_of(cl_event event);
/* ns; CL_PROFILING_COMMAND_* */
cl_ulong time_of(cl_event event, cl_profiling_info query);

#endif
