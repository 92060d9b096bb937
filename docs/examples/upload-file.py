import json, os, urllib.request, uuid
from parley import LOGIN, call

boundary = uuid.uuid4().hex
body = (
    f"--{boundary}\r\n"
    'Content-Disposition: form-data; name="file"; filename="notes.txt"\r\n'
    "Content-Type: text/plain\r\n\r\n"
    f"Tuesday at ten\r\n--{boundary}--\r\n"
).encode()
request = urllib.request.Request(
    os.environ["SITE"] + "/api/v1/user_uploads",
    data=body,
    headers={"Authorization": f"Basic {LOGIN}", "Content-Type": f"multipart/form-data; boundary={boundary}"},
)
with urllib.request.urlopen(request) as response:
    url = json.load(response)["url"]
call("POST", "/messages", type="channel", to="general", topic="welcome", content=f"[notes.txt]({url})")
