#!/usr/bin/env python3
"""A bot over standard input and output, for local matches: it plays at random.

    meeple match connect-four --agents "exec:python3 examples/bots/line.py,mcts:iterations=100" --games 20

Every line is a JSON object. {"type": "new"} begins a game; {"type": "decide", ...} has the view of the seat and all
legal actions, and is answered with the text of one of them.
"""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        print(random.choice(message["actions"]), flush=True)
