#include "hd_plugin.h"

#include "@name@.h"

static const hd_block_class *const classes[] = {&@name@_class};

HD_PLUGIN_ENTRY = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_plugin),
    .name = "@name@",
    .version = "0.1",
    .licence = "MIT",
    .class_count = sizeof classes / sizeof *classes,
    .classes = classes,
};
