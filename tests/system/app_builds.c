/* SPDX-License-Identifier: MIT */
/* Apps that come as sources: built when they are run, and again when anything changes that they were built from. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"

static void copy_source_of(const char *app, const char *folder, const char *name)
{
    char *from = text_of("%s/%s/%s", HEDDLE_APP_SOURCES, app, name), *to = path_in(folder, name);
    file_copy(from, to);
    free(from);
    free(to);
}

static void copy_source(const char *folder, const char *name)
{
    copy_source_of("vecadd", folder, name);
}

Test(app_builds, of_an_app_that_comes_as_sources_take_place_once)
{
    char *folder = folder_new(), *cache = folder_new(), *app = path_in(folder, "mine");
    char *kernel = path_in(app, "kernel.c");
    cr_assert_eq(mkdir(app, 0700), 0);
    copy_source(app, "args.h");
    copy_source(app, "host.c");
    copy_source(app, "kernel.c");
    setenv("XDG_CACHE_HOME", cache, 1);
    finished run = heddle("run", SMALL, app, "--set", "app.n=100");
    expect_code(&run, 0);
    expect_output(&run, "PASS  mine on small");
    finished_free(&run);
    char *path = text_of("%s", getenv("PATH"));
    setenv("PATH", folder, 1); /* no compiler: it has to be built already */
    run = heddle("run", SMALL, app, "--set", "app.n=100");
    expect_code(&run, 0);
    finished_free(&run);
    setenv("PATH", path, 1);
    file_write(kernel, "int x = ;", 9);
    run = heddle("run", SMALL, app, "--set", "app.n=100");
    expect_code(&run, 2);
    expect_error(&run, "kernel.c:1:9: error");
    expect_error(&run, "it cannot be built");
    finished_free(&run);
    free(path);
    free(kernel);
    free(app);
    folder_remove(folder);
    folder_remove(cache);
}

/* How an app whose app.yaml is this line ends. */
static finished run_with(const char *line)
{
    char *folder = folder_new(), *cache = folder_new(), *app = path_in(folder, "mine"),
         *declared = path_in(app, "app.yaml");
    cr_assert_eq(mkdir(app, 0700), 0);
    copy_source(app, "args.h");
    copy_source(app, "host.c");
    copy_source(app, "kernel.c");
    file_write(declared, line, strlen(line));
    setenv("XDG_CACHE_HOME", cache, 1);
    finished run = heddle("run", SMALL, app, "--set", "app.n=100");
    free(declared);
    free(app);
    folder_remove(folder);
    folder_remove(cache);
    return run;
}

Test(app_builds, are_by_the_compiler_that_the_app_names)
{
    finished run = run_with("compiler: icc\n");
    expect_code(&run, 2);
    expect_error(&run, "app.yaml:1:11: error");
    expect_error(&run, "compiler is gcc or clang");
    finished_free(&run);
    run = run_with("compiler: gcc\n");
    expect_code(&run, 0);
    finished_free(&run);
    run = run_with("compiler: clang\n");
    if (HEDDLE_HAS_CLANG) {
        expect_code(&run, 0);
        expect_output(&run, "PASS  mine on small");
    } else {
        expect_code(&run, 2);
        expect_error(&run, "Debian package: clang-16");
    }
    finished_free(&run);
}

/* A helper with a transaction that is inlined at several places: LLVM would merge what they begin with, and the loader refuses a tx.begin with
 * two ends. */
Test(app_builds, do_not_merge_the_transactions_of_a_helper)
{
    static const char *const names[] = {"args.h",       "cut.h",        "host.c",  "image.h",
                                        "image_draw.h", "image_read.h", "kernel.c"};
    char *folder = folder_new(), *cache = folder_new(), *app = path_in(folder, "cuts"),
         *declared = path_in(app, "app.yaml");
    cr_assert_eq(mkdir(app, 0700), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        copy_source_of("cuda_cuts", app, names[i]);
    file_write(declared, "compiler: clang\n", strlen("compiler: clang\n"));
    setenv("XDG_CACHE_HOME", cache, 1);
    finished run = heddle("run", "gtx480_getm", app, "--set", "app.sync=tm", "--set", "app.width=9", "--set",
                          "app.height=7", "--set", "app.layout=padded", "--set", "app.seed=1");
    if (HEDDLE_HAS_CLANG) {
        expect_code(&run, 0);
        expect_output(&run, "PASS  cuts on gtx480_getm");
    }
    finished_free(&run);
    free(declared);
    free(app);
    folder_remove(folder);
    folder_remove(cache);
}

/* An app whose kernel, host program and firmware read headers that lie elsewhere. */
#define ELSEWHERE_KERNEL                                                                                               \
    "#include \"args.h\"\n#include \"simt.h\"\n#include \"../shared.h\"\n#include \"inc/a.h\"\n#include \"b.inc\"\n"   \
    "SIMT_KERNEL(vecadd, const vecadd_args *args)\n{\n    if (simt_global_index() == 0)\n"                             \
    "        HD_POINTER(uint32_t, args->c)[0] = SHARED * 100 + INNER * 10 + INCLUDED;\n}\n"
#define ELSEWHERE_HOST                                                                                                 \
    "#include \"args.h\"\n#include \"heddle_rt.h\"\n#ifdef __riscv\n#include \"inc/f.h\"\n#else\n#include \"d #$ "     \
    "ir/h.h\"\n#endif\nint hd_app_main(void)\n{\n    uint32_t "                                                        \
    "got;\n"                                                                                                           \
    "    vecadd_args args = {.c = hd_malloc(4), .n = 1};\n"                                                            \
    "    hd_launch(hd_kernel_named(\"vecadd\"), hd_1d(1), hd_1d(32), 0, &args, sizeof args);\n"                        \
    "    hd_copy_from_device(&got, args.c, 4);\n    hd_print(\"got %u from %u\\n\", got, (unsigned)HOSTED);\n"         \
    "    return HD_PASS;\n}\n"

static void write_define(const char *folder, const char *name, const char *word, uint32_t value)
{
    char *path = path_in(folder, name), *text = text_of("#define %s %u\n", word, value);
    file_write(path, text, strlen(text));
    free(path);
    free(text);
}

static void expect_printed_on(const char *machine, const char *app, const char *text)
{
    finished run = heddle("run", machine, app);
    expect_code(&run, 0);
    expect_output(&run, text);
    finished_free(&run);
}

static void expect_printed(const char *app, const char *text)
{
    expect_printed_on(SMALL, app, text);
}

Test(app_builds, take_place_again_whatever_the_compilers_read_has_changed)
{
    char *folder = folder_new(), *cache = folder_new(), *app = path_in(folder, "mine");
    char *kernel = path_in(app, "kernel.c"), *host = path_in(app, "host.c");
    char *inner = path_in(app, "inc"), *blank = path_in(app, "d #$ ir"), *bin = path_in(folder, "bin");
    cr_assert(!mkdir(app, 0700) && !mkdir(inner, 0700) && !mkdir(blank, 0700) && !mkdir(bin, 0700));
    copy_source(app, "args.h");
    file_write(kernel, ELSEWHERE_KERNEL, strlen(ELSEWHERE_KERNEL));
    file_write(host, ELSEWHERE_HOST, strlen(ELSEWHERE_HOST));
    write_define(folder, "shared.h", "SHARED", 1);
    write_define(inner, "a.h", "INNER", 2);
    write_define(app, "b.inc", "INCLUDED", 3);
    write_define(blank, "h.h", "HOSTED", 4);
    write_define(inner, "f.h", "HOSTED", 5);
    setenv("XDG_CACHE_HOME", cache, 1);
    expect_printed(app, "got 123 from 4\n");
    write_define(folder, "shared.h", "SHARED", 5);
    expect_printed(app, "got 523 from 4\n");
    write_define(inner, "a.h", "INNER", 6);
    expect_printed(app, "got 563 from 4\n");
    write_define(app, "b.inc", "INCLUDED", 7);
    expect_printed(app, "got 567 from 4\n");
    write_define(blank, "h.h", "HOSTED", 8);
    expect_printed(app, "got 567 from 8\n");
    expect_printed_on(SYSTEM_MACHINES "/firmware.yaml", app, "got 567 from 5\n");
    write_define(inner, "f.h", "HOSTED", 6);
    expect_printed_on(SYSTEM_MACHINES "/firmware.yaml", app, "got 567 from 6\n");
    /* What was there before is there still: no compiler is asked for. */
    char *path = text_of("%s", getenv("PATH"));
    write_define(blank, "h.h", "HOSTED", 4);
    write_define(inner, "f.h", "HOSTED", 5);
    setenv("PATH", blank, 1);
    expect_printed(app, "got 567 from 4\n");
    setenv("PATH", path, 1);
    /* Another compiler of the host. */
    char *compiler = path_in(bin, "cc"), *asked = path_in(bin, "asked"), *first = text_of("%s:%s", bin, path);
    char *script = text_of("#!/bin/sh\n: >'%s'\nPATH='%s'\nexec cc \"$@\"\n", asked, path);
    file_write(compiler, script, strlen(script));
    cr_assert_eq(chmod(compiler, 0700), 0);
    setenv("PATH", first, 1);
    expect_printed(app, "got 567 from 4\n");
    cr_expect_eq(unlink(asked), 0, "the new compiler was not asked");
    expect_printed(app, "got 567 from 4\n");
    cr_expect_neq(unlink(asked), 0, "it was asked again");
    setenv("PATH", path, 1);
    free(path);
    free(first);
    free(script);
    free(asked);
    free(compiler);
    free(bin);
    free(blank);
    free(inner);
    free(host);
    free(kernel);
    free(app);
    folder_remove(folder);
    folder_remove(cache);
}

/* Firmware has no files: a program that reads some has to say so. */
Test(app_builds, of_host_programs_that_are_no_firmware)
{
    char *folder = folder_new(), *cache = folder_new(), *app = path_in(folder, "mine"), *host = path_in(app, "host.c");
    const char *const guards[][2] = {{"", ""}, {"#ifndef __riscv\n", "#endif\n"}};
    cr_assert_eq(mkdir(app, 0700), 0);
    copy_source(app, "args.h");
    copy_source(app, "kernel.c");
    setenv("XDG_CACHE_HOME", cache, 1);
    for (int is_guarded = 0; is_guarded < 2; is_guarded++) {
        char *text = text_of("#include <stdio.h>\n#include \"heddle_rt.h\"\nint hd_app_main(void)\n{\n%s"
                             "    fclose(fopen(\"/proc/self/stat\", \"r\"));\n%s    return HD_PASS;\n}\n",
                             guards[is_guarded][0], guards[is_guarded][1]);
        file_write(host, text, strlen(text));
        finished run = heddle("run", SMALL, app, "--quiet");
        expect_code(&run, is_guarded ? 0 : 2);
        if (!is_guarded)
            expect_error(&run,
                         "\nhost.c is also built as firmware, which has no files, processes or threads; what needs "
                         "them stands between '#ifndef __riscv' and '#endif'\n");
        finished_free(&run);
        free(text);
    }
    free(host);
    free(app);
    folder_remove(folder);
    folder_remove(cache);
}

#define BESIDE_HOST                                                                                                    \
    "#include \"heddle_rt.h\"\nint hd_app_main(void)\n{\n#ifdef __riscv\n    extern uint64_t twice(uint64_t);\n"       \
    "    extern volatile uint64_t others;\n    uint64_t status;\n"                                                     \
    "    __asm__ volatile(\"csrr %%0, mstatus\" : \"=r\"(status));\n"                                                  \
    "    hd_check(twice(21) == 42 && status >> 11 & 3, \"assembly\");\n    while (others < %s)\n        continue;\n"   \
    "#endif\n    return HD_PASS;\n}\n"
#define BESIDE_ASSEMBLY                                                                                                \
    "    .globl twice, others, hart_main\n    .text\ntwice: add a0, a0, a0\n    ret\nhart_main: la a1, others\n"       \
    "    li a2, 1\n    amoadd.d zero, a2, (a1)\n1:  wfi\n    j 1b\n    .bss\n    .balign 8\nothers: .dword 0\n"

#define HARTS_IN_C                                                                                                     \
    "#include <errno.h>\n#include \"heddle_rt.h\"\nvoid hart_main(uint64_t hart);\nHD_FIRMWARE_HART_STACK(0x4000);\n"  \
    "static uint64_t sums[4], finished;\nstatic _Thread_local uint64_t mine = 7;\n"                                    \
    "static uint64_t fibonacci(uint64_t n)\n{\n    volatile uint64_t kept[16] = {n};\n"                                \
    "    return n < 2 ? kept[0] : fibonacci(n - 1) + fibonacci(n - 2);\n}\n"                                           \
    "void hart_main(uint64_t hart)\n{\n    mine += hart;\n    errno = (int)hart;\n"                                    \
    "    sums[hart] = fibonacci(8 + hart) + 1000 * mine + 100000 * (uint64_t)errno;\n"                                 \
    "    __atomic_fetch_add(&finished, 1, __ATOMIC_RELEASE);\n}\n"                                                     \
    "int hd_app_main(void)\n{\n#ifdef __riscv\n    while (__atomic_load_n(&finished, __ATOMIC_ACQUIRE) < 3)\n"         \
    "        fibonacci(5);\n    hd_check(mine == 7 && errno == 0, \"the first hart's own\");\n"                        \
    "    for (int h = 1; h < 4; h++)\n        hd_print(\"hart %d: %d\", h, (int)sums[h]);\n#endif\n    return "        \
    "HD_PASS;\n}\n"

/* Each of the others has a stack and thread-local variables of its own; all run at the same time. */
Test(app_builds, of_firmware_whose_harts_are_in_c)
{
    char *folder = folder_new(), *cache = folder_new(), *app = path_in(folder, "mine"), *host = path_in(app, "host.c");
    cr_assert_eq(mkdir(app, 0700), 0);
    copy_source(app, "args.h");
    copy_source(app, "kernel.c");
    setenv("XDG_CACHE_HOME", cache, 1);
    file_write(host, HARTS_IN_C, sizeof HARTS_IN_C - 1);
    finished run = heddle("run", SYSTEM_MACHINES "/harts.yaml", app, "--set", "limit=2 ms", "--quiet");
    expect_code(&run, 0);
    expect_output(&run, "hart 1: 108034\nhart 2: 209055\nhart 3: 310089\n");
    finished_free(&run);
    free(host);
    free(app);
    folder_remove(folder);
    folder_remove(cache);
}

#define PRINTS                                                                                                         \
    "#include \"heddle_rt.h\"\nint hd_app_main(void)\n{\n    char line[65] = {0};\n"                                   \
    "    for (uint64_t i = hd_option(\"length\", 1); i > 0; i--)\n        line[i - 1] = 'x';\n"                        \
    "    hd_print(\"%s\", line);\n    return HD_PASS;\n}\n"

/* However much of it the UART still has when the program is over. */
Test(app_builds, of_firmware_print_to_the_end)
{
    char *folder = folder_new(), *cache = folder_new(), *app = path_in(folder, "mine"), *host = path_in(app, "host.c");
    cr_assert_eq(mkdir(app, 0700), 0);
    copy_source(app, "args.h");
    copy_source(app, "kernel.c");
    setenv("XDG_CACHE_HOME", cache, 1);
    file_write(host, PRINTS, sizeof PRINTS - 1);
    for (int length = 24; length < 36; length++) {
        char *set = text_of("app.length=%d", length),
             *line = text_of("%.*s\n", length, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        finished run = heddle("run", SYSTEM_MACHINES "/firmware.yaml", app, "--set", set, "--quiet");
        expect_code(&run, 0);
        cr_expect_str_eq(run.out, line);
        finished_free(&run);
        free(line);
        free(set);
    }
    free(host);
    free(app);
    folder_remove(folder);
    folder_remove(cache);
}

/* firmware.S is of the firmware alone: a function for host.c, and where the other harts begin. */
Test(app_builds, of_firmware_in_c_and_assembly)
{
    char *folder = folder_new(), *cache = folder_new(), *app = path_in(folder, "mine"), *host = path_in(app, "host.c");
    char *assembly = path_in(app, "firmware.S");
    cr_assert_eq(mkdir(app, 0700), 0);
    copy_source(app, "args.h");
    copy_source(app, "kernel.c");
    setenv("XDG_CACHE_HOME", cache, 1);
    for (uint32_t harts = 1; harts <= 4; harts += 3) {
        char *text = text_of(BESIDE_HOST, harts == 1 ? "0" : "3"), *set = text_of("cpu.harts=%u", harts);
        file_write(host, text, strlen(text));
        file_write(assembly, BESIDE_ASSEMBLY, sizeof BESIDE_ASSEMBLY - 1);
        finished run =
            heddle("run", SYSTEM_MACHINES "/harts.yaml", app, "--set", set, "--set", "limit=2 ms", "--quiet");
        expect_code(&run, 0);
        finished_free(&run);
        free(set);
        free(text);
    }
    finished run = heddle("run", SMALL, app, "--quiet");
    expect_code(&run, 0);
    finished_free(&run);
    file_write(assembly, "    nonsense\n", 13);
    run = heddle("run", SMALL, app, "--quiet");
    expect_code(&run, 2);
    expect_error(&run, "firmware.S:1: Error: unrecognized opcode `nonsense'");
    finished_free(&run);
    free(assembly);
    free(host);
    free(app);
    folder_remove(folder);
    folder_remove(cache);
}

/* A source that changes while it is compiled: what was read before is not taken for what is there now. */
Test(app_builds, take_place_again_if_a_source_changes_meanwhile)
{
    char *folder = folder_new(), *cache = folder_new(), *app = path_in(folder, "mine"), *bin = path_in(folder, "bin");
    char *host = path_in(app, "host.c"), *compiler = path_in(bin, "cc"), *header = path_in(app, "h.h");
    const char *text = "#include \"heddle_rt.h\"\n#include \"h.h\"\n"
                       "int hd_app_main(void)\n{\n    hd_print(\"from %d\\n\", HOSTED);\n    return HD_PASS;\n}\n";
    cr_assert(!mkdir(app, 0700) && !mkdir(bin, 0700));
    copy_source(app, "args.h");
    copy_source(app, "kernel.c");
    file_write(host, text, strlen(text));
    write_define(app, "h.h", "HOSTED", 1);
    char *script = text_of("#!/bin/sh\nPATH='%s' cc \"$@\" || exit\ncase \"$*\" in *host.c*) ;; *) exit ;; esac\n"
                           "[ -e '%s/once' ] || { : >'%s/once'; echo '#define HOSTED 2' >'%s'; }\n",
                           getenv("PATH"), bin, bin, header);
    char *first = text_of("%s:%s", bin, getenv("PATH"));
    file_write(compiler, script, strlen(script));
    cr_assert_eq(chmod(compiler, 0700), 0);
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("PATH", first, 1);
    expect_printed(app, "from 2\n");
    char *once = path_in(bin, "once");
    cr_expect_eq(access(once, F_OK), 0, "the header was not changed");
    free(once);
    free(script);
    free(first);
    free(header);
    free(compiler);
    free(host);
    free(bin);
    free(app);
    folder_remove(folder);
    folder_remove(cache);
}
