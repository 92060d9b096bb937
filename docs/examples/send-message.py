from parley import call

sent = call("POST", "/messages", type="channel", to="general", topic="welcome", content="Hello, **everyone**!")
print(sent["id"])
