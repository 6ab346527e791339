"""A bot that notifies 10,000 people again and again, for `notify` of scripts/bench.

    notifier.py URL SECONDS

Says `ready` when the people are there and goes on when a line comes; prints one JSON object.
"""

import asyncio
import json
import sys
import time
from statistics import median

import websockets

PEOPLE = [f"person-{number}" for number in range(10_000)]
LIST = 100


class Bot:
    def __init__(self, socket):
        self.socket = socket
        self.number = 0

    async def ask(self, op: str, **arguments) -> dict:
        self.number += 1
        await self.socket.send(json.dumps({"id": self.number, "op": op, **arguments}))
        while True:
            frame = json.loads(await self.socket.recv())
            if frame.get("id") == self.number:
                return frame["ok"]


async def main(url: str, seconds: float):
    async with websockets.connect(f"{url}/v1/ws", max_size=None) as socket:
        bot = Bot(socket)
        await bot.ask("hello", token="dev-bot:notifier")
        for start in range(0, len(PEOPLE), LIST):
            await bot.ask("user.put", users=[{"id": id} for id in PEOPLE[start:start + LIST]])
        print("ready", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        took = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            began = time.monotonic()
            answer = await bot.ask("notify", to=PEOPLE, type="system", text="To everybody")
            took.append(time.monotonic() - began)
            assert answer == {"made": len(PEOPLE), "unknown": []}, answer
    print(json.dumps({"notifies": len(took), "p50_ms": median(took) * 1e3,
                      "longest_ms": max(took) * 1e3}))


asyncio.run(main(sys.argv[1], float(sys.argv[2])))
