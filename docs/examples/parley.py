import base64, json, os, urllib.error, urllib.parse, urllib.request

LOGIN = base64.b64encode(f"{os.environ['EMAIL']}:{os.environ['KEY']}".encode()).decode()

def call(method, path, **fields):
    """Calls an operation as the account of KEY. Values other than text are sent as JSON."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
    query = urllib.parse.urlencode(texts)
    request = urllib.request.Request(
        os.environ["SITE"] + "/api/v1" + path + (f"?{query}" if method == "GET" else ""),
        data=None if method == "GET" else query.encode(),
        headers={"Authorization": f"Basic {LOGIN}"},
        method=method,
    )
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        answer = json.load(error)
        raise RuntimeError(f"{answer['code']}: {answer['msg']}") from None
