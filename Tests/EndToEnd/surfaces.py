"""Devices on which notices show, and how tests know that none will come."""

from chat import code_of
from stage import say


class Watch:
    """Somebody who writes, and readers on their devices. `fence` returns when all that is told of
    earlier messages has come everywhere: of a later one, in a channel that the readers muted,
    every device hears an activity, behind the notices."""

    def __init__(self, sender, room, control):
        self.sender, self.room, self.control = sender, room, control

    @classmethod
    async def of(cls, stage, *readers, kind="group", stem="sender"):
        sender = await stage.person(stem)
        room = await stage.room(sender, *readers, kind=kind)
        control = await stage.room(sender, *readers)
        for reader in readers:
            await reader.request("channel.mute", channel=control)
            await reader.settle()
        return cls(sender, room, control)

    async def fence(self, *devices):
        [seq] = await say(self.sender, self.control, "fence")
        for device in devices:
            await device.expect("activity", channel=self.control, seq=seq)
            await device.ping()

    async def say(self, text="hello", **more):
        """Sends one message; its seq."""
        return (await self.sender.request(
            "message.send", channel=more.pop("channel", self.room), text=text, **more))["seq"]

    async def shown(self, *devices):
        """What each device was shown, in order, of all messages so far: pairs of surface and
        seq, or None where it was retracted."""
        await self.fence(*devices)
        return [shown_to(device) for device in devices]


def shown_to(device):
    return [(event.get("surface"), event["seq"]) for event in device.log
            if event.get("ev") in ("notice", "notice.retract")]


async def look_at(device, what, channel=None):
    """Sets a focus: `here` is the channel, `elsewhere` another; `unset` is none."""
    if what == "here":
        await device.request("focus", screen="channel", channel=channel)
    elif what == "elsewhere":
        other = f"other:{channel}:{device.user}"
        await code_of(device.request("channel.create", channel=other, kind="group"))
        await device.request("focus", screen="channel", channel=other)
    elif what != "unset":
        await device.request("focus", screen=what)
