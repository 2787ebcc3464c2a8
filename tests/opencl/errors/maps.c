/* SPDX-License-Identifier: MIT */
/* Maps, images and samplers. */
#include "errors.h"

static cl_int map_error(cl_command_queue queue, cl_mem buffer, cl_map_flags flags, size_t offset, size_t bytes,
                        cl_uint count, const cl_event *list)
{
    cl_int error;
    clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, offset, bytes, count, list, NULL, &error);
    return error;
}

void try_maps(const good *with)
{
    cl_int error;
    char word[4];
    cl_command_queue queue = with->rig.queue;
    cl_mem buffer = with->buffer;
    cl_event failed = clCreateUserEvent(with->rig.context, &error);
    CHECK(error);
    CHECK(clSetUserEventStatus(failed, -5));
    EXPECT(clEnqueueMapBuffer, INVALID_COMMAND_QUEUE,
           map_error(AS(cl_command_queue, buffer), buffer, CL_MAP_READ, 0, 4, 0, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_CONTEXT, map_error(queue, with->other_buffer, CL_MAP_READ, 0, 4, 0, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_CONTEXT, map_error(queue, buffer, CL_MAP_READ, 0, 4, 1, &with->other_event));
    EXPECT(clEnqueueMapBuffer, INVALID_MEM_OBJECT,
           map_error(queue, AS(cl_mem, with->kernel), CL_MAP_READ, 0, 4, 0, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_VALUE, map_error(queue, buffer, CL_MAP_READ, BUFFER_BYTES - 3, 4, 0, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_VALUE, map_error(queue, buffer, CL_MAP_READ, 0, 0, 0, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_VALUE, map_error(queue, buffer, 1u << 20, 0, 4, 0, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_VALUE,
           map_error(queue, buffer, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4, 0, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_EVENT_WAIT_LIST, map_error(queue, buffer, CL_MAP_READ, 0, 4, 1, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_OPERATION, map_error(queue, with->write_only, CL_MAP_READ, 0, 4, 0, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_OPERATION, map_error(queue, with->read_only, CL_MAP_WRITE, 0, 4, 0, NULL));
    EXPECT(clEnqueueMapBuffer, INVALID_OPERATION, map_error(queue, with->no_access, CL_MAP_READ, 0, 4, 0, NULL));
    EXPECT(clEnqueueMapBuffer, EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
           map_error(queue, buffer, CL_MAP_READ, 0, 4, 1, &failed));
    CHECK(clReleaseEvent(failed));
#define UNMAP(queue, buffer, at, count, list) clEnqueueUnmapMemObject(queue, buffer, at, count, list, NULL)
    void *at = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error);
    CHECK(error);
    EXPECT(clEnqueueUnmapMemObject, INVALID_COMMAND_QUEUE, UNMAP(AS(cl_command_queue, buffer), buffer, at, 0, NULL));
    EXPECT(clEnqueueUnmapMemObject, INVALID_MEM_OBJECT, UNMAP(queue, AS(cl_mem, with->kernel), at, 0, NULL));
    EXPECT(clEnqueueUnmapMemObject, INVALID_VALUE, UNMAP(queue, buffer, word, 0, NULL));
    EXPECT(clEnqueueUnmapMemObject, INVALID_VALUE, UNMAP(queue, buffer, NULL, 0, NULL));
    EXPECT(clEnqueueUnmapMemObject, INVALID_EVENT_WAIT_LIST, UNMAP(queue, buffer, at, 1, NULL));
    EXPECT(clEnqueueUnmapMemObject, INVALID_CONTEXT, UNMAP(queue, buffer, at, 1, &with->other_event));
    EXPECT(clEnqueueUnmapMemObject, INVALID_CONTEXT, UNMAP(with->other_queue, buffer, at, 0, NULL));
    EXPECT(clEnqueueUnmapMemObject, SUCCESS, UNMAP(queue, buffer, at, 0, NULL));
    EXPECT(clEnqueueUnmapMemObject, INVALID_VALUE, UNMAP(queue, buffer, at, 0, NULL));
}

/* ---- Images and samplers: the device has none -------------------------------------------------------------------------------- */

static void try_image_commands(const good *with, cl_command_queue wrong)
{
    static const size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
    cl_int error;
    char pixel[16] = "";
    size_t pitch;
    cl_command_queue queue = with->rig.queue;
    cl_mem image = with->buffer;
#define READ(queue) clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, pixel, 0, NULL, NULL)
#define WRITE(queue) clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, pixel, 0, NULL, NULL)
#define FILL(queue) clEnqueueFillImage(queue, image, pixel, origin, region, 0, NULL, NULL)
#define COPY(queue) clEnqueueCopyImage(queue, image, image, origin, origin, region, 0, NULL, NULL)
#define TO_BUFFER(queue) clEnqueueCopyImageToBuffer(queue, image, with->buffer, origin, region, 0, 0, NULL, NULL)
#define FROM_BUFFER(queue) clEnqueueCopyBufferToImage(queue, with->buffer, image, 0, origin, region, 0, NULL, NULL)
#define MAP(queue)                                                                                                     \
    clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL, 0, NULL, NULL, &error)
    EXPECT(clEnqueueReadImage, INVALID_COMMAND_QUEUE, READ(wrong));
    EXPECT(clEnqueueReadImage, INVALID_OPERATION, READ(queue));
    EXPECT(clEnqueueWriteImage, INVALID_COMMAND_QUEUE, WRITE(wrong));
    EXPECT(clEnqueueWriteImage, INVALID_OPERATION, WRITE(queue));
    EXPECT(clEnqueueFillImage, INVALID_COMMAND_QUEUE, FILL(wrong));
    EXPECT(clEnqueueFillImage, INVALID_OPERATION, FILL(queue));
    EXPECT(clEnqueueCopyImage, INVALID_COMMAND_QUEUE, COPY(wrong));
    EXPECT(clEnqueueCopyImage, INVALID_OPERATION, COPY(queue));
    EXPECT(clEnqueueCopyImageToBuffer, INVALID_COMMAND_QUEUE, TO_BUFFER(wrong));
    EXPECT(clEnqueueCopyImageToBuffer, INVALID_OPERATION, TO_BUFFER(queue));
    EXPECT(clEnqueueCopyBufferToImage, INVALID_COMMAND_QUEUE, FROM_BUFFER(wrong));
    EXPECT(clEnqueueCopyBufferToImage, INVALID_OPERATION, FROM_BUFFER(queue));
    EXPECT_MADE(clEnqueueMapImage, INVALID_COMMAND_QUEUE, MAP(wrong));
    EXPECT_MADE(clEnqueueMapImage, INVALID_OPERATION, MAP(queue));
}

static void try_samplers(const good *with)
{
    cl_int error;
    cl_sampler wrong = AS(cl_sampler, with->buffer);
#define SAMPLER(context) clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error)
    EXPECT_MADE(clCreateSampler, INVALID_CONTEXT, SAMPLER(AS(cl_context, with->buffer)));
    EXPECT_MADE(clCreateSampler, INVALID_OPERATION, SAMPLER(with->rig.context));
    EXPECT(clRetainSampler, INVALID_SAMPLER, clRetainSampler(wrong));
    EXPECT(clReleaseSampler, INVALID_SAMPLER, clReleaseSampler(wrong));
    EXPECT(clGetSamplerInfo, INVALID_SAMPLER, clGetSamplerInfo(wrong, CL_SAMPLER_CONTEXT, 0, NULL, NULL));
}

void try_images(const good *with)
{
    static const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    static const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_int error;
    cl_uint count = 1;
    cl_image_format formats[1];
    cl_context context = with->rig.context, wrong = AS(cl_context, with->buffer);
    EXPECT_MADE(clCreateImage, INVALID_CONTEXT, clCreateImage(wrong, 0, &format, &shape, NULL, &error));
    EXPECT_MADE(clCreateImage, INVALID_OPERATION, clCreateImage(context, 0, &format, &shape, NULL, &error));
    EXPECT_MADE(clCreateImage2D, INVALID_CONTEXT, clCreateImage2D(wrong, 0, &format, 4, 4, 0, NULL, &error));
    EXPECT_MADE(clCreateImage2D, INVALID_OPERATION, clCreateImage2D(context, 0, &format, 4, 4, 0, NULL, &error));
    EXPECT_MADE(clCreateImage3D, INVALID_CONTEXT, clCreateImage3D(wrong, 0, &format, 4, 4, 4, 0, 0, NULL, &error));
    EXPECT_MADE(clCreateImage3D, INVALID_OPERATION, clCreateImage3D(context, 0, &format, 4, 4, 4, 0, 0, NULL, &error));
#define FORMATS(context, flags, type, room, formats)                                                                   \
    clGetSupportedImageFormats(context, flags, type, room, formats, &count)
    EXPECT(clGetSupportedImageFormats, INVALID_CONTEXT, FORMATS(wrong, 0, CL_MEM_OBJECT_IMAGE2D, 1, formats));
    EXPECT(clGetSupportedImageFormats, INVALID_VALUE, FORMATS(context, 1u << 20, CL_MEM_OBJECT_IMAGE2D, 1, formats));
    EXPECT(clGetSupportedImageFormats, INVALID_VALUE, FORMATS(context, 0, CL_MEM_OBJECT_BUFFER, 1, formats));
    EXPECT(clGetSupportedImageFormats, INVALID_VALUE, FORMATS(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, formats));
    EXPECT(clGetSupportedImageFormats, SUCCESS, FORMATS(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL));
    EXPECT(clGetImageInfo, INVALID_MEM_OBJECT, clGetImageInfo(with->buffer, CL_IMAGE_WIDTH, 0, NULL, NULL));
    try_image_commands(with, AS(cl_command_queue, with->buffer));
    try_samplers(with);
}
