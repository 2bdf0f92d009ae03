#!/usr/bin/env python3
"""A bot for Meeple's server that needs nothing but Python: it plays at random.

    meeple serve
    python3 examples/bots/bot.py http://127.0.0.1:7777 mybot

Then give `mybot` a seat at a table, or enter it in a competition. Replace `choose` by something better.
"""

import json
import random
import sys
import urllib.error
import urllib.request


def call(server, path, body=None, token=""):
    """The answer to a request; None if there is none."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "X-Seat-Token": token}
    request = urllib.request.Request(f"{server}/api/v1/{path}", data, headers)
    with urllib.request.urlopen(request, timeout=90) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def choose(decision):
    """`decision` has the view of the seat as text and as a scene, and all legal actions."""
    return random.choice(decision["actions"])


def main():
    server, name = sys.argv[1], sys.argv[2]
    token = call(server, "bots", {"name": name})["token"]
    while True:
        decision = call(server, f"bots/{name}/next?wait=30", token=token)
        if decision is None:
            continue
        answer = {"bot": name, "number": decision["number"], "action": choose(decision)}
        try:
            call(server, f"tables/{decision['table']}/act", answer, token)
        except urllib.error.HTTPError as error:
            # Too late, or the game ended meanwhile: the next decision is asked for.
            print(json.load(error)["message"], file=sys.stderr)


if __name__ == "__main__":
    main()
