import json, os, urllib.parse, urllib.request

fields = {"username": os.environ["EMAIL"], "password": os.environ["PASSWORD"]}
body = urllib.parse.urlencode(fields).encode()
with urllib.request.urlopen(os.environ["SITE"] + "/api/v1/fetch_api_key", body) as response:
    print(json.load(response)["api_key"])
