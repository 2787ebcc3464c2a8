/* SPDX-License-Identifier: MIT */
/* The functions of SystemC's side as libheddle.so has them: the first that is called opens the library that does the work. */
#define _GNU_SOURCE /* dladdr */
#include "systemc_side.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "netlist_errors.h"
#include "text.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const hd_systemc_side *side;
static char *missing; /* why there is none */

/* The library lies beside this one, wherever that is. */
static char *library_path(void)
{
    Dl_info here;
    const int known = dladdr((const void *)&once, &here) && here.dli_fname;
    const char *slash = known ? strrchr(here.dli_fname, '/') : NULL;
    const int folder = slash ? (int)(slash + 1 - here.dli_fname) : 0;
    return hd_text_format("%.*s" HEDDLE_SYSTEMC_LIBRARY, folder, folder ? here.dli_fname : "");
}

static void open_library(void)
{
    char *path = library_path();
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* plug-ins need not name SystemC as a library of their own */
    const hd_systemc_side *found = library ? dlsym(library, HD_SYSTEMC_SIDE_SYMBOL) : NULL;
    if (!found)
        missing = hd_text_format("SystemC cannot be loaded: %s", dlerror());
    else if (strcmp(found->version, HEDDLE_VERSION) != 0 || found->struct_bytes != sizeof *found)
        missing = hd_text_format("%s is of another version of Heddle", path);
    else
        side = found;
    free(path);
}

static const hd_systemc_side *loaded(void)
{
    pthread_once(&once, open_library);
    return side;
}

/* ---- Machines: who has one has the library ------------------------------------------------------------------------------- */

hd_tlm_machine *hd_tlm_create(const netlist *machine, const hd_tlm_options *options, const hd_tlm_extension *provide,
                              const hd_observer *observer, uint64_t seed, char **error)
{
    if (loaded())
        return side->create(machine, options, provide, observer, seed, error);
    *error = hd_text_format("%s", missing);
    return NULL;
}

void hd_tlm_end(hd_tlm_machine *machine, uint32_t is_fault)
{
    side->end(machine, is_fault);
}

void hd_tlm_destroy(hd_tlm_machine *machine)
{
    side->destroy(machine);
}

hd_engine *hd_tlm_engine(hd_tlm_machine *machine)
{
    return side->engine(machine);
}

hd_time hd_tlm_run(hd_tlm_machine *machine, hd_time limit)
{
    return side->run(machine, limit);
}

void hd_tlm_retire(hd_tlm_machine *machine)
{
    side->retire(machine);
}

uint32_t hd_tlm_is_interrupted(const hd_tlm_machine *machine)
{
    return side->is_interrupted(machine);
}

hd_time hd_tlm_stopped_at(const hd_tlm_machine *machine)
{
    return side->stopped_at(machine);
}

void hd_tlm_describe_owed(const hd_tlm_machine *machine, const hd_text_sink *sink)
{
    side->describe_owed(machine, sink);
}

uint64_t hd_tlm_transport_calls(const hd_tlm_machine *machine)
{
    return side->transport_calls(machine);
}

uint64_t hd_tlm_monitored_calls(const hd_tlm_machine *machine)
{
    return side->monitored_calls(machine);
}

/* ---- Models in plug-ins --------------------------------------------------------------------------------------------------- */

/* NULL: there is no SystemC, which hd_tlm_create then says. */
hd_foreign_modules *hd_foreign_modules_create(const hd_plugins *plugins, const netlist *machine,
                                              const hd_tlm_options *others)
{
    return loaded() ? side->modules_create(plugins, machine, others) : NULL;
}

void hd_foreign_modules_destroy(hd_foreign_modules *modules)
{
    if (modules)
        side->modules_destroy(modules);
}

hd_tlm_options hd_foreign_modules_options(hd_foreign_modules *modules)
{
    return modules ? side->modules_options(modules) : (hd_tlm_options){0};
}

const char *hd_foreign_modules_failure(const hd_foreign_modules *modules)
{
    return modules ? side->modules_failure(modules) : NULL;
}

uint32_t systemc_entry_prepare(const char *path, refusal *why)
{
    return loaded() || refuse(why, ERROR_PLUGIN_UNLOADABLE, "plug-in '%s' cannot be loaded: %s", path, missing);
}

uint32_t systemc_entry_check(const void *models, const char *path, refusal *why)
{
    return side->entry_check(models, path, why);
}

uint32_t systemc_entry_count(const void *models)
{
    return side->entry_count(models);
}

const hd_block_class *systemc_entry_class(const void *models, uint32_t index)
{
    return side->entry_class(models, index);
}

/* ---- Machines in a design (heddle_module.h), which has SystemC and throws through these functions --------------------------- */

#define SHOWN __attribute__((visibility("default")))
SHOWN struct heddle_guest *heddle_guest_open(const void *settings, const void *doors);
SHOWN bool heddle_guest_uses_memory(const struct heddle_guest *guest);
SHOWN void heddle_guest_end(struct heddle_guest *guest);
SHOWN void heddle_guest_close(struct heddle_guest *guest);
SHOWN int sc_main(int count, char **words);

struct heddle_guest *heddle_guest_open(const void *settings, const void *doors)
{
    if (loaded())
        return side->guest_open(settings, doors);
    fprintf(stderr, "error: %s\n", missing);
    abort();
}

bool heddle_guest_uses_memory(const struct heddle_guest *guest)
{
    return side->guest_uses_memory(guest);
}

void heddle_guest_end(struct heddle_guest *guest)
{
    side->guest_end(guest);
}

void heddle_guest_close(struct heddle_guest *guest)
{
    side->guest_close(guest);
}

/* SystemC's library asks for it by name. */
int sc_main(int count, char **words)
{
    (void)count;
    (void)words;
    return 0;
}
