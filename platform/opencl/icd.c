/* SPDX-License-Identifier: MIT */
/* What the loader of OpenCL implementations calls: the only functions that the library shows. */
#include <string.h>

#include "entries.h"
#include "runtime.h"

#define SHOWN __attribute__((visibility("default")))

typedef void function(void);

typedef struct named_function {
    const char *name;
    function *address;
} named_function;

SHOWN cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint count, cl_platform_id *platforms, cl_uint *available)
{
    return opencl_get_platform_ids(count, platforms, available);
}

SHOWN cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info query, size_t size, void *value,
                                           size_t *size_needed)
{
    return opencl_get_platform_info(platform, query, size, value, size_needed);
}

SHOWN void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    static const named_function functions[] = {
        {"clIcdGetPlatformIDsKHR", (function *)clIcdGetPlatformIDsKHR},
        {"clGetPlatformInfo", (function *)clGetPlatformInfo},
        {"clCreateProgramWithILKHR", (function *)opencl_create_program_with_il},
    };
    for (size_t i = 0; name && i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, name))
            return (void *)functions[i].address;
    return NULL;
}

void *CL_API_CALL opencl_get_extension_function_address(cl_platform_id platform, const char *name)
{
    (void)platform;
    return clGetExtensionFunctionAddress(name);
}
