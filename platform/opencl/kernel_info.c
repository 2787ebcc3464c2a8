/* SPDX-License-Identifier: MIT */
#include "entries.h"
#include "program.h"

/* ---- The kernel -------------------------------------------------------------------------------------------------------- */

typedef struct kernel_facts {
    const char *name, *attributes;
    cl_uint argument_count, references;
    cl_context context;
    cl_program program;
} kernel_facts;

static const info_row rows[] = {
    INFO_TEXT(CL_KERNEL_FUNCTION_NAME, kernel_facts, name),
    INFO_TEXT(CL_KERNEL_ATTRIBUTES, kernel_facts, attributes),
    INFO_FIELD(CL_KERNEL_NUM_ARGS, kernel_facts, argument_count),
    INFO_FIELD(CL_KERNEL_REFERENCE_COUNT, kernel_facts, references),
    INFO_FIELD(CL_KERNEL_CONTEXT, kernel_facts, context),
    INFO_FIELD(CL_KERNEL_PROGRAM, kernel_facts, program),
};

static cl_int give_kernel(const struct _cl_kernel *kernel, cl_kernel_info query, const info_answer *to)
{
    const kernel_facts facts = {.name = kernel->signature->name,
                                .attributes = kernel->signature->attributes,
                                .argument_count = kernel->signature->argument_count,
                                .references = kernel->base.references,
                                .context = kernel->context,
                                .program = kernel->program};
    return INFO_LOOK_UP(to, rows, query, &facts);
}

cl_int CL_API_CALL opencl_get_kernel_info(cl_kernel kernel, cl_kernel_info query, size_t size, void *value,
                                          size_t *size_needed)
{
    runtime_enter();
    return runtime_leave(object_is(kernel, OBJECT_KERNEL)
                             ? give_kernel(kernel, query, &(info_answer){size, value, size_needed})
                             : CL_INVALID_KERNEL);
}

/* ---- On the device ------------------------------------------------------------------------------------------------------- */

typedef struct group_facts {
    size_t group_threads, demanded[3], multiple;
    cl_ulong local_bytes, private_bytes;
} group_facts;

static const info_row group_rows[] = {
    INFO_FIELD(CL_KERNEL_WORK_GROUP_SIZE, group_facts, group_threads),
    INFO_FIELD(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, group_facts, demanded),
    INFO_FIELD(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, group_facts, multiple),
    INFO_FIELD(CL_KERNEL_LOCAL_MEM_SIZE, group_facts, local_bytes),
    INFO_FIELD(CL_KERNEL_PRIVATE_MEM_SIZE, group_facts, private_bytes),
};

static cl_ulong local_bytes_of(const struct _cl_kernel *kernel)
{
    cl_ulong bytes = kernel->signature->local_bytes;
    for (uint32_t i = 0; i < kernel->signature->argument_count; i++)
        bytes += kernel->local_bytes[i];
    return bytes;
}

static cl_int give_group(const struct _cl_kernel *kernel, cl_kernel_work_group_info query, const info_answer *to)
{
    const uint32_t *demanded = kernel->signature->group_size;
    const group_facts facts = {.group_threads = opencl_device.limits.group_threads,
                               .demanded = {demanded[0], demanded[1], demanded[2]},
                               .multiple = opencl_device.limits.lanes,
                               .local_bytes = local_bytes_of(kernel)};
    return INFO_LOOK_UP(to, group_rows, query, &facts);
}

/* The device may be NULL: there is only one. */
cl_int CL_API_CALL opencl_get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                                     cl_kernel_work_group_info query, size_t size, void *value,
                                                     size_t *size_needed)
{
    runtime_enter();
    if (!object_is(kernel, OBJECT_KERNEL))
        return runtime_leave(CL_INVALID_KERNEL);
    if (device && !object_is(device, OBJECT_DEVICE))
        return runtime_leave(CL_INVALID_DEVICE);
    return runtime_leave(give_group(kernel, query, &(info_answer){size, value, size_needed}));
}

/* ---- Its arguments ---------------------------------------------------------------------------------------------------------- */

typedef struct argument_facts {
    cl_kernel_arg_address_qualifier space;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier qualifiers;
    const char *type, *name;
} argument_facts;

static const info_row argument_rows[] = {
    INFO_FIELD(CL_KERNEL_ARG_ADDRESS_QUALIFIER, argument_facts, space),
    INFO_FIELD(CL_KERNEL_ARG_ACCESS_QUALIFIER, argument_facts, access),
    INFO_FIELD(CL_KERNEL_ARG_TYPE_QUALIFIER, argument_facts, qualifiers),
    INFO_TEXT(CL_KERNEL_ARG_TYPE_NAME, argument_facts, type),
    INFO_TEXT(CL_KERNEL_ARG_NAME, argument_facts, name),
};

static cl_kernel_arg_type_qualifier qualifiers_of(const kernelc_argument *argument)
{
    static const cl_kernel_arg_type_qualifier each[] = {CL_KERNEL_ARG_TYPE_CONST, CL_KERNEL_ARG_TYPE_RESTRICT,
                                                        CL_KERNEL_ARG_TYPE_VOLATILE};
    cl_kernel_arg_type_qualifier all = CL_KERNEL_ARG_TYPE_NONE;
    for (uint32_t i = 0; i < 3; i++)
        if (argument->qualifiers & 1u << i)
            all |= each[i];
    return all;
}

static cl_int give_argument(const kernelc_argument *argument, cl_kernel_arg_info query, const info_answer *to)
{
    static const cl_kernel_arg_address_qualifier spaces[] = {[KERNELC_PRIVATE] = CL_KERNEL_ARG_ADDRESS_PRIVATE,
                                                             [KERNELC_GLOBAL] = CL_KERNEL_ARG_ADDRESS_GLOBAL,
                                                             [KERNELC_CONSTANT] = CL_KERNEL_ARG_ADDRESS_CONSTANT,
                                                             [KERNELC_LOCAL] = CL_KERNEL_ARG_ADDRESS_LOCAL};
    const argument_facts facts = {.space = spaces[argument->space],
                                  .access = CL_KERNEL_ARG_ACCESS_NONE,
                                  .qualifiers = qualifiers_of(argument),
                                  .type = argument->type,
                                  .name = argument->name};
    return INFO_LOOK_UP(to, argument_rows, query, &facts);
}

cl_int CL_API_CALL opencl_get_kernel_arg_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info query, size_t size,
                                              void *value, size_t *size_needed)
{
    runtime_enter();
    if (!object_is(kernel, OBJECT_KERNEL))
        return runtime_leave(CL_INVALID_KERNEL);
    if (index >= kernel->signature->argument_count)
        return runtime_leave(CL_INVALID_ARG_INDEX);
    return runtime_leave(
        give_argument(&kernel->signature->arguments[index], query, &(info_answer){size, value, size_needed}));
}
