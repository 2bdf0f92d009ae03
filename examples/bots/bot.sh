#!/bin/sh
# A bot for Meeple's server in a few lines of shell: it takes the first legal action.
#
#     meeple serve
#     sh examples/bots/bot.sh http://127.0.0.1:7777 mybot
#
# It needs curl. Names and actions must not hold quotes.
server=$1 name=$2

# field NAME: the value of a text or number in the JSON on standard input
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

token=$(curl -s "$server/api/v1/bots" -H 'Content-Type: application/json' -d "{\"name\":\"$name\"}" | field token)
[ -n "$token" ] || { echo "cannot register $name" >&2; exit 1; }
while :; do
    decision=$(curl -s "$server/api/v1/bots/$name/next?wait=30" -H "X-Seat-Token: $token") || exit 1
    [ -n "$decision" ] || continue
    table=$(printf %s "$decision" | field table)
    number=$(printf %s "$decision" | field number)
    action=$(printf %s "$decision" | sed -n 's/.*"actions":\["\([^"]*\)".*/\1/p')
    curl -s -o /dev/null "$server/api/v1/tables/$table/act" -H 'Content-Type: application/json' \
        -H "X-Seat-Token: $token" -d "{\"bot\":\"$name\",\"number\":$number,\"action\":\"$action\"}"
done
