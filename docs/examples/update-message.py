import os
from parley import call

call("PATCH", f"/messages/{os.environ['MESSAGE_ID']}", content="Hello, *all*!")
