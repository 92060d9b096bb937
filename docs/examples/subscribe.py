from parley import call

answer = call("POST", "/users/me/subscriptions", subscriptions=[{"name": "general"}])
print(answer["subscribed"], answer["already_subscribed"])
