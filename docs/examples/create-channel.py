import os
from parley import call

me = call("GET", "/users/me")
made = call(
    "POST",
    "/channels/create",
    name=os.environ["CHANNEL"],
    subscribers=[me["user_id"]],
    description="What we ship",
    invite_only=True,
)
print(made["id"])
