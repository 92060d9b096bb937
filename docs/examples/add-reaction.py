import os
from parley import call

call("POST", f"/messages/{os.environ['MESSAGE_ID']}/reactions", emoji_name="tada")
