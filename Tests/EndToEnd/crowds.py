"""Thousands of people who never come, and some of them who do."""

from home import signed_in
from inboxes import look

COMMIT = ("--durability=commit",)
CROWD = 10_000  # as many as one notification may name


async def crowd_in(server, size):
    """The ids of people who never came."""
    admin = await signed_in(server, "dev-admin:root", check=False)
    ids = [f"c{number}" for number in range(size)]
    await admin.many("user.put", [
        {"users": [{"id": each, "custom": {"crowd": True}} for each in ids[at:at + 100]]}
        for at in range(0, size, 100)])
    await admin.close()
    return ids


async def arrive(server, users):
    clients = [await signed_in(server, f"dev:{user}", check=False) for user in users]
    for client in clients:
        await look(client)
    return clients
