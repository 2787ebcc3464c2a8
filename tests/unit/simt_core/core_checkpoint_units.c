/* SPDX-License-Identifier: MIT */
/* Units that cannot be saved are named (hd_state.h). */
#include "core_rig.h"
#include "hd_state.h"
#include "toy_units.h"

#include <criterion/criterion.h>

/* "": it can be saved. */
static void refusal_of(core_rig *rig, char *text, size_t bytes)
{
    hd_block *block = kit_instance(rig_kit(rig));
    const hd_state *state = rig_class(rig)->extension(block, HD_EXTENSION_STATE);
    cr_assert_not_null(state);
    text[0] = '\0';
    state->refuses(block, text, bytes);
    rig_destroy(rig);
}

Test(core_checkpoint, a_unit_that_cannot_be_saved_is_named)
{
    static const uint32_t words[] = {0x00000013, 0x00008067, 0}; /* nop; ret */
    char text[256];
    refusal_of(rig_create((const char *[]){"schedulers=1", NULL}, words), text, sizeof text);
    cr_expect_str_eq(text, "");
    kit_fit_unit(&toy_patient_scheduler);
    refusal_of(rig_create((const char *[]){"schedulers=1", NULL}, words), text, sizeof text);
    cr_expect_str_eq(text, "its unit scheduler.patient");
    kit_fit_unit(&toy_turns);
    refusal_of(rig_create((const char *[]){"schedulers=1", NULL}, words), text, sizeof text);
    cr_expect_str_eq(text, "its unit reconvergence.turns");
    kit_fit_unit(NULL);
}
