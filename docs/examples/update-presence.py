import os
from parley import call

call("POST", "/users/me/presence", status="active", new_user_input=True)
print(call("GET", f"/users/{os.environ['EMAIL']}/presence")["presence"]["aggregated"])
