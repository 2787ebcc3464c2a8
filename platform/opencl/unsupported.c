/* SPDX-License-Identifier: MIT */
/* What the device has not: images, samplers, pipes, shared virtual memory, native and built-in kernels, sharing with graphics. */
#include "entries.h"
#include "runtime.h"

/* Makes nothing: the context is wrong, or nothing in it can do that. */
static void *refuse(cl_context context, cl_int *error)
{
    if (error)
        *error = object_is(context, OBJECT_CONTEXT) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
    return NULL;
}

static cl_int refuse_command(cl_command_queue queue)
{
    return object_is(queue, OBJECT_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

/* Entries of the dispatch table that nothing has an object for. */
cl_int CL_API_CALL opencl_not_supported(void)
{
    return CL_INVALID_OPERATION;
}

/* The same where an object is the result: none. */
void *CL_API_CALL opencl_makes_nothing(void)
{
    return NULL;
}

/* ---- Images and samplers ---------------------------------------------------------------------------------------------- */

cl_mem CL_API_CALL opencl_create_image(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                       const cl_image_desc *description, void *host, cl_int *error)
{
    (void)flags;
    (void)format;
    (void)description;
    (void)host;
    return refuse(context, error);
}

cl_mem CL_API_CALL opencl_create_image_with_properties(cl_context context, const cl_mem_properties *properties,
                                                       cl_mem_flags flags, const cl_image_format *format,
                                                       const cl_image_desc *description, void *host, cl_int *error)
{
    (void)properties;
    return opencl_create_image(context, flags, format, description, host, error);
}

cl_mem CL_API_CALL opencl_create_image_2d(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t pitch, void *host, cl_int *error)
{
    (void)flags;
    (void)format;
    (void)width;
    (void)height;
    (void)pitch;
    (void)host;
    return refuse(context, error);
}

cl_mem CL_API_CALL opencl_create_image_3d(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t depth, size_t row_pitch,
                                          size_t slice_pitch, void *host, cl_int *error)
{
    (void)depth;
    (void)slice_pitch;
    return opencl_create_image_2d(context, flags, format, width, height, row_pitch, host, error);
}

static int is_image_type(cl_mem_object_type type)
{
    return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

cl_int CL_API_CALL opencl_get_supported_image_formats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                                      cl_uint count, cl_image_format *formats, cl_uint *available)
{
    if (!object_is(context, OBJECT_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (!memory_are_flags_good(flags) || !is_image_type(type) || (!count && formats))
        return CL_INVALID_VALUE;
    if (available)
        *available = 0;
    return CL_SUCCESS;
}

/* Nothing that is a memory object is an image. */
cl_int CL_API_CALL opencl_get_image_info(cl_mem image, cl_image_info query, size_t size, void *value,
                                         size_t *size_needed)
{
    (void)image;
    (void)query;
    (void)size;
    (void)value;
    (void)size_needed;
    return CL_INVALID_MEM_OBJECT;
}

cl_sampler CL_API_CALL opencl_create_sampler(cl_context context, cl_bool normalised, cl_addressing_mode addressing,
                                             cl_filter_mode filter, cl_int *error)
{
    (void)normalised;
    (void)addressing;
    (void)filter;
    return refuse(context, error);
}

cl_sampler CL_API_CALL opencl_create_sampler_with_properties(cl_context context,
                                                             const cl_sampler_properties *properties, cl_int *error)
{
    (void)properties;
    return refuse(context, error);
}

cl_int CL_API_CALL opencl_retain_sampler(cl_sampler sampler)
{
    (void)sampler;
    return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL opencl_release_sampler(cl_sampler sampler)
{
    (void)sampler;
    return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL opencl_get_sampler_info(cl_sampler sampler, cl_sampler_info query, size_t size, void *value,
                                           size_t *size_needed)
{
    (void)sampler;
    (void)query;
    (void)size;
    (void)value;
    (void)size_needed;
    return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL opencl_enqueue_read_image(cl_command_queue queue, cl_mem image, cl_bool blocks, const size_t *origin,
                                             const size_t *region, size_t row_pitch, size_t slice_pitch, void *host,
                                             cl_uint count, const cl_event *list, cl_event *event)
{
    (void)image;
    (void)blocks;
    (void)origin;
    (void)region;
    (void)row_pitch;
    (void)slice_pitch;
    (void)host;
    (void)count;
    (void)list;
    (void)event;
    return refuse_command(queue);
}

cl_int CL_API_CALL opencl_enqueue_write_image(cl_command_queue queue, cl_mem image, cl_bool blocks,
                                              const size_t *origin, const size_t *region, size_t row_pitch,
                                              size_t slice_pitch, const void *host, cl_uint count, const cl_event *list,
                                              cl_event *event)
{
    return opencl_enqueue_read_image(queue, image, blocks, origin, region, row_pitch, slice_pitch,
                                     (void *)(uintptr_t)host, count, list, event);
}

cl_int CL_API_CALL opencl_enqueue_copy_image(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                             const size_t *to_origin, const size_t *region, cl_uint count,
                                             const cl_event *list, cl_event *event)
{
    (void)to;
    (void)to_origin;
    return opencl_enqueue_read_image(queue, from, CL_FALSE, from_origin, region, 0, 0, NULL, count, list, event);
}

cl_int CL_API_CALL opencl_enqueue_copy_image_to_buffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                                       const size_t *origin, const size_t *region, size_t offset,
                                                       cl_uint count, const cl_event *list, cl_event *event)
{
    (void)to;
    (void)offset;
    return opencl_enqueue_read_image(queue, from, CL_FALSE, origin, region, 0, 0, NULL, count, list, event);
}

cl_int CL_API_CALL opencl_enqueue_copy_buffer_to_image(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                                                       const size_t *origin, const size_t *region, cl_uint count,
                                                       const cl_event *list, cl_event *event)
{
    (void)to;
    (void)offset;
    return opencl_enqueue_read_image(queue, from, CL_FALSE, origin, region, 0, 0, NULL, count, list, event);
}

cl_int CL_API_CALL opencl_enqueue_fill_image(cl_command_queue queue, cl_mem image, const void *colour,
                                             const size_t *origin, const size_t *region, cl_uint count,
                                             const cl_event *list, cl_event *event)
{
    (void)colour;
    return opencl_enqueue_read_image(queue, image, CL_FALSE, origin, region, 0, 0, NULL, count, list, event);
}

void *CL_API_CALL opencl_enqueue_map_image(cl_command_queue queue, cl_mem image, cl_bool blocks, cl_map_flags flags,
                                           const size_t *origin, const size_t *region, size_t *row_pitch,
                                           size_t *slice_pitch, cl_uint count, const cl_event *list, cl_event *event,
                                           cl_int *error)
{
    (void)flags;
    (void)row_pitch;
    (void)slice_pitch;
    const cl_int result =
        opencl_enqueue_read_image(queue, image, blocks, origin, region, 0, 0, NULL, count, list, event);
    if (error)
        *error = result;
    return NULL;
}

/* ---- Programs and kernels of other kinds ------------------------------------------------------------------------------------- */

cl_int CL_API_CALL opencl_enqueue_native_kernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                                                void *arguments, size_t argument_bytes, cl_uint buffer_count,
                                                const cl_mem *buffers, const void **places, cl_uint count,
                                                const cl_event *list, cl_event *event)
{
    (void)function;
    (void)arguments;
    (void)argument_bytes;
    (void)buffer_count;
    (void)buffers;
    (void)places;
    (void)count;
    (void)list;
    (void)event;
    return refuse_command(queue);
}

/* There are none, so every name is wrong. */
cl_program CL_API_CALL opencl_create_program_with_built_in_kernels(cl_context context, cl_uint count,
                                                                   const cl_device_id *devices, const char *names,
                                                                   cl_int *error)
{
    (void)names;
    const cl_int wrong = opencl_check_devices(count, devices);
    if (error)
        *error = !object_is(context, OBJECT_CONTEXT) ? CL_INVALID_CONTEXT : wrong ? wrong : CL_INVALID_VALUE;
    return NULL;
}

/* ---- OpenCL 2 ---------------------------------------------------------------------------------------------------------------- */

cl_mem CL_API_CALL opencl_create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint packets,
                                      const cl_pipe_properties *properties, cl_int *error)
{
    (void)flags;
    (void)packet_bytes;
    (void)packets;
    (void)properties;
    return refuse(context, error);
}

void *CL_API_CALL opencl_svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment)
{
    (void)flags;
    (void)bytes;
    (void)alignment;
    return refuse(context, NULL);
}

void CL_API_CALL opencl_svm_free(cl_context context, void *memory)
{
    (void)context;
    (void)memory;
}
