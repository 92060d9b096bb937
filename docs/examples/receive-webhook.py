import json, os, urllib.parse, urllib.request

address = urllib.parse.urlencode({"api_key": os.environ["BOT_KEY"], "stream": "general", "topic": "deploys"})
request = urllib.request.Request(
    os.environ["SITE"] + "/api/v1/external/json?" + address,
    data=json.dumps({"version": "1.4.2", "status": "deployed"}).encode(),
    headers={"Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())
