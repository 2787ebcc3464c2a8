#!/bin/sh
# SPDX-License-Identifier: MIT
# check_links.sh FILE.md...: every relative link leads to a file, and every #anchor to a heading.
set -eu
bad=0

# The anchors of a document's headings: lower case, spaces to hyphens, punctuation gone.
anchors() {
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ +/, ""); print tolower($0) }' "$1" |
        sed -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

links() {
    awk '/^```/ { code = !code } !code' "$1" | grep -oE '\]\([^) ]+\)|src="[^"]+"' |
        sed -e 's/^](//' -e 's/)$//' -e 's/^src="//' -e 's/"$//'
}

for document in "$@"; do
    folder=$(dirname "$document")
    for link in $(links "$document"); do
        case $link in
        http://* | https://* | mailto:*) continue ;;
        esac
        path=${link%%#*}
        target=${path:+$folder/$path}
        target=${target:-$document}
        if [ ! -e "$target" ]; then
            echo "$document: $link: no such file" >&2
            bad=1
        elif [ "$link" != "$path" ] && ! anchors "$target" | grep -qxF "${link#*#}"; then
            echo "$document: $link: no such heading" >&2
            bad=1
        fi
    done
done
exit $bad
