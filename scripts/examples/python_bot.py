"""A bot for Hub on `websockets` alone: greets who joins a channel, and answers !ping and the like.
What it says to the hub stands in protocol/hub-v1.md. Exit codes: 0 ended by SIGTERM or Ctrl-C,
1 the hub refused, 2 bad arguments, 69 no hub, 77 bad token."""

import argparse
import asyncio
import json
import random
import signal
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

HELP = "!ping, !remind TEXT (into your inbox), !rally (a game for two bots)"
REPLIES = {"!ping": "pong", "!rally": "!rally", "!help": HELP, "!remind": "It is in your inbox."}


class Refused(Exception):
    """The hub said no, and why."""


class Bot:
    def __init__(self, url, token, channel):
        self.url, self.token, self.channel = url.rstrip("/") + "/v1/ws", token, channel
        self.socket, self.number = None, 0  # of the newest request
        self.me = None  # our own user id, once the hub has said it
        self.since = None  # the last message that we have: epoch and seq
        self.events = []  # what is still to be handled, in order

    async def run(self):
        await self.connect()
        print(f"{self.me} is in {self.channel}", file=sys.stderr, flush=True)
        while True:
            try:
                while not self.events:
                    await self.receive()
                await self.handle(self.events[0])
                self.events.pop(0)
            except ConnectionClosed:  # the same again then: by its key the hub knows what is done
                await self.connect()

    async def handle(self, event):
        try:
            if "change" in event:
                [user] = (await self.ask("user.get", users=[event["user"]]))["users"]
                await self.send(f"Welcome, {user['name']}!", 0, key=event["key"])
            else:
                await self.answer(event)
        except Refused as error:  # silenced, not allowed to write here, too many hops
            print("not answered:", error, file=sys.stderr, flush=True)

    async def answer(self, message):
        command, _, rest = message.get("text", "").partition(" ")
        command = "!help" if command == "!remind" and not rest else command
        hops, seq = hops_of_answer(message), message["seq"]
        if hops is None or command not in REPLIES:
            return
        # Keys are made of what is answered: however often it is sent, it is delivered once.
        key = f"{seq}-{message['ts']}"
        if command == "!remind":
            target = {"kind": "message", "id": f"{self.channel}/{seq}"}
            await self.ask("notify", to=[message["user"]], type="reminder", text=rest,
                           target=target, key=f"remind-{key}")
        await self.send(REPLIES[command], hops, key=key, reply_to=seq)

    async def send(self, text, hops, **more):
        more |= {"channel": self.channel, "text": text, "hops": hops, "data": {"hops": hops}}
        await self.ask("message.send", **more)

    async def connect(self):
        while True:
            if self.socket and 4500 <= (self.socket.close_code or 0) < 4600:  # 44xx: come back
                sys.exit(f"the hub ended the connection for good: {self.socket.close_code}")
            try:
                self.socket = await connect(self.url, compression=None, proxy=None)
                self.me = (await self.ask("hello", token=self.token))["user"]["id"]
                await self.ask("channel.join", channel=self.channel)
                # The reply brings all messages since the last one that we have.
                ok = await self.ask("subscribe", channel=self.channel, since=self.since)
                for message in ok["messages"]:
                    self.take(message)
                self.since = {"epoch": ok["epoch"], "seq": ok["seq"]}
                return
            except (OSError, WebSocketException):
                if self.me is None:
                    raise
            await asyncio.sleep(random.uniform(0.25, 1))

    async def ask(self, op, **arguments):
        """One request and its answer. Events that come in between are kept."""
        self.number += 1
        await self.socket.send(json.dumps({"id": self.number, "op": op} | arguments))
        while (frame := await self.receive()).get("id") != self.number:
            pass
        if not (error := frame.get("error")):
            return frame["ok"]
        if "retry_after_ms" not in error:
            raise Refused(f"{error['message']} ({error['code']})")
        await asyncio.sleep(error["retry_after_ms"] / 1000)
        return await self.ask(op, **arguments)

    async def receive(self):
        frame = json.loads(await self.socket.recv())
        kind = frame.get("ev") if frame.get("channel") == self.channel else None
        if kind == "message":
            self.take(frame)
        elif kind == "member" and frame["change"] == "joined" and frame["user"] != self.me:
            self.events.append(frame | {"key": f"hello-{random.random()}"})
        elif kind == "gap":  # the hub left something out: a new connection brings it
            await self.socket.close()
        elif kind == "unsubscribed":
            sys.exit(f"the channel is over for us: {frame['reason']}")
        return frame

    def take(self, message):
        if message["seq"] == self.since["seq"] + 1:
            self.since["seq"] = message["seq"]
            if message.get("user", self.me) != self.me:  # neither our own, nor hidden
                self.events.append(message)


def hops_of_answer(message):
    """How many bots' answers lie behind an answer; None where there must be none: after 8, and to
    bots that do not count. The hub refuses more, but tells no reader; `data` tells it, too."""
    data = message.get("data") if message.get("bot") else {"hops": -1}
    behind = data.get("hops") if isinstance(data, dict) else None
    return behind + 1 if type(behind) is int and behind < 8 else None


async def main(arguments):
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, asyncio.current_task().cancel)
    bot = Bot(arguments.url, arguments.token, arguments.channel)
    try:
        await bot.run()
    except asyncio.CancelledError:
        if bot.socket:
            await bot.socket.close()
    except (Refused, OSError, WebSocketException) as error:
        print(f"{arguments.url}: {error}", file=sys.stderr)
        sys.exit(69 if not isinstance(error, Refused) else 77 if "unauth" in f"{error}" else 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Greets and answers people in one channel.")
    parser.add_argument("--url", default="ws://127.0.0.1:8080")
    parser.add_argument("--token", default="dev-bot:python")
    parser.add_argument("--channel", required=True)
    asyncio.run(main(parser.parse_args()))
