/* SPDX-License-Identifier: MIT */
/* What clGetDeviceInfo says of the machine. */
#include "entries.h"
#include "kernelc.h"
#include "runtime.h"

/* A value of each query, in the type that the standard gives it. */
typedef struct device_facts {
    const char *name, *vendor, *driver_version, *profile, *version, *c_version, *extensions, *il_version, *nothing;
    cl_device_id parent;
    cl_platform_id platform;
    cl_ulong memory_bytes, cache_bytes, largest_allocation, local_bytes, constant_bytes, no_bytes;
    size_t group_threads, item_sizes[3], parameter_bytes, timer_resolution, printf_bytes, no_size;
    cl_device_type type;
    cl_device_fp_config single_precision, double_precision, half_precision;
    cl_device_exec_capabilities execution;
    cl_command_queue_properties queue_properties, no_properties;
    cl_device_affinity_domain no_domain;
    cl_device_partition_property no_partition[1];
    info_list no_partition_type;
    cl_uint cores, clock_mhz, address_bits, dimensions, one, none, line_bytes, alignment_bits, smallest_alignment,
        constant_arguments, vendor_id, references;
    cl_device_mem_cache_type cache_type;
    cl_device_local_mem_type local_type;
    cl_bool has_compiler, yes, no;
    cl_version numeric_version;
} device_facts;

#define FACT(query, field) INFO_FIELD(query, device_facts, field)
#define FACT_TEXT(query, field) INFO_TEXT(query, device_facts, field)
/* Both kinds of vector widths: lanes are scalar. */
#define VECTOR_WIDTHS(type)                                                                                            \
    FACT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_##type, one), FACT(CL_DEVICE_NATIVE_VECTOR_WIDTH_##type, one)

static const info_row rows[] = {
    FACT_TEXT(CL_DEVICE_NAME, name),
    FACT_TEXT(CL_DEVICE_VENDOR, vendor),
    FACT_TEXT(CL_DRIVER_VERSION, driver_version),
    FACT_TEXT(CL_DEVICE_PROFILE, profile),
    FACT_TEXT(CL_DEVICE_VERSION, version),
    FACT_TEXT(CL_DEVICE_OPENCL_C_VERSION, c_version),
    FACT_TEXT(CL_DEVICE_EXTENSIONS, extensions),
    FACT_TEXT(CL_DEVICE_BUILT_IN_KERNELS, nothing),
    FACT_TEXT(CL_DEVICE_IL_VERSION, il_version),
    FACT(CL_DEVICE_TYPE, type),
    FACT(CL_DEVICE_VENDOR_ID, vendor_id),
    FACT(CL_DEVICE_PLATFORM, platform),
    FACT(CL_DEVICE_PARENT_DEVICE, parent),
    FACT(CL_DEVICE_REFERENCE_COUNT, references),
    FACT(CL_DEVICE_NUMERIC_VERSION, numeric_version),
    FACT(CL_DEVICE_MAX_COMPUTE_UNITS, cores),
    FACT(CL_DEVICE_MAX_CLOCK_FREQUENCY, clock_mhz),
    FACT(CL_DEVICE_ADDRESS_BITS, address_bits),
    FACT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, dimensions),
    FACT(CL_DEVICE_MAX_WORK_ITEM_SIZES, item_sizes),
    FACT(CL_DEVICE_MAX_WORK_GROUP_SIZE, group_threads),
    VECTOR_WIDTHS(CHAR),
    VECTOR_WIDTHS(SHORT),
    VECTOR_WIDTHS(INT),
    VECTOR_WIDTHS(LONG),
    VECTOR_WIDTHS(FLOAT),
    VECTOR_WIDTHS(DOUBLE),
    FACT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, none),
    FACT(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, none),
    FACT(CL_DEVICE_GLOBAL_MEM_SIZE, memory_bytes),
    FACT(CL_DEVICE_MAX_MEM_ALLOC_SIZE, largest_allocation),
    FACT(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cache_type),
    FACT(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cache_bytes),
    FACT(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, line_bytes),
    FACT(CL_DEVICE_LOCAL_MEM_TYPE, local_type),
    FACT(CL_DEVICE_LOCAL_MEM_SIZE, local_bytes),
    FACT(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, constant_bytes),
    FACT(CL_DEVICE_MAX_CONSTANT_ARGS, constant_arguments),
    FACT(CL_DEVICE_MAX_PARAMETER_SIZE, parameter_bytes),
    FACT(CL_DEVICE_MEM_BASE_ADDR_ALIGN, alignment_bits),
    FACT(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, smallest_alignment),
    FACT(CL_DEVICE_SINGLE_FP_CONFIG, single_precision),
    FACT(CL_DEVICE_DOUBLE_FP_CONFIG, double_precision),
    FACT(CL_DEVICE_HALF_FP_CONFIG, half_precision),
    FACT(CL_DEVICE_EXECUTION_CAPABILITIES, execution),
    FACT(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, queue_properties), /* and CL_DEVICE_QUEUE_PROPERTIES */
    FACT(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, no_properties),
    FACT(CL_DEVICE_PROFILING_TIMER_RESOLUTION, timer_resolution),
    FACT(CL_DEVICE_PRINTF_BUFFER_SIZE, printf_bytes),
    FACT(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, yes),
    FACT(CL_DEVICE_AVAILABLE, yes),
    FACT(CL_DEVICE_COMPILER_AVAILABLE, has_compiler),
    FACT(CL_DEVICE_LINKER_AVAILABLE, has_compiler),
    FACT(CL_DEVICE_ENDIAN_LITTLE, yes),
    FACT(CL_DEVICE_ERROR_CORRECTION_SUPPORT, no),
    FACT(CL_DEVICE_HOST_UNIFIED_MEMORY, no),
    FACT(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, none),
    FACT(CL_DEVICE_PARTITION_PROPERTIES, no_partition),
    FACT(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, no_domain),
    INFO_LIST(CL_DEVICE_PARTITION_TYPE, device_facts, no_partition_type),
    /* There are no images. */
    FACT(CL_DEVICE_IMAGE_SUPPORT, no),
    FACT(CL_DEVICE_MAX_READ_IMAGE_ARGS, none),
    FACT(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, none),
    FACT(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, none),
    FACT(CL_DEVICE_IMAGE2D_MAX_WIDTH, no_size),
    FACT(CL_DEVICE_IMAGE2D_MAX_HEIGHT, no_size),
    FACT(CL_DEVICE_IMAGE3D_MAX_WIDTH, no_size),
    FACT(CL_DEVICE_IMAGE3D_MAX_HEIGHT, no_size),
    FACT(CL_DEVICE_IMAGE3D_MAX_DEPTH, no_size),
    FACT(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, no_size),
    FACT(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, no_size),
    FACT(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, none),
    FACT(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, none),
    FACT(CL_DEVICE_MAX_SAMPLERS, none),
    /* Nor what came with OpenCL 2. */
    FACT(CL_DEVICE_SVM_CAPABILITIES, no_bytes),
    FACT(CL_DEVICE_MAX_PIPE_ARGS, none),
    FACT(CL_DEVICE_MAX_ON_DEVICE_QUEUES, none),
    FACT(CL_DEVICE_MAX_NUM_SUB_GROUPS, none),
};

/* Correctly rounded, with infinities, NaNs and denormals. */
#define EXACT                                                                                                          \
    (CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA)

static device_facts facts_of(const device_limits *limits)
{
    const size_t threads = limits->group_threads;
    return (device_facts){
        .name = limits->name,
        .vendor = "Heddle",
        .driver_version = HEDDLE_VERSION,
        .profile = "FULL_PROFILE",
        .version = "OpenCL 1.2 Heddle " HEDDLE_VERSION,
        .c_version = "OpenCL C 1.2 Heddle " HEDDLE_VERSION,
        .extensions = OPENCL_EXTENSIONS,
        .il_version = "SPIR-V_1.0",
        .platform = &opencl_platform,
        .memory_bytes = limits->memory_bytes,
        .largest_allocation = limits->largest_allocation,
        .local_bytes = limits->local_bytes,
        .constant_bytes = limits->largest_allocation,
        .group_threads = threads,
        .item_sizes = {threads, threads, threads},
        .parameter_bytes = OPENCL_PARAMETER_BYTES,
        .timer_resolution = 1,
        .printf_bytes = 1024 * 1024,
        .type = CL_DEVICE_TYPE_GPU,
        .single_precision = EXACT | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
        .double_precision = EXACT | CL_FP_SOFT_FLOAT,
        .execution = CL_EXEC_KERNEL,
        .queue_properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
        .cores = limits->cores,
        .clock_mhz = limits->clock_mhz,
        .address_bits = 32,
        .dimensions = 3,
        .one = 1,
        .cache_bytes = limits->cache_bytes,
        .line_bytes = limits->line_bytes,
        .alignment_bits = OPENCL_ALIGNMENT_BYTES * 8,
        .smallest_alignment = 128,
        .constant_arguments = 64,
        .references = 1,
        .cache_type = limits->cache_bytes ? CL_READ_WRITE_CACHE : CL_NONE,
        .local_type = CL_LOCAL,
        .has_compiler = heddle_kernelc_version() != NULL,
        .yes = CL_TRUE,
        .numeric_version = CL_MAKE_VERSION(1, 2, 0),
    };
}

static cl_int give(const info_answer *to, cl_device_info query)
{
    const cl_int error = opencl_open_device();
    if (error)
        return error == CL_OUT_OF_HOST_MEMORY ? error : CL_OUT_OF_RESOURCES;
    const device_facts facts = facts_of(&opencl_device.limits);
    return INFO_LOOK_UP(to, rows, query, &facts);
}

cl_int CL_API_CALL opencl_get_device_info(cl_device_id asked, cl_device_info query, size_t size, void *value,
                                          size_t *size_needed)
{
    if (!object_is(asked, OBJECT_DEVICE))
        return CL_INVALID_DEVICE;
    runtime_enter();
    return runtime_leave(give(&(info_answer){size, value, size_needed}, query));
}
