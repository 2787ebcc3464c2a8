/* SPDX-License-Identifier: MIT */
/* Programs that are compiled, then linked. */
#include "program.h"
#include "rig.h"

static cl_context context;
static cl_device_id one = &opencl_device;

static cl_program with_source(const char *text)
{
    cl_int error;
    cl_program made = opencl_create_program_with_source(context, 1, &text, NULL, &error);
    OK(error);
    return made;
}

static void set_up(void)
{
    context = new_context();
}

static char *log_of(cl_program of)
{
    static char text[256];
    OK(opencl_get_program_build_info(of, one, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
    return text;
}

Test(opencl_linking, compile_then_link, .init = set_up)
{
    cl_int error;
    cl_program header = with_source("of the header"), part = with_source("good");
    const char *name = "h.h";
    OK(opencl_compile_program(part, 0, NULL, NULL, 1, &header, &name, NULL, NULL));
    cr_expect_str_eq(log_of(part), "of the header");
    opencl_create_kernel(part, "scale", &error);
    GIVES(CL_INVALID_PROGRAM_EXECUTABLE, error);
    cl_program whole = opencl_link_program(context, 0, NULL, NULL, 1, &part, NULL, NULL, &error);
    OK(error);
    cr_expect_not_null(opencl_create_kernel(whole, "scale", &error));
    GIVES(CL_COMPILE_PROGRAM_FAILURE,
          opencl_compile_program(with_source("bad"), 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    cl_program bad = with_source("bad");
    opencl_link_program(context, 0, NULL, NULL, 1, &bad, NULL, NULL, &error);
    GIVES(CL_INVALID_OPERATION, error);
    opencl_link_program(context, 0, NULL, NULL, 1, &whole, NULL, NULL, &error);
    GIVES(CL_INVALID_OPERATION, error); /* it is linked */
}

static cl_program_binary_type type_of(cl_program of)
{
    cl_program_binary_type type = 0;
    OK(opencl_get_program_build_info(of, one, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    return type;
}

static cl_program compiled(const char *source)
{
    cl_program made = with_source(source);
    OK(opencl_compile_program(made, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    GIVES(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, type_of(made));
    return made;
}

static cl_program again(cl_program of)
{
    size_t size;
    unsigned char bytes[64], *places[] = {bytes};
    const unsigned char *image = bytes;
    cl_int error;
    OK(opencl_get_program_info(of, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    OK(opencl_get_program_info(of, CL_PROGRAM_BINARIES, sizeof places, places, NULL));
    cl_program made = opencl_create_program_with_binary(context, 1, &one, &size, &image, NULL, &error);
    OK(error);
    GIVES(type_of(of), type_of(made));
    return made;
}

static int calls;

static void CL_CALLBACK count_calls(cl_program of, void *data)
{
    (void)of;
    *(int *)data += 1;
}

Test(opencl_linking, link_several_and_libraries, .init = set_up)
{
    cl_int error;
    cl_program parts[2] = {compiled("good one"), compiled("good two")};
    cl_program library = opencl_link_program(context, 0, NULL, "-create-library", 2, parts, NULL, NULL, &error);
    OK(error);
    GIVES(CL_PROGRAM_BINARY_TYPE_LIBRARY, type_of(library));
    opencl_create_kernel(library, "scale", &error);
    GIVES(CL_INVALID_PROGRAM_EXECUTABLE, error);
    cl_program both[2] = {library, again(parts[0])};
    GIVES(CL_INVALID_BINARY, opencl_build_program(both[1], 0, NULL, NULL, NULL, NULL));
    cl_program whole = opencl_link_program(context, 1, &one, "", 2, both, count_calls, &calls, &error);
    OK(error);
    GIVES(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, type_of(whole));
    cr_expect_not_null(opencl_create_kernel(whole, "scale", &error));
    cr_expect_eq(calls, 1);
    again(library);
}

Test(opencl_linking, link_mistakes, .init = set_up)
{
    cl_int error;
    cl_program parts[2] = {compiled("good one"), compiled("good")}, none = NULL;
    cl_program wrong = with_source("good, too");
    opencl_link_program(NULL, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    GIVES(CL_INVALID_CONTEXT, error);
    opencl_link_program(context, 0, NULL, NULL, 0, NULL, NULL, NULL, &error);
    GIVES(CL_INVALID_VALUE, error);
    opencl_link_program(context, 0, NULL, NULL, 0, parts, NULL, NULL, &error);
    GIVES(CL_INVALID_VALUE, error);
    opencl_link_program(context, 0, &one, NULL, 2, parts, NULL, NULL, &error);
    GIVES(CL_INVALID_VALUE, error);
    opencl_link_program(context, 0, NULL, NULL, 2, parts, NULL, &calls, &error);
    GIVES(CL_INVALID_VALUE, error);
    opencl_link_program(context, 0, NULL, NULL, 1, &none, NULL, NULL, &error);
    GIVES(CL_INVALID_PROGRAM, error);
    opencl_link_program(context, 0, NULL, NULL, 1, &wrong, NULL, NULL, &error);
    GIVES(CL_INVALID_OPERATION, error); /* it is not compiled */
    cr_expect_null(opencl_link_program(context, 0, NULL, "-wrong", 2, parts, NULL, NULL, &error));
    GIVES(CL_INVALID_LINKER_OPTIONS, error);
    cl_program odd[2] = {parts[0], again(parts[1])};
    OK(opencl_compile_program(wrong, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    GIVES(CL_INVALID_OPERATION, opencl_compile_program(odd[1], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
}

Test(opencl_linking, a_program_that_cannot_be_linked_has_a_log, .init = set_up)
{
    cl_int error;
    size_t size = 11;
    const unsigned char *image = (const unsigned char *)"object evil";
    cl_program bad = opencl_create_program_with_binary(context, 1, &one, &size, &image, NULL, &error);
    OK(error);
    cl_program made = opencl_link_program(context, 0, NULL, NULL, 1, &bad, NULL, NULL, &error);
    GIVES(CL_LINK_PROGRAM_FAILURE, error);
    cr_assert_not_null(made);
    cr_expect_str_eq(log_of(made), "an object is not good");
}

Test(opencl_linking, headers_are_programs_with_a_source, .init = set_up)
{
    cl_program part = with_source("good"), header = with_source("x"), none = NULL;
    const char *name = "h.h", *no_name = NULL;
    GIVES(CL_INVALID_VALUE, opencl_compile_program(part, 0, NULL, NULL, 1, NULL, &name, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_compile_program(part, 0, NULL, NULL, 1, &header, NULL, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_compile_program(part, 0, NULL, NULL, 0, &header, &name, NULL, NULL));
    GIVES(CL_INVALID_PROGRAM, opencl_compile_program(part, 0, NULL, NULL, 1, &none, &name, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_compile_program(part, 0, NULL, NULL, 1, &header, &no_name, NULL, NULL));
    GIVES(CL_INVALID_COMPILER_OPTIONS, opencl_compile_program(part, 0, NULL, "-wrong", 0, NULL, NULL, NULL, NULL));
}
