tbreak watched_scratchpad
continue
watch ((unsigned *)&simt_scratchpad)[0]
continue
print $lane
continue
print $lane
continue
print $lane
continue
