#!/usr/bin/env python3
"""A bot for Meeple's server that needs nothing but Python: it plays at random.

    meeple serve
    python3 examples/bots/bot.py http://127.0.0.1:7777 mybot

Then give `mybot` a seat at a table, or enter it in a competition. Replace `choose` by something better.

The secret of the bot is kept in mybot.token, so that it can be started again under its name. A server for others
wants its own token, too: MEEPLE_TOKEN=... python3 bot.py ...
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request


def choose(decision):
    """`decision` has the view of the seat as text and as a scene, and all legal actions."""
    return random.choice(decision["actions"])


def call(server, path, body=None, token=""):
    """The answer to a request; None if there is none."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "X-Seat-Token": token}
    if os.environ.get("MEEPLE_TOKEN"):
        headers["Authorization"] = "Bearer " + os.environ["MEEPLE_TOKEN"]
    request = urllib.request.Request(f"{server}/api/v1/{path}", data, headers)
    with urllib.request.urlopen(request, timeout=90) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def register(server, name, file):
    """A new secret, which only the owner of the file can read."""
    token = call(server, "bots", {"name": name})["token"]
    with open(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as out:
        out.write(token + "\n")
    return token


def play(server, name, token):
    """One decision, if one comes up."""
    decision = call(server, f"bots/{name}/next?wait=30", token=token)
    if decision is not None:
        answer = {"bot": name, "number": decision["number"], "action": choose(decision)}
        call(server, f"tables/{decision['table']}/act", answer, token)


def main():
    server, name = sys.argv[1], sys.argv[2]
    file = f"{name}.token"
    token = open(file).read().strip() if os.path.exists(file) else ""
    while True:
        try:
            token = token or register(server, name, file)
            play(server, name, token)
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if problem["code"] in ("token_required", "name_taken"):
                sys.exit(problem["message"])
            if problem["code"] == "no_bot":
                token = ""  # the server does not know it yet, or not any more
                continue
            # Too late, too often, or the game ended meanwhile.
            print(problem["message"], file=sys.stderr)
            time.sleep(int(error.headers.get("Retry-After", 0)))
        except OSError as error:
            # The server is away; what it asked it will ask again.
            print(error, file=sys.stderr)
            time.sleep(1)


if __name__ == "__main__":
    main()
