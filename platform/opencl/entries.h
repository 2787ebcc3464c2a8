/* SPDX-License-Identifier: MIT */
/* Private to platform/opencl: the functions of the standard, as the dispatch table has them. */
#ifndef OPENCL_ENTRIES_H
#define OPENCL_ENTRIES_H

#include "runtime.h"

/* platform.c */
cl_int CL_API_CALL opencl_get_platform_ids(cl_uint count, cl_platform_id *platforms, cl_uint *available);
cl_int CL_API_CALL opencl_get_platform_info(cl_platform_id platform, cl_platform_info query, size_t size, void *value,
                                            size_t *size_needed);
cl_int CL_API_CALL opencl_get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint count,
                                         cl_device_id *devices, cl_uint *available);
cl_int CL_API_CALL opencl_retain_device(cl_device_id asked);
cl_int CL_API_CALL opencl_release_device(cl_device_id asked);
cl_int CL_API_CALL opencl_create_sub_devices(cl_device_id asked, const cl_device_partition_property *properties,
                                             cl_uint count, cl_device_id *made, cl_uint *available);

/* device_info.c */
cl_int CL_API_CALL opencl_get_device_info(cl_device_id asked, cl_device_info query, size_t size, void *value,
                                          size_t *size_needed);

/* context.c */
cl_context CL_API_CALL opencl_create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *data, cl_int *error);
cl_context CL_API_CALL opencl_create_context_from_type(const cl_context_properties *properties, cl_device_type type,
                                                       void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                                                 void *),
                                                       void *data, cl_int *error);
cl_int CL_API_CALL opencl_retain_context(cl_context context);
cl_int CL_API_CALL opencl_release_context(cl_context context);
cl_int CL_API_CALL opencl_get_context_info(cl_context context, cl_context_info query, size_t size, void *value,
                                           size_t *size_needed);
cl_int CL_API_CALL opencl_set_context_destructor_callback(cl_context context,
                                                          void(CL_CALLBACK *function)(cl_context, void *), void *data);

/* queue.c */
cl_command_queue CL_API_CALL opencl_create_command_queue(cl_context context, cl_device_id device,
                                                         cl_command_queue_properties properties, cl_int *error);
cl_command_queue CL_API_CALL opencl_create_command_queue_with_properties(cl_context context, cl_device_id device,
                                                                         const cl_queue_properties *list,
                                                                         cl_int *error);
cl_int CL_API_CALL opencl_retain_command_queue(cl_command_queue queue);
cl_int CL_API_CALL opencl_release_command_queue(cl_command_queue queue);
cl_int CL_API_CALL opencl_get_command_queue_info(cl_command_queue queue, cl_command_queue_info query, size_t size,
                                                 void *value, size_t *size_needed);
cl_int CL_API_CALL opencl_set_command_queue_property(cl_command_queue queue, cl_command_queue_properties properties,
                                                     cl_bool enable, cl_command_queue_properties *old);
cl_int CL_API_CALL opencl_flush(cl_command_queue queue);
cl_int CL_API_CALL opencl_finish(cl_command_queue queue);

/* event.c */
cl_int CL_API_CALL opencl_set_event_callback(cl_event event, cl_int status,
                                             void(CL_CALLBACK *function)(cl_event, cl_int, void *), void *data);
cl_int CL_API_CALL opencl_get_event_info(cl_event event, cl_event_info query, size_t size, void *value,
                                         size_t *size_needed);
cl_int CL_API_CALL opencl_get_event_profiling_info(cl_event event, cl_profiling_info query, size_t size, void *value,
                                                   size_t *size_needed);
cl_int CL_API_CALL opencl_retain_event(cl_event event);
cl_int CL_API_CALL opencl_release_event(cl_event event);
cl_event CL_API_CALL opencl_create_user_event(cl_context context, cl_int *error);
cl_int CL_API_CALL opencl_set_user_event_status(cl_event event, cl_int status);
cl_int CL_API_CALL opencl_wait_for_events(cl_uint count, const cl_event *events);

/* command.c */
cl_int CL_API_CALL opencl_enqueue_marker_with_wait_list(cl_command_queue queue, cl_uint count, const cl_event *list,
                                                        cl_event *event);
cl_int CL_API_CALL opencl_enqueue_barrier_with_wait_list(cl_command_queue queue, cl_uint count, const cl_event *list,
                                                         cl_event *event);
cl_int CL_API_CALL opencl_enqueue_marker(cl_command_queue queue, cl_event *event);
cl_int CL_API_CALL opencl_enqueue_barrier(cl_command_queue queue);
cl_int CL_API_CALL opencl_enqueue_wait_for_events(cl_command_queue queue, cl_uint count, const cl_event *list);

/* buffer.c */
cl_mem CL_API_CALL opencl_create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                                        cl_int *error);
cl_mem CL_API_CALL opencl_create_buffer_with_properties(cl_context context, const cl_mem_properties *properties,
                                                        cl_mem_flags flags, size_t bytes, void *host, cl_int *error);
cl_int CL_API_CALL opencl_retain_mem_object(cl_mem buffer);
cl_int CL_API_CALL opencl_release_mem_object(cl_mem buffer);
cl_int CL_API_CALL opencl_get_mem_object_info(cl_mem buffer, cl_mem_info query, size_t size, void *value,
                                              size_t *size_needed);
cl_int CL_API_CALL opencl_set_mem_object_destructor_callback(cl_mem buffer, void(CL_CALLBACK *function)(cl_mem, void *),
                                                             void *data);
cl_mem CL_API_CALL opencl_create_sub_buffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *region, cl_int *error);

/* map.c */
void *CL_API_CALL opencl_enqueue_map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, cl_map_flags flags,
                                            size_t offset, size_t bytes, cl_uint count, const cl_event *list,
                                            cl_event *event, cl_int *error);
cl_int CL_API_CALL opencl_enqueue_unmap_mem_object(cl_command_queue queue, cl_mem buffer, void *pointer, cl_uint count,
                                                   const cl_event *list, cl_event *event);

/* transfer.c */
cl_int CL_API_CALL opencl_enqueue_read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset,
                                              size_t bytes, void *host, cl_uint count, const cl_event *list,
                                              cl_event *event);
cl_int CL_API_CALL opencl_enqueue_write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset,
                                               size_t bytes, const void *host, cl_uint count, const cl_event *list,
                                               cl_event *event);
cl_int CL_API_CALL opencl_enqueue_copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                              size_t to_offset, size_t bytes, cl_uint count, const cl_event *list,
                                              cl_event *event);
cl_int CL_API_CALL opencl_enqueue_fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                              size_t pattern_bytes, size_t offset, size_t bytes, cl_uint count,
                                              const cl_event *list, cl_event *event);
cl_int CL_API_CALL opencl_enqueue_migrate_mem_objects(cl_command_queue queue, cl_uint buffer_count,
                                                      const cl_mem *buffers, cl_mem_migration_flags flags,
                                                      cl_uint count, const cl_event *list, cl_event *event);

/* rectangle.c */
cl_int CL_API_CALL opencl_enqueue_read_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocks,
                                                   const size_t *buffer_origin, const size_t *host_origin,
                                                   const size_t *region, size_t buffer_row, size_t buffer_slice,
                                                   size_t host_row, size_t host_slice, void *host, cl_uint count,
                                                   const cl_event *list, cl_event *event);
cl_int CL_API_CALL opencl_enqueue_write_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocks,
                                                    const size_t *buffer_origin, const size_t *host_origin,
                                                    const size_t *region, size_t buffer_row, size_t buffer_slice,
                                                    size_t host_row, size_t host_slice, const void *host, cl_uint count,
                                                    const cl_event *list, cl_event *event);
cl_int CL_API_CALL opencl_enqueue_copy_buffer_rect(cl_command_queue queue, cl_mem from, cl_mem to,
                                                   const size_t *from_origin, const size_t *to_origin,
                                                   const size_t *region, size_t from_row, size_t from_slice,
                                                   size_t to_row, size_t to_slice, cl_uint count, const cl_event *list,
                                                   cl_event *event);

/* program.c */
cl_program CL_API_CALL opencl_create_program_with_source(cl_context context, cl_uint count, const char **texts,
                                                         const size_t *lengths, cl_int *error);
cl_program CL_API_CALL opencl_create_program_with_il(cl_context context, const void *data, size_t bytes, cl_int *error);
cl_program CL_API_CALL opencl_create_program_with_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                         const size_t *lengths, const unsigned char **images,
                                                         cl_int *statuses, cl_int *error);
cl_int CL_API_CALL opencl_retain_program(cl_program program);
cl_int CL_API_CALL opencl_release_program(cl_program program);

/* program_build.c */
cl_int CL_API_CALL opencl_build_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *data);
cl_int CL_API_CALL opencl_compile_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                          const char *options, cl_uint header_count, const cl_program *headers,
                                          const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
                                          void *data);
cl_program CL_API_CALL opencl_link_program(cl_context context, cl_uint count, const cl_device_id *devices,
                                           const char *options, cl_uint program_count, const cl_program *programs,
                                           void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *error);
cl_int CL_API_CALL opencl_unload_compiler(void);
cl_int CL_API_CALL opencl_unload_platform_compiler(cl_platform_id platform);

/* program_info.c */
cl_int CL_API_CALL opencl_get_program_info(cl_program program, cl_program_info query, size_t size, void *value,
                                           size_t *size_needed);
cl_int CL_API_CALL opencl_get_program_build_info(cl_program program, cl_device_id device, cl_program_build_info query,
                                                 size_t size, void *value, size_t *size_needed);

/* kernel.c */
cl_kernel CL_API_CALL opencl_create_kernel(cl_program program, const char *name, cl_int *error);
cl_int CL_API_CALL opencl_create_kernels_in_program(cl_program program, cl_uint count, cl_kernel *kernels,
                                                    cl_uint *available);
cl_int CL_API_CALL opencl_retain_kernel(cl_kernel kernel);
cl_int CL_API_CALL opencl_release_kernel(cl_kernel kernel);
cl_int CL_API_CALL opencl_set_kernel_arg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value);

/* kernel_info.c */
cl_int CL_API_CALL opencl_get_kernel_info(cl_kernel kernel, cl_kernel_info query, size_t size, void *value,
                                          size_t *size_needed);
cl_int CL_API_CALL opencl_get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                                     cl_kernel_work_group_info query, size_t size, void *value,
                                                     size_t *size_needed);
cl_int CL_API_CALL opencl_get_kernel_arg_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info query, size_t size,
                                              void *value, size_t *size_needed);

/* launch.c */
cl_int CL_API_CALL opencl_enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                  const size_t *offset, const size_t *global, const size_t *local,
                                                  cl_uint count, const cl_event *list, cl_event *event);
cl_int CL_API_CALL opencl_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *list,
                                       cl_event *event);

/* unsupported.c */
cl_int CL_API_CALL opencl_not_supported(void);
void *CL_API_CALL opencl_makes_nothing(void);
cl_mem CL_API_CALL opencl_create_image(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                       const cl_image_desc *description, void *host, cl_int *error);
cl_mem CL_API_CALL opencl_create_image_with_properties(cl_context context, const cl_mem_properties *properties,
                                                       cl_mem_flags flags, const cl_image_format *format,
                                                       const cl_image_desc *description, void *host, cl_int *error);
cl_mem CL_API_CALL opencl_create_image_2d(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t pitch, void *host, cl_int *error);
cl_mem CL_API_CALL opencl_create_image_3d(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t depth, size_t row_pitch,
                                          size_t slice_pitch, void *host, cl_int *error);
cl_int CL_API_CALL opencl_get_supported_image_formats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                                      cl_uint count, cl_image_format *formats, cl_uint *available);
cl_int CL_API_CALL opencl_get_image_info(cl_mem image, cl_image_info query, size_t size, void *value,
                                         size_t *size_needed);
cl_sampler CL_API_CALL opencl_create_sampler(cl_context context, cl_bool normalised, cl_addressing_mode addressing,
                                             cl_filter_mode filter, cl_int *error);
cl_sampler CL_API_CALL opencl_create_sampler_with_properties(cl_context context,
                                                             const cl_sampler_properties *properties, cl_int *error);
cl_int CL_API_CALL opencl_retain_sampler(cl_sampler sampler);
cl_int CL_API_CALL opencl_release_sampler(cl_sampler sampler);
cl_int CL_API_CALL opencl_get_sampler_info(cl_sampler sampler, cl_sampler_info query, size_t size, void *value,
                                           size_t *size_needed);
cl_int CL_API_CALL opencl_enqueue_read_image(cl_command_queue queue, cl_mem image, cl_bool blocks, const size_t *origin,
                                             const size_t *region, size_t row_pitch, size_t slice_pitch, void *host,
                                             cl_uint count, const cl_event *list, cl_event *event);
cl_int CL_API_CALL opencl_enqueue_write_image(cl_command_queue queue, cl_mem image, cl_bool blocks,
                                              const size_t *origin, const size_t *region, size_t row_pitch,
                                              size_t slice_pitch, const void *host, cl_uint count, const cl_event *list,
                                              cl_event *event);
cl_int CL_API_CALL opencl_enqueue_copy_image(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                             const size_t *to_origin, const size_t *region, cl_uint count,
                                             const cl_event *list, cl_event *event);
cl_int CL_API_CALL opencl_enqueue_copy_image_to_buffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                                       const size_t *origin, const size_t *region, size_t offset,
                                                       cl_uint count, const cl_event *list, cl_event *event);
cl_int CL_API_CALL opencl_enqueue_copy_buffer_to_image(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                                                       const size_t *origin, const size_t *region, cl_uint count,
                                                       const cl_event *list, cl_event *event);
cl_int CL_API_CALL opencl_enqueue_fill_image(cl_command_queue queue, cl_mem image, const void *colour,
                                             const size_t *origin, const size_t *region, cl_uint count,
                                             const cl_event *list, cl_event *event);
void *CL_API_CALL opencl_enqueue_map_image(cl_command_queue queue, cl_mem image, cl_bool blocks, cl_map_flags flags,
                                           const size_t *origin, const size_t *region, size_t *row_pitch,
                                           size_t *slice_pitch, cl_uint count, const cl_event *list, cl_event *event,
                                           cl_int *error);
cl_int CL_API_CALL opencl_enqueue_native_kernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                                                void *arguments, size_t argument_bytes, cl_uint buffer_count,
                                                const cl_mem *buffers, const void **places, cl_uint count,
                                                const cl_event *list, cl_event *event);
cl_program CL_API_CALL opencl_create_program_with_built_in_kernels(cl_context context, cl_uint count,
                                                                   const cl_device_id *devices, const char *names,
                                                                   cl_int *error);
cl_mem CL_API_CALL opencl_create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint packets,
                                      const cl_pipe_properties *properties, cl_int *error);
void *CL_API_CALL opencl_svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment);
void CL_API_CALL opencl_svm_free(cl_context context, void *memory);

/* icd.c */
void *CL_API_CALL opencl_get_extension_function_address(cl_platform_id platform, const char *name);

#endif
