#!/bin/sh
# A bot over standard input and output in shell: it takes the first legal action.
#
#     meeple match connect-four --agents "exec:sh examples/bots/line.sh,random" --games 20
while read -r line; do
    case $line in
    *'"type":"decide"'*) printf '%s\n' "$line" | sed 's/.*"actions":\["\([^"]*\)".*/\1/' ;;
    esac
done
