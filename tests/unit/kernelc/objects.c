/* SPDX-License-Identifier: MIT */
/* Programs that are compiled one by one and then linked. */
#include "compiling.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static kernelc_output object(const char *text)
{
    kernelc_output made;
    const kernelc_input input = {
        .name = "folder/my.cl", .data = text, .bytes = strlen(text), .is_compiled_only = 1, .cache = ""};
    cr_assert_eq(heddle_kernelc_compile(&input, &made), KERNELC_DONE, "%s", made.log);
    cr_expect_eq(heddle_kernelc_product(made.image, made.bytes), KERNELC_OBJECT);
    return made;
}

static kernelc_output linked(const char *options, const char *const *texts, size_t count, kernelc_outcome expected)
{
    kernelc_output made, parts[4];
    kernelc_object objects[4];
    cr_assert(count <= COUNT_OF(parts));
    for (size_t i = 0; i < count; i++) {
        parts[i] = object(texts[i]);
        objects[i] = (kernelc_object){parts[i].image, parts[i].bytes};
    }
    const kernelc_input input = {.options = options, .objects = objects, .object_count = count, .cache = ""};
    cr_expect_eq(heddle_kernelc_compile(&input, &made), expected, "%s", made.log ? made.log : "");
    for (size_t i = 0; i < count; i++)
        heddle_kernelc_free(&parts[i]);
    return made;
}

static void expect_kernels(const kernelc_output *made, uint32_t count)
{
    char error[256];
    kernelc_kernels kernels;
    cr_assert_eq(heddle_kernelc_kernels(made->image, made->bytes, &kernels, error, sizeof error), KERNELC_DONE, "%s",
                 error);
    cr_expect_eq(kernels.count, count);
    heddle_kernelc_kernels_free(&kernels);
}

/* As those of a header that each of them includes. */
Test(objects, may_have_the_same_inline_functions)
{
    static const char *const texts[] = {
        "inline int twice(int x) { return 2 * x; }\nint f(int x) { return twice(x); }",
        "inline int twice(int x) { return 2 * x; }\nint f(int);\nkernel void k(global int *a) { a[0] = f(twice(1)); }"};
    kernelc_output made = linked("-cl-fast-relaxed-math", texts, 2, KERNELC_DONE);
    expect_kernels(&made, 1);
    heddle_kernelc_free(&made);
}

Test(objects, of_kernels_with_local_memory_and_own_names)
{
    static const char *const texts[] = {"static int own(int x) { return x; }\nkernel void a(global int *p) { local int "
                                        "s[8]; s[own(0)] = 1; p[0] = s[1]; }",
                                        "static int own(int x) { return -x; }\nkernel void b(global int *p) { local "
                                        "int s[4]; s[own(0)] = 2; p[0] = s[1]; }"};
    kernelc_output made = linked(NULL, texts, 2, KERNELC_DONE);
    expect_kernels(&made, 2);
    heddle_kernelc_free(&made);
}

Test(objects, make_a_library_that_lacks_functions)
{
    static const char *const texts[] = {"int g(int);\nint f(int x) { return g(x); }"};
    kernelc_output made = linked("-create-library -enable-link-options", texts, 1, KERNELC_DONE);
    cr_expect_eq(heddle_kernelc_product(made.image, made.bytes), KERNELC_LIBRARY);
    heddle_kernelc_free(&made);
}

static void expect_refusal(const char *options, const char *const *texts, kernelc_outcome outcome, const char *part)
{
    kernelc_output made = linked(options, texts, 2, outcome);
    cr_expect(made.log && strstr(made.log, part), "%s\nis not in\n%s", part, made.log ? made.log : "");
    cr_expect_null(made.image);
    heddle_kernelc_free(&made);
}

Test(objects, that_cannot_be_linked)
{
    static const char *const twice[] = {"int f(int x) { return x; }", "int f(int x) { return -x; }"};
    static const char *const lacking[] = {"int f(int);\n\nkernel void k(global int *a) { a[0] = f(1); }",
                                          "int g(int x) { return x; }"};
    static const char *const empty[] = {"int f(int x) { return x; }", "int g(int x) { return -x; }"};
    expect_refusal("", twice, KERNELC_REFUSED, "error: 'f' is defined by several of the programs");
    expect_refusal("", lacking, KERNELC_REFUSED, "error: function 'f' is called and not defined");
    expect_refusal("", empty, KERNELC_REFUSED, "error: there is no kernel in it");
    expect_refusal("-cl-mad-enable", twice, KERNELC_OPTIONS, "link option '-cl-mad-enable' is not known");
}

Test(objects, that_are_damaged_are_refused)
{
    static const char *const texts[] = {"; heddle.opencl 1 object\ndefine nonsense", "x", ""};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        kernelc_output made;
        const kernelc_object damaged = {texts[i], strlen(texts[i])};
        const kernelc_input input = {.objects = &damaged, .object_count = 1, .cache = ""};
        cr_expect_eq(heddle_kernelc_compile(&input, &made), KERNELC_REFUSED);
        cr_expect(made.log && *made.log);
        heddle_kernelc_free(&made);
    }
}
