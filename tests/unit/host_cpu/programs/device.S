# SPDX-License-Identifier: MIT
# Accesses a device at a0 = 0x18000000000 in every width, and stops at the end with what it read in registers.
    li a0, 0x180
    slli a0, a0, 32
    li t0, 0x1122334455667788
    sd t0, 0(a0)
    sw t0, 8(a0)
    sh t0, 12(a0)
    sb t0, 14(a0)
    ld s0, 0(a0)
    lw s1, 0(a0)
    lwu s2, 4(a0)
    lh s3, 0(a0)
    lhu s4, 0(a0)
    lb s5, 0(a0)
    lbu s6, 0(a0)
    auipc a1, 1
    sd s0, 0(a1)
    sd s1, 8(a1)
    sd s2, 16(a1)
    sd s3, 24(a1)
    sd s4, 32(a1)
    sd s5, 40(a1)
    sd s6, 48(a1)
    sd x0, 0x100(a0)        # done
1:  wfi
    j 1b
