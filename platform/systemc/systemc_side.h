/* SPDX-License-Identifier: MIT */
/*
 * libheddle_systemc.so, all of Heddle that needs SystemC: machines in SystemC (platform/tlm), its models in plug-ins, machines in
 * somebody's design. libheddle.so opens it when the first of these is asked for, since SystemC alone takes longer to load than most of
 * what is run without it. This is what it shows.
 */
#ifndef HD_SYSTEMC_SIDE_H
#define HD_SYSTEMC_SIDE_H

#include <stdbool.h>

#include "plugin_internal.h"
#include "tlm_machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_systemc_side {
    const char *version; /* both libraries are of one build */
    uint32_t struct_bytes;
    uint32_t reserved;

    hd_tlm_machine *(*create)(const netlist *machine, const hd_tlm_options *options, const hd_tlm_extension *provide,
                              const hd_observer *observer, uint64_t seed, char **error);
    void (*end)(hd_tlm_machine *machine, uint32_t is_fault);
    void (*destroy)(hd_tlm_machine *machine);
    hd_engine *(*engine)(hd_tlm_machine *machine);
    hd_time (*run)(hd_tlm_machine *machine, hd_time limit);
    void (*retire)(hd_tlm_machine *machine);
    uint32_t (*is_interrupted)(const hd_tlm_machine *machine);
    hd_time (*stopped_at)(const hd_tlm_machine *machine);
    void (*describe_owed)(const hd_tlm_machine *machine, const hd_text_sink *sink);
    uint64_t (*transport_calls)(const hd_tlm_machine *machine);
    uint64_t (*monitored_calls)(const hd_tlm_machine *machine);

    hd_foreign_modules *(*modules_create)(const hd_plugins *plugins, const netlist *machine,
                                          const hd_tlm_options *others);
    void (*modules_destroy)(hd_foreign_modules *modules);
    hd_tlm_options (*modules_options)(hd_foreign_modules *modules);
    const char *(*modules_failure)(const hd_foreign_modules *modules);

    uint32_t (*entry_check)(const void *models, const char *path, refusal *why);
    uint32_t (*entry_count)(const void *models);
    const hd_block_class *(*entry_class)(const void *models, uint32_t index);

    struct heddle_guest *(*guest_open)(const void *settings, const void *doors);
    bool (*guest_uses_memory)(const struct heddle_guest *guest);
    void (*guest_end)(struct heddle_guest *guest);
    void (*guest_close)(struct heddle_guest *guest);
} hd_systemc_side;

#define HD_SYSTEMC_SIDE_SYMBOL "heddle_systemc_side"
extern __attribute__((visibility("default"))) const hd_systemc_side heddle_systemc_side;

#ifdef __cplusplus
}
#endif

#endif
