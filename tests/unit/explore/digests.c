/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest_map.h"
#include "sha256.h"

/* FIPS 180-4 examples, and lengths around the ends of a block. */
Test(digests, are_those_of_the_standard)
{
    cr_expect_str_eq(digest_of_text("").text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    cr_expect_str_eq(digest_of_text("abc").text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    cr_expect_str_eq(digest_of_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").text,
                     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = malloc(1000000);
    memset(million, 'a', 1000000);
    cr_expect_str_eq(digest_of(million, 1000000).text,
                     "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    cr_expect_str_eq(digest_of(million, 55).text, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    cr_expect_str_eq(digest_of(million, 56).text, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    cr_expect_str_eq(digest_of(million, 64).text, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    free(million);
}

Test(digests, do_not_depend_on_how_the_bytes_come)
{
    char text[300];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 7);
    digest whole = digest_of(text, sizeof text);
    for (size_t part = 1; part < sizeof text; part += 13) {
        sha256 hash;
        sha256_begin(&hash);
        for (size_t at = 0; at < sizeof text; at += part)
            sha256_add(&hash, text + at, at + part < sizeof text ? part : sizeof text - at);
        cr_expect_str_eq(sha256_end(&hash).text, whole.text);
    }
}

Test(digests, of_a_file_are_those_of_its_bytes)
{
    char path[] = "/tmp/heddle-digest.XXXXXX";
    int file = mkstemp(path);
    digest found;
    cr_assert(file >= 0 && write(file, "abc", 3) == 3 && !close(file));
    cr_assert(digest_of_file(path, &found));
    cr_expect_str_eq(found.text, digest_of_text("abc").text);
    unlink(path);
    cr_expect_not(digest_of_file(path, &found));
}

Test(digests, find_what_was_put_by_them)
{
    arena memory = {0};
    digest_map map = {0};
    int values[1000];
    char text[16];
    cr_expect_null(digest_map_find(&map, &(digest){"00"}));
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "%d", i);
        const digest key = digest_of_text(text);
        cr_expect_null(digest_map_find(&map, &key));
        digest_map_add(&memory, &map, &key, &values[i]);
    }
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "%d", i);
        const digest key = digest_of_text(text);
        cr_expect_eq(digest_map_find(&map, &key), &values[i]);
    }
    arena_free(&memory);
}
