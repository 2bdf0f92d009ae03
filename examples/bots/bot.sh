#!/bin/sh
# A bot for Meeple's server in a few lines of shell: it takes the first legal action.
#
#     meeple serve
#     sh examples/bots/bot.sh http://127.0.0.1:7777 mybot
#
# It needs curl. Names and actions must not hold quotes. The secret of the bot is kept in mybot.token, so that it can
# be started again under its name. A server for others wants its own token, too: MEEPLE_TOKEN=... sh bot.sh ...
server=$1 name=$2
token=$(cat "$name.token" 2>/dev/null)

# Secrets go to curl by its standard input: everybody can see the arguments of a program.
headers() {
    printf 'header = "X-Seat-Token: %s"\n' "$token"
    [ -z "$MEEPLE_TOKEN" ] || printf 'header = "Authorization: Bearer %s"\n' "$MEEPLE_TOKEN"
}

# call PATH [BODY]: the answer, and its status in a line of its own
call() {
    headers | curl -s -m 90 -K - -w '\n%{http_code}' -H 'Content-Type: application/json' \
        ${2:+-d "$2"} "$server/api/v1/$1"
}

# field NAME: the first text or number of this name in the JSON on standard input
field() { grep -o "\"$1\":\"\{0,1\}[^\",}]*" | head -n 1 | sed "s/\"$1\":\"\{0,1\}//"; }

# refused ANSWER: what the server has against it, if it is no use to go on
refused() {
    case $1 in *'"token_required"'* | *'"name_taken"'*) printf '%s\n' "$1" | field message ;; esac
}

while :; do
    if [ -n "$token" ]; then
        answer=$(call "bots/$name/next?wait=30")
    else
        answer=$(call bots "{\"name\":\"$name\"}")
        token=$(printf %s "$answer" | field token)
        [ -z "$token" ] || (umask 077 && printf '%s\n' "$token" >"$name.token")
    fi
    problem=$(refused "$answer")
    [ -z "$problem" ] || { echo "$problem" >&2; exit 1; }
    case $answer in
    *'"type":"decide"'*)
        table=$(printf %s "$answer" | field table)
        number=$(printf %s "$answer" | field number)
        action=$(printf %s "$answer" | sed -n 's/.*"actions":\["\([^"]*\)".*/\1/p')
        call "tables/$table/act" "{\"bot\":\"$name\",\"number\":$number,\"action\":\"$action\"}" >/dev/null
        ;;
    *'"no_bot"'*) token= ;;   # the server does not know it yet, or not any more
    *200 | *204) ;;           # registered, or nothing to decide
    *) sleep 1 ;;             # the server is away; what it asked it will ask again
    esac
done
