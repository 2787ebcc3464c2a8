/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rig.h"

Test(plugin, brings_its_classes)
{
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    rig_expect_loaded(plugins, OBJECT("good"));
    netlist_registry all = hd_plugins_registry(plugins);
    cr_assert_eq(all.count, 2);
    cr_expect_str_eq(all.classes[0]->type, "built_in");
    cr_expect_str_eq(all.classes[1]->type, "plugged");
    cr_expect_not_null(netlist_find_class(all, "test_block", "plugged"));
    hd_plugins_destroy(plugins);
}

Test(plugin, is_loaded_once_by_whatever_name)
{
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    rig_expect_loaded(plugins, OBJECT("good"));
    rig_expect_loaded(plugins, PLUGIN_OBJECTS "/../objects/good.so");
    cr_assert_eq(chdir(PLUGIN_OBJECTS), 0);
    rig_expect_loaded(plugins, "good.so");
    cr_expect_eq(hd_plugins_registry(plugins).count, 2);
    hd_plugins_destroy(plugins);
}

Test(plugin, is_in_two_sets_at_once)
{
    hd_plugins *one = hd_plugins_create(rig_built_in(), NULL, 0);
    hd_plugins *two = hd_plugins_create(rig_built_in(), NULL, 0);
    rig_expect_loaded(one, OBJECT("good"));
    rig_expect_loaded(two, OBJECT("good"));
    hd_plugins_destroy(one);
    cr_expect_str_eq(hd_plugins_registry(two).classes[1]->type, "plugged");
    hd_plugins_destroy(two);
}

/* ---- Files -------------------------------------------------------------------------------------------------------- */

Test(plugin, that_is_no_file_is_refused)
{
    rig_expect_refusal("/nowhere/x.so", 42, "plug-in '@': No such file or directory");
    rig_expect_refusal(PLUGIN_OBJECTS, 42, "plug-in '@': Is a directory");
    rig_expect_refusal("/dev/null", 42, "plug-in '@' is no regular file");
}

static void write_part(const char *path, const char *from, size_t bytes)
{
    char *part = malloc(bytes + 1);
    FILE *in = fopen(from, "rb"), *out = fopen(path, "wb");
    cr_assert(in && out);
    cr_assert_eq(fwrite(part, 1, fread(part, 1, bytes, in), out), bytes);
    fclose(in);
    fclose(out);
    free(part);
}

Test(plugin, that_is_no_shared_object_is_refused)
{
    char folder[] = "/tmp/plugin_XXXXXX", path[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/text.so", folder);
    write_part(path, SOURCE_FILE, 400);
    rig_expect_refusal(path, 43, "plug-in '@' cannot be loaded: invalid ELF header");
    write_part(path, SOURCE_FILE, 0);
    rig_expect_refusal(path, 43, "plug-in '@' cannot be loaded: file too short");
    write_part(path, OBJECT("good"), 500);
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    char *refusal;
    cr_expect_eq(hd_plugins_load(plugins, path, &refusal), 43);
    free(refusal);
    hd_plugins_destroy(plugins);
    unlink(path);
    rmdir(folder);
}

/* Loads the object; 0, or the number of the refusal, which has the text. */
static uint32_t load_part(const char *path, const char *text)
{
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    char *refusal = NULL;
    const uint32_t number = hd_plugins_load(plugins, path, &refusal);
    cr_expect(!number || strstr(refusal, text), "%s", refusal);
    free(refusal);
    hd_plugins_destroy(plugins);
    return number;
}

static size_t bytes_of(const char *path)
{
    struct stat file;
    cr_assert_eq(stat(path, &file), 0);
    return (size_t)file.st_size;
}

/* Tables of sections stand at the end, and nobody needs them. */
Test(plugin, that_has_been_cut_short_is_refused_wherever_it_was_cut)
{
    char folder[] = "/tmp/plugin_XXXXXX", path[64];
    const size_t bytes = bytes_of(OBJECT("good"));
    uint32_t loaded = 0, refused = 0;
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/cut.so", folder);
    for (size_t part = sizeof(Elf64_Ehdr); part < bytes; part += 97) {
        write_part(path, OBJECT("good"), part);
        const uint32_t number = load_part(path, "the file has been cut short: it ends before its segments do");
        cr_expect(number == 43 || number == 0, "%zu bytes: %u", part, number);
        cr_expect(!loaded || !number, "once whole, it stays whole");
        loaded += !number;
        refused += number == 43;
        unlink(path);
    }
    cr_expect_gt(refused, 20);
    cr_expect_gt(loaded, 0);
    rmdir(folder);
}

/* Of the good object, with this end of its first segment of that type. */
static uint32_t load_with_end(uint32_t type, uint64_t offset, uint64_t bytes)
{
    char folder[] = "/tmp/plugin_XXXXXX", path[64];
    Elf64_Phdr segment;
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/end.so", folder);
    write_part(path, OBJECT("good"), bytes_of(OBJECT("good")));
    FILE *file = fopen(path, "r+b");
    fseek(file, sizeof(Elf64_Ehdr), SEEK_SET);
    do
        cr_assert_eq(fread(&segment, sizeof segment, 1, file), 1);
    while (segment.p_type != type);
    segment.p_offset = offset ? offset : segment.p_offset;
    segment.p_filesz = bytes;
    fseek(file, -(long)sizeof segment, SEEK_CUR);
    cr_assert_eq(fwrite(&segment, sizeof segment, 1, file), 1);
    fclose(file);
    const uint32_t number = load_part(path, "cut short");
    unlink(path);
    rmdir(folder);
    return number;
}

/* Nor is the end computed modulo 2^64. What is not mapped may end anywhere. */
Test(plugin, whose_segment_ends_behind_the_file_is_refused)
{
    cr_expect_eq(load_with_end(PT_LOAD, 0, UINT64_MAX), 43);
    cr_expect_eq(load_with_end(PT_LOAD, UINT64_MAX - 4095, 8192), 43);
    cr_expect_eq(load_with_end(PT_GNU_STACK, UINT64_C(1) << 40, 4096), 0);
}

Test(plugin, that_needs_a_symbol_which_nobody_defines_is_refused)
{
    rig_expect_refusal(OBJECT("symbol"), 43, "plug-in '@' cannot be loaded: undefined symbol: nobody_defines_this");
}

/* ---- Entries ------------------------------------------------------------------------------------------------------ */

Test(plugin, without_an_entry_is_refused)
{
    rig_expect_refusal(OBJECT("no_entry"), 44,
                       "'@' is no plug-in: it exports neither heddle_plugin_entry nor heddle_systemc_entry");
    rig_expect_refusal(
        OBJECT("both"), 44,
        "plug-in '@' exports both heddle_plugin_entry and heddle_systemc_entry; one shared object is one");
}

Test(plugin, that_does_not_say_what_it_is_is_refused)
{
    rig_expect_refusal(OBJECT("no_name"), 44, "plug-in '@' does not state its name, version or licence");
    rig_expect_refusal(OBJECT("no_version"), 44, "plug-in '@' does not state its name, version or licence");
    rig_expect_refusal(OBJECT("no_licence"), 44, "plug-in '@' does not state its name, version or licence");
    rig_expect_refusal(OBJECT("no_classes"), 44, "plug-in '@' has no classes and no units");
}

Test(plugin, of_another_version_is_refused)
{
    char text[256];
    rig_expect_refusal(OBJECT("entry_version"), 45,
                       "plug-in '@' is built for version 2 of the block ABI; this program has version 1");
    rig_expect_refusal(OBJECT("entry_bytes"), 45, "plug-in '@': its entry has 16 bytes; it must have at least 56");
    rig_expect_refusal(OBJECT("class_version"), 45,
                       "plug-in '@': class 0 is built for version 7 of the block ABI; this program has version 1");
    snprintf(text, sizeof text, "plug-in '@': class 0 has %zu bytes; it must have at least %zu",
             sizeof(hd_block_class) - 8, sizeof(hd_block_class));
    rig_expect_refusal(OBJECT("class_bytes"), 45, text);
}

Test(plugin, with_broken_declarations_is_refused_as_a_whole)
{
    rig_expect_refusal(OBJECT("class_missing"), 46, "plug-in '@': class 1 is missing");
    rig_expect_refusal(OBJECT("table_missing"), 46,
                       "plug-in '@': the declaration of class test_block/plugged is broken\n"
                       "3 ports are declared, and the table is NULL");
    rig_expect_refusal(OBJECT("tables"), 46,
                       "plug-in '@': the declaration of class test_block/plugged is broken\n"
                       "parameter depth: default '0' is out of range\n"
                       "two parameters are called depth\n"
                       "parameter depth: default 'c' is none of its choices");
}

Test(plugin, with_a_class_that_exists_is_refused_naming_both)
{
    rig_expect_refusal(OBJECT("built_in"), 47,
                       "plug-in '@' defines test_block/built_in, which this program has built in");
    rig_expect_refusal(OBJECT("twice"), 47, "plug-in '@' defines test_block/plugged twice");
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    rig_expect_loaded(plugins, OBJECT("good"));
    rig_expect_refusal_of(plugins, OBJECT("same"), 47,
                          "plug-in '@' defines test_block/plugged, as plug-in '" OBJECT("good") "' does");
    hd_plugins_destroy(plugins);
}
