tbreak watched
continue
set $words = (unsigned *)args->words.address
watch $words[0]
awatch $words[1]
watch ((unsigned char *)&$words[2])[1]
watch $words[1024]
continue
print {$lane, $thread_x}
print/x $active_lanes
x/i $pc
info locals
continue
print $lane
x/i $pc
continue
print $lane
continue
print $lane
info locals
continue
continue
