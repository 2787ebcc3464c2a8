tbreak watched
continue
set $words = (unsigned *)args->words.address
awatch $words[4]
continue
print {$lane, $t0}
continue
print $t0
continue
print {$t0, $t1}
continue
