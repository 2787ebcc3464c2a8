/* SPDX-License-Identifier: MIT */
/* Options of links to SystemC models, on machines whose memory is reached in other ways than by cores' caches: tiles, and a core with
 * vectors that is beside its operating system at the memory. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"

#define TILES HEDDLE_MACHINES "/../tiles/tile_2x4.yaml"
#define VECTORS HEDDLE_MACHINES "/../vector/vector_core.yaml"

typedef struct machine {
    const char *text;     /* with the option at each of its links */
    const char *words[8]; /* of the run */
} machine;

static const machine tiles = {
    "heddle: 1\nname: tiles_outside\nextends: " TILES "\nblocks: {dram: {type: awkward_memory}}\n"
    "remove: [{from: l2.memory, to: dram.access}]\nlinks: [{from: l2.memory, to: dram.access%s}]\n",
    {HEDDLE_APPS "/tile_product", "--set", "app.pes=8", "--set", "app.n=200", "--set", "app.rounds=2"}};
static const machine vectors = {
    "heddle: 1\nname: vectors_outside\nextends: " VECTORS "\n"
    "blocks: {dram: {type: awkward_memory, parameters: {socket: multi}}}\n"
    "remove: [{from: os.memory, to: \"dram.access[0]\"}, {from: core.memory, to: \"dram.access[1]\"}]\n"
    "links: [{from: os.memory, to: \"dram.access[0]\"%s}, {from: core.memory, to: \"dram.access[1]\"%s}]\n",
    {"--set", "os.program=v_strlen", "--set", "os.arguments=100 1 8"}};

/* debug: of the model's transport_dbg. */
static finished run_with(const machine *of, const char *option, const char *debug, const char *tlm)
{
    char *folder = folder_new(), *path = path_in(folder, "machine.yaml"), *text = text_of(of->text, option, option);
    char *model = text_of("dram.debug=%s", debug);
    const char *words[24] = {"run", path, "--quiet", "--plugin", AWKWARD_MODELS, "--set", model, tlm};
    for (size_t i = 0; i < 8 && of->words[i]; i++)
        words[8 + i] = of->words[i];
    file_write(path, text, strlen(text));
    finished run = heddle_run(words);
    free(model);
    free(text);
    free(path);
    folder_remove(folder);
    return run;
}

static void expect_pass(const machine *of, const char *option, const char *debug)
{
    static const char *const transports[] = {"--tlm=auto", "--tlm=checked"};
    for (size_t i = 0; i < 2; i++) {
        finished run = run_with(of, option, debug, transports[i]);
        cr_expect_eq(run.code, 0, "%s, %s: %s", option, transports[i], run.err);
        finished_free(&run);
    }
}

static void expect_all(const machine *of)
{
    expect_pass(of, "", "right");
    expect_pass(of, ", debug: required", "right");
    expect_pass(of, ", early_completion: false", "right");
    expect_pass(of, ", address: machine, debug: absent", "none");
    expect_pass(of, ", early_completion: false, debug: absent", "none");
}

/* Banks are flushed, and the L2 writes back what they have written, before the second kernel reads it. */
Test(link_options, of_memory_behind_tiles)
{
    expect_all(&tiles);
    expect_pass(&tiles, ", address: channel", "right");
    expect_pass(&tiles, ", address: channel, debug: absent", "none");
    finished run = run_with(&tiles, "", "none", "--tlm=auto");
    expect_code(&run, 1);
    expect_error(&run,
                 "a SystemC model, takes none of them by transport_dbg: it has to implement that, or its link says "
                 "debug: absent");
    finished_free(&run);
}

Test(link_options, of_memory_of_a_core_with_vectors)
{
    expect_all(&vectors);
    finished run = run_with(&vectors, ", address: channel", "right", "--tlm=auto");
    expect_code(&run, 2);
    expect_error(&run, "address is that of a channel, and the machine has no address map that makes channels");
    finished_free(&run);
}
