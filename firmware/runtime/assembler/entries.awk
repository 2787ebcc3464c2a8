# SPDX-License-Identifier: MIT
# Assembly of kernels, without what their entries save for a caller: nobody has called them. The call frame information
# says where a function keeps a register of its caller: stores to there and loads from there go, and the return address is 0
# (docs/isa.md). The entries are those of SIMT_KERNEL. One that the program itself uses keeps all.

function name_registers(i)
{
    number["ra"] = 1
    for (i = 0; i < 12; i++) {
        number["s" i] = i < 2 ? 8 + i : 16 + i
        number["fs" i] = 32 + number["s" i]
    }
}

# words: directive or instruction, and its operands; those of `lw a0,4(sp)` are a0, 4 and sp.
function split_line(text, words)
{
    sub(/^[ \t]+/, "", text)
    return split(text, words, /[ \t,()]+/)
}

# What else than a definition names an entry. Marks of simt_synchronization.h are no use of it.
function find_uses(text, words, count, i)
{
    if (text ~ /^[ \t]*\.(push|pop)section/)
        in_marks = text ~ /\.heddle\.synchronization/
    if (in_marks || text ~ /^[ \t]*(#|\.(globl|type|size|string|ascii|file|loc|cfi_))/ || text ~ /^[^ \t]+:/)
        return
    count = split(text, words, /[^A-Za-z0-9_.$]+/)
    for (i = 1; i <= count; i++)
        if (words[i] in entry)
            used[words[i]] = 1
}

# The frame's address relative to sp at this line: words[1] is a directive.
function follow_frame(words)
{
    if (words[1] == ".cfi_startproc")
        frame = 0
    else if (words[1] == ".cfi_def_cfa_offset")
        frame = words[2] + 0
    else if (words[1] == ".cfi_def_cfa")
        frame = words[3] + 0
    else if (words[1] == ".cfi_remember_state")
        remembered = frame
    else if (words[1] == ".cfi_restore_state")
        frame = remembered
}

# Is it `sw` or `lw` of a register of the caller, at its place? saved: from the register's number to its place in the frame.
function is_of_caller(words, kind)
{
    return words[1] ~ "^f?" kind "w$" && words[4] == "sp" && words[2] in number && number[words[2]] in saved &&
        words[3] - frame == saved[number[words[2]]]
}

function free_entry(first, last, i, words, needs_stack)
{
    split("", saved)
    for (i = first; i < last; i++)
        if (split_line(line[i], words) && words[1] == ".cfi_offset")
            saved[words[2] + 0] = words[3] + 0
    frame = 0
    needs_stack = 0
    for (i = first; i < last; i++) {
        split_line(line[i], words)
        follow_frame(words)
        if (words[1] ~ /^\.cfi_(offset|restore)$/ || is_of_caller(words, "s"))
            line[i] = ""
        else if (is_of_caller(words, "l"))
            line[i] = words[2] == "ra" ? "\tli\tra,0" : ""
        else if (line[i] ~ /[^a-z]sp([^a-z]|$)/ && line[i] !~ SP_MOVES)
            needs_stack = 1
    }
    for (i = first; i < last && !needs_stack; i++)
        if (line[i] ~ SP_MOVES || line[i] ~ /^[ \t]+\.cfi_def_cfa_offset/)
            line[i] = ""
}

BEGIN {
    SP_MOVES = "^[ \t]+addi[ \t]+sp,sp,-?[0-9]+$"
}
{
    line[NR] = $0
}
/^heddle_kernel_[A-Za-z0-9_]+:/ {
    entry[substr($1, 15, length($1) - 15)] = 1
}
END {
    name_registers()
    for (i = 1; i <= NR; i++)
        find_uses(line[i])
    for (i = 1; i <= NR; i++) {
        name = line[i]
        if (sub(/:$/, "", name) && name in entry && !(name in used))
            first[name] = i + 1
        else if (split_line(line[i], words) > 1 && words[1] == ".size" && words[2] in first)
            free_entry(first[words[2]], i)
    }
    for (i = 1; i <= NR; i++)
        if (line[i] != "")
            print line[i]
}
