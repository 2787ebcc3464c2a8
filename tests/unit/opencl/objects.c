/* SPDX-License-Identifier: MIT */
/* Objects, their references, and what they answer. */
#include <string.h>

#include "program.h"
#include "rig.h"

Test(opencl_objects, references_are_those_of_the_program)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_uint references = 0;
    OK(opencl_retain_context(context));
    OK(opencl_get_context_info(context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL));
    cr_expect_eq(references, 2, "the queue holds it too, which is none of the program's business");
    OK(opencl_release_context(context));
    OK(opencl_release_context(context));
    GIVES(CL_INVALID_CONTEXT, opencl_release_context(context)); /* the queue keeps it alive */
    GIVES(CL_INVALID_CONTEXT, opencl_retain_context(context));
    OK(opencl_release_command_queue(queue));
}

Test(opencl_objects, a_handle_of_another_kind_is_refused)
{
    cl_context context = new_context();
    cl_mem buffer = new_buffer(context, 64);
    GIVES(CL_INVALID_CONTEXT, opencl_retain_context((cl_context)buffer));
    GIVES(CL_INVALID_MEM_OBJECT, opencl_release_mem_object((cl_mem)context));
    GIVES(CL_INVALID_MEM_OBJECT, opencl_release_mem_object(NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE, opencl_finish((cl_command_queue)buffer));
    GIVES(CL_INVALID_EVENT, opencl_retain_event((cl_event)buffer));
    GIVES(CL_INVALID_PROGRAM, opencl_retain_program((cl_program)buffer));
    GIVES(CL_INVALID_KERNEL, opencl_release_kernel((cl_kernel)buffer));
    GIVES(CL_INVALID_DEVICE, opencl_retain_device((cl_device_id)buffer));
    GIVES(CL_INVALID_SAMPLER, opencl_release_sampler((cl_sampler)buffer));
}

Test(opencl_objects, answers_have_the_size_of_their_type)
{
    cl_context context = new_context();
    char small[4], name[64];
    size_t needed = 0;
    OK(opencl_get_device_info(&opencl_device, CL_DEVICE_NAME, sizeof name, name, &needed));
    cr_expect_str_eq(name, "fake");
    cr_expect_eq(needed, 5);
    GIVES(CL_INVALID_VALUE, opencl_get_device_info(&opencl_device, CL_DEVICE_NAME, sizeof small, small, NULL));
    GIVES(CL_INVALID_VALUE, opencl_get_device_info(&opencl_device, 0x9999, sizeof name, name, NULL));
    size_t sizes[3];
    OK(opencl_get_device_info(&opencl_device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, &needed));
    cr_expect_eq(needed, sizeof sizes);
    cr_expect_eq(sizes[2], 1024);
    cl_context_properties none;
    OK(opencl_get_context_info(context, CL_CONTEXT_PROPERTIES, sizeof none, &none, &needed));
    cr_expect_eq(needed, 0);
}

Test(opencl_objects, devices_are_found_by_type)
{
    cl_device_id device = NULL;
    cl_uint count = 7;
    GIVES(CL_DEVICE_NOT_FOUND, opencl_get_device_ids(&opencl_platform, CL_DEVICE_TYPE_CPU, 1, &device, &count));
    cr_expect_eq(count, 0);
    GIVES(CL_INVALID_DEVICE_TYPE, opencl_get_device_ids(&opencl_platform, 1u << 20, 1, &device, NULL));
    GIVES(CL_INVALID_VALUE, opencl_get_device_ids(&opencl_platform, CL_DEVICE_TYPE_GPU, 0, &device, NULL));
    GIVES(CL_INVALID_PLATFORM,
          opencl_get_device_ids((cl_platform_id)&opencl_device, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    OK(opencl_get_device_ids(&opencl_platform, CL_DEVICE_TYPE_GPU, 1, &device, &count));
    cr_expect_eq(device, &opencl_device);
}

Test(opencl_objects, contexts_are_checked)
{
    cl_int error;
    const cl_context_properties good[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)&opencl_platform, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)&opencl_platform,
                                           CL_CONTEXT_PLATFORM, (cl_context_properties)&opencl_platform, 0};
    const cl_context_properties wrong[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)&opencl_device, 0};
    cl_device_id device = &opencl_device, none = (cl_device_id)&opencl_platform;
    cr_expect_not_null(opencl_create_context(good, 1, &device, NULL, NULL, &error));
    OK(error);
    cr_expect_null(opencl_create_context(twice, 1, &device, NULL, NULL, &error));
    GIVES(CL_INVALID_PROPERTY, error);
    cr_expect_null(opencl_create_context(wrong, 1, &device, NULL, NULL, &error));
    GIVES(CL_INVALID_PLATFORM, error);
    cr_expect_null(opencl_create_context(NULL, 1, &none, NULL, NULL, &error));
    GIVES(CL_INVALID_DEVICE, error);
    cr_expect_null(opencl_create_context(NULL, 0, NULL, NULL, NULL, &error));
    GIVES(CL_INVALID_VALUE, error);
    cr_expect_null(opencl_create_context(NULL, 1, &device, NULL, &error, &error));
    GIVES(CL_INVALID_VALUE, error);
    cr_expect_null(opencl_create_context_from_type(NULL, CL_DEVICE_TYPE_CPU, NULL, NULL, &error));
    GIVES(CL_DEVICE_NOT_FOUND, error);
}

Test(opencl_objects, a_machine_that_cannot_be_opened)
{
    cl_int error;
    cl_device_id device = &opencl_device;
    fake.refuses_machine = 1;
    cr_expect_null(opencl_create_context(NULL, 1, &device, NULL, NULL, &error));
    GIVES(CL_DEVICE_NOT_AVAILABLE, error);
}

Test(opencl_objects, queues_are_checked)
{
    cl_int error;
    cl_context context = new_context();
    const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
    const cl_queue_properties good[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_queue_properties read[4];
    size_t needed;
    cr_expect_null(opencl_create_command_queue(context, &opencl_device, 1u << 9, &error));
    GIVES(CL_INVALID_VALUE, error);
    cr_expect_null(opencl_create_command_queue(context, NULL, 0, &error));
    GIVES(CL_INVALID_DEVICE, error);
    cr_expect_null(opencl_create_command_queue_with_properties(context, &opencl_device, on_device, &error));
    GIVES(CL_INVALID_QUEUE_PROPERTIES, error);
    cl_command_queue queue = opencl_create_command_queue_with_properties(context, &opencl_device, good, &error);
    OK(error);
    OK(opencl_get_command_queue_info(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof read, read, &needed));
    cr_expect_eq(needed, sizeof good);
    cr_expect_arr_eq(read, good, sizeof good);
}

/* There are more queues than lanes: they share. */
Test(opencl_objects, any_number_of_queues)
{
    cl_context context = new_context();
    cl_mem buffer = new_buffer(context, 64);
    for (uint32_t i = 0; i < 3 * FAKE_LANES; i++) {
        uint32_t word = i, read = 0;
        cl_command_queue queue = new_queue(context, i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        OK(opencl_enqueue_write_buffer(queue, buffer, CL_TRUE, 0, 4, &word, 0, NULL, NULL));
        OK(opencl_enqueue_read_buffer(queue, buffer, CL_TRUE, 0, 4, &read, 0, NULL, NULL));
        cr_expect_eq(read, i);
    }
}

/* Lanes of queues that are gone are there for others. */
Test(opencl_objects, lanes_come_back)
{
    cl_context context = new_context();
    for (uint32_t i = 0; i < 3 * FAKE_LANES; i++)
        OK(opencl_release_command_queue(new_queue(context, 0)));
    cl_command_queue one = new_queue(context, 0), other = new_queue(context, 0);
    cr_expect_neq(one->lanes[0], other->lanes[0]);
    cr_expect_eq(one->lanes[0]->users, 1);
}

Test(opencl_objects, what_the_device_has_not)
{
    cl_int error;
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_uint formats = 9;
    cr_expect_null(opencl_create_image(context, 0, NULL, NULL, NULL, &error));
    GIVES(CL_INVALID_OPERATION, error);
    cr_expect_null(opencl_create_sampler(context, CL_TRUE, 0, 0, &error));
    GIVES(CL_INVALID_OPERATION, error);
    cr_expect_null(opencl_create_sampler(NULL, CL_TRUE, 0, 0, &error));
    GIVES(CL_INVALID_CONTEXT, error);
    OK(opencl_get_supported_image_formats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &formats));
    cr_expect_eq(formats, 0);
    GIVES(CL_INVALID_OPERATION, opencl_enqueue_native_kernel(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_OPERATION, opencl_dispatch.clEnqueueSVMFree(queue, 0, NULL, NULL, NULL, 0, NULL, NULL));
    cr_expect_null(opencl_dispatch.clCreateFromGLBuffer(context, 0, 0, &error));
}
