tbreak kernel.c:12
continue
set $words = (unsigned *)args->words.address
thread 7
watch kept
rwatch $words[0]
watch ((unsigned *)&simt_scratchpad)[4]
watch *(int *)0x10
watch $words[1]
delete 6
continue
print $lane
continue
print {$lane, kept}
continue
print {$lane, kept}
bt
info watchpoints
continue
