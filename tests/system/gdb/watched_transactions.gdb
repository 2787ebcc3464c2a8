tbreak watched_transactions
continue
set $words = (unsigned *)args->words.address
watch $words[3]
continue
print $lane
continue
print $lane
continue
continue
