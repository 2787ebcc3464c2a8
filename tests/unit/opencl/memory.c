/* SPDX-License-Identifier: MIT */
/* Buffers: how they are made, copied, mapped. */
#include <string.h>

#include "rig.h"

static cl_context context;
static cl_command_queue queue;

static void set_up(void)
{
    context = new_context();
    queue = new_queue(context, 0);
}

static cl_mem counting(size_t bytes)
{
    uint8_t numbers[4096];
    cl_int error;
    for (size_t i = 0; i < bytes; i++)
        numbers[i] = (uint8_t)i;
    cl_mem made = opencl_create_buffer(context, CL_MEM_COPY_HOST_PTR, bytes, numbers, &error);
    OK(error);
    memset(numbers, 0xEE, bytes); /* it may, from here on */
    return made;
}

static uint8_t byte_at(cl_mem buffer, size_t offset)
{
    uint8_t byte = 0xAA;
    OK(opencl_enqueue_read_buffer(queue, buffer, CL_TRUE, offset, 1, &byte, 0, NULL, NULL));
    return byte;
}

Test(opencl_memory, flags_and_sizes_are_checked, .init = set_up)
{
    static const struct {
        cl_mem_flags flags;
        size_t bytes;
        int has_pointer;
        cl_int error;
    } cases[] = {
        {CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0, CL_INVALID_VALUE},
        {CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, 0, CL_INVALID_VALUE},
        {CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, 1, CL_INVALID_VALUE},
        {(cl_mem_flags)1 << 30, 64, 0, CL_INVALID_VALUE},
        {0, 0, 0, CL_INVALID_BUFFER_SIZE},
        {0, FAKE_MEMORY + 1, 0, CL_INVALID_BUFFER_SIZE},
        {0, 64, 1, CL_INVALID_HOST_PTR},
        {CL_MEM_USE_HOST_PTR, 64, 0, CL_INVALID_HOST_PTR},
        {CL_MEM_COPY_HOST_PTR, 64, 0, CL_INVALID_HOST_PTR},
        {CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, 1, CL_SUCCESS},
    };
    uint8_t bytes[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_int error;
        opencl_create_buffer(context, cases[i].flags, cases[i].bytes, cases[i].has_pointer ? bytes : NULL, &error);
        cr_expect_eq(error, cases[i].error, "case %zu: %d", i, error);
    }
    cl_int error;
    opencl_create_buffer(NULL, 0, 64, NULL, &error);
    GIVES(CL_INVALID_CONTEXT, error);
}

Test(opencl_memory, first_contents_and_copies, .init = set_up)
{
    cl_mem from = counting(512), to = new_buffer(context, 512);
    OK(opencl_enqueue_copy_buffer(queue, from, to, 100, 7, 50, 0, NULL, NULL));
    cr_expect_eq(byte_at(to, 7), 100);
    cr_expect_eq(byte_at(to, 56), 149);
    GIVES(CL_MEM_COPY_OVERLAP, opencl_enqueue_copy_buffer(queue, from, from, 0, 49, 50, 0, NULL, NULL));
    OK(opencl_enqueue_copy_buffer(queue, from, from, 0, 50, 50, 0, NULL, NULL));
    cr_expect_eq(byte_at(from, 99), 49);
    GIVES(CL_INVALID_VALUE, opencl_enqueue_copy_buffer(queue, from, to, 500, 0, 13, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_enqueue_copy_buffer(queue, from, to, 0, SIZE_MAX, 2, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_enqueue_copy_buffer(queue, from, to, 0, 0, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, opencl_enqueue_copy_buffer(queue, from, NULL, 0, 0, 1, 0, NULL, NULL));
}

Test(opencl_memory, what_the_host_may_not_do, .init = set_up)
{
    uint8_t byte = 0;
    cl_mem closed = opencl_create_buffer(context, CL_MEM_HOST_NO_ACCESS, 64, NULL, NULL);
    cl_mem readable = opencl_create_buffer(context, CL_MEM_HOST_READ_ONLY, 64, NULL, NULL);
    cl_int error;
    GIVES(CL_INVALID_OPERATION, opencl_enqueue_read_buffer(queue, closed, CL_TRUE, 0, 1, &byte, 0, NULL, NULL));
    GIVES(CL_INVALID_OPERATION, opencl_enqueue_write_buffer(queue, readable, CL_TRUE, 0, 1, &byte, 0, NULL, NULL));
    OK(opencl_enqueue_read_buffer(queue, readable, CL_TRUE, 0, 1, &byte, 0, NULL, NULL));
    opencl_enqueue_map_buffer(queue, readable, CL_TRUE, CL_MAP_WRITE, 0, 1, 0, NULL, NULL, &error);
    GIVES(CL_INVALID_OPERATION, error);
    GIVES(CL_INVALID_VALUE, opencl_enqueue_read_buffer(queue, readable, CL_TRUE, 0, 1, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_enqueue_read_buffer(queue, readable, CL_TRUE, 64, 1, &byte, 0, NULL, NULL));
}

Test(opencl_memory, fills, .init = set_up)
{
    cl_mem buffer = counting(64);
    const uint32_t word = 0x04030201;
    const uint8_t same[4] = {9, 9, 9, 9};
    OK(opencl_enqueue_fill_buffer(queue, buffer, &word, 4, 8, 16, 0, NULL, NULL));
    OK(opencl_enqueue_fill_buffer(queue, buffer, same, 4, 32, 8, 0, NULL, NULL));
    cr_expect_eq(byte_at(buffer, 7), 7);
    cr_expect_eq(byte_at(buffer, 22), 3);
    cr_expect_eq(byte_at(buffer, 24), 24);
    cr_expect_eq(byte_at(buffer, 39), 9);
    GIVES(CL_INVALID_VALUE, opencl_enqueue_fill_buffer(queue, buffer, &word, 3, 0, 3, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_enqueue_fill_buffer(queue, buffer, &word, 4, 2, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_enqueue_fill_buffer(queue, buffer, NULL, 4, 0, 4, 0, NULL, NULL));
}

Test(opencl_memory, rectangles, .init = set_up)
{
    cl_mem buffer = counting(256), other = new_buffer(context, 256);
    uint8_t host[64] = {0};
    const size_t origin[3] = {2, 1, 0}, zero[3] = {0, 0, 0}, region[3] = {3, 2, 2};
    OK(opencl_enqueue_read_buffer_rect(queue, buffer, CL_TRUE, origin, zero, region, 8, 32, 4, 8, host, 0, NULL, NULL));
    cr_expect_eq(host[0], 8 + 2);
    cr_expect_eq(host[2], 8 + 4);
    cr_expect_eq(host[3], 0, "outside");
    cr_expect_eq(host[4], 16 + 2);
    cr_expect_eq(host[8], 32 + 8 + 2);
    OK(opencl_enqueue_fill_buffer(queue, other, "", 1, 0, 256, 0, NULL, NULL));
    OK(opencl_enqueue_copy_buffer_rect(queue, buffer, other, origin, zero, region, 8, 32, 0, 0, 0, NULL, NULL));
    cr_expect_eq(byte_at(other, 3), 16 + 2, "pitches of 0 are those of the region");
    cr_expect_eq(byte_at(other, 11), 32 + 16 + 4);
    host[0] = 77;
    OK(opencl_enqueue_write_buffer_rect(queue, other, CL_TRUE, origin, zero, region, 8, 32, 4, 8, host, 0, NULL, NULL));
    cr_expect_eq(byte_at(other, 10), 77);
}

Test(opencl_memory, rectangles_are_checked, .init = set_up)
{
    cl_mem buffer = counting(256);
    uint8_t host[64];
    const size_t zero[3] = {0, 0, 0}, region[3] = {8, 4, 1}, far[3] = {0, 29, 0}, huge[3] = {0, SIZE_MAX, 0},
                 next[3] = {4, 0, 0}, below[3] = {0, 4, 0}, down[3] = {4, 3, 0};
    GIVES(CL_INVALID_VALUE,
          opencl_enqueue_read_buffer_rect(queue, buffer, CL_TRUE, zero, zero, region, 7, 0, 8, 0, host, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_enqueue_read_buffer_rect(queue, buffer, CL_TRUE, zero, zero, region, 8, 33, 8, 0,
                                                            host, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE,
          opencl_enqueue_read_buffer_rect(queue, buffer, CL_TRUE, far, zero, region, 8, 0, 8, 0, host, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE,
          opencl_enqueue_read_buffer_rect(queue, buffer, CL_TRUE, huge, zero, region, 8, 0, 8, 0, host, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE,
          opencl_enqueue_read_buffer_rect(queue, buffer, CL_TRUE, zero, zero, zero, 8, 0, 8, 0, host, 0, NULL, NULL));
    GIVES(CL_MEM_COPY_OVERLAP,
          opencl_enqueue_copy_buffer_rect(queue, buffer, buffer, zero, next, region, 16, 64, 16, 64, 0, NULL, NULL));
    GIVES(CL_MEM_COPY_OVERLAP,
          opencl_enqueue_copy_buffer_rect(queue, buffer, buffer, down, zero, region, 16, 64, 16, 64, 0, NULL, NULL));
    OK(opencl_enqueue_copy_buffer_rect(queue, buffer, buffer, zero, below, region, 16, 64, 16, 64, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE,
          opencl_enqueue_copy_buffer_rect(queue, buffer, buffer, zero, below, region, 16, 64, 8, 32, 0, NULL, NULL));
    cr_expect_eq(byte_at(buffer, 64 + 7), 7);
}

Test(opencl_memory, maps, .init = set_up)
{
    cl_int error;
    cl_mem buffer = counting(256);
    cl_uint maps = 0;
    uint8_t *read = opencl_enqueue_map_buffer(queue, buffer, CL_TRUE, CL_MAP_READ, 10, 20, 0, NULL, NULL, &error);
    OK(error);
    uint8_t *write = opencl_enqueue_map_buffer(queue, buffer, CL_FALSE, CL_MAP_WRITE, 100, 20, 0, NULL, NULL, &error);
    OK(error);
    OK(opencl_finish(queue));
    cr_expect_eq(read[0], 10);
    cr_expect_eq(write, read + 90, "at one place");
    cr_expect_eq(write[1], 101);
    write[0] = 55;
    read[0] = 66;
    OK(opencl_get_mem_object_info(buffer, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
    cr_expect_eq(maps, 2);
    GIVES(CL_INVALID_VALUE, opencl_enqueue_unmap_mem_object(queue, buffer, write + 1, 0, NULL, NULL));
    OK(opencl_enqueue_unmap_mem_object(queue, buffer, write, 0, NULL, NULL));
    OK(opencl_enqueue_unmap_mem_object(queue, buffer, read, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_enqueue_unmap_mem_object(queue, buffer, read, 0, NULL, NULL));
    OK(opencl_get_mem_object_info(buffer, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
    cr_expect_eq(maps, 0);
    cr_expect_eq(byte_at(buffer, 100), 55);
    cr_expect_eq(byte_at(buffer, 101), 101);
    cr_expect_eq(byte_at(buffer, 10), 10, "it was mapped to be read");
    opencl_enqueue_map_buffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 1, 0, NULL, NULL,
                              &error);
    GIVES(CL_INVALID_VALUE, error);
}

Test(opencl_memory, memory_of_the_program, .init = set_up)
{
    static uint8_t mine[512];
    cl_int error;
    cl_mem buffer = opencl_create_buffer(context, CL_MEM_USE_HOST_PTR, sizeof mine, mine, &error);
    OK(error);
    OK(opencl_enqueue_fill_buffer(queue, buffer, "\3", 1, 0, sizeof mine, 0, NULL, NULL));
    uint8_t *map = opencl_enqueue_map_buffer(queue, buffer, CL_TRUE, CL_MAP_READ, 8, 8, 0, NULL, NULL, &error);
    cr_expect_eq(map, mine + 8);
    cr_expect_eq(mine[8], 3);
    cr_expect_eq(mine[16], 0);
}

Test(opencl_memory, parts_of_a_buffer, .init = set_up)
{
    cl_int error;
    cl_mem whole = counting(1024);
    cl_buffer_region region = {256, 100}, odd = {4, 100}, beyond = {768, 257}, empty = {0, 0};
    cl_mem part = opencl_create_sub_buffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    OK(error);
    cr_expect_eq(byte_at(part, 3), (256 + 3) % 256);
    OK(opencl_enqueue_fill_buffer(queue, part, "\7", 1, 0, 100, 0, NULL, NULL));
    cr_expect_eq(byte_at(whole, 355), 7);
    cr_expect_eq(byte_at(whole, 356), 100);
    cl_mem parent;
    size_t offset;
    OK(opencl_get_mem_object_info(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    OK(opencl_get_mem_object_info(part, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    cr_expect_eq(parent, whole);
    cr_expect_eq(offset, 256);
    opencl_create_sub_buffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &error);
    GIVES(CL_MISALIGNED_SUB_BUFFER_OFFSET, error);
    opencl_create_sub_buffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &beyond, &error);
    GIVES(CL_INVALID_VALUE, error);
    opencl_create_sub_buffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &error);
    GIVES(CL_INVALID_BUFFER_SIZE, error);
    opencl_create_sub_buffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &error);
    GIVES(CL_INVALID_MEM_OBJECT, error);
    opencl_create_sub_buffer(whole, CL_MEM_USE_HOST_PTR, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    GIVES(CL_INVALID_VALUE, error);
    GIVES(CL_MEM_COPY_OVERLAP, opencl_enqueue_copy_buffer(queue, part, whole, 0, 300, 50, 0, NULL, NULL));
    OK(opencl_release_mem_object(whole));
    cr_expect_eq(byte_at(part, 0), 7, "the part keeps the whole");
    OK(opencl_release_mem_object(part));
    cr_expect_eq(fake.allocations, 0);
}

Test(opencl_memory, too_much_of_it, .init = set_up)
{
    cl_int error;
    static uint8_t bytes[FAKE_MEMORY];
    cl_mem most = new_buffer(context, FAKE_MEMORY - 1024);
    cr_expect_null(opencl_create_buffer(context, 0, 2048, NULL, &error));
    GIVES(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
    OK(opencl_enqueue_write_buffer(queue, most, CL_FALSE, 0, 4096, bytes, 0, NULL, NULL));
    OK(opencl_release_mem_object(most));
    cl_mem next = opencl_create_buffer(context, 0, 2048, NULL, &error);
    OK(error); /* the write was waited for, which held the other */
    OK(opencl_release_mem_object(next));
}
