from parley import call

for user in call("GET", "/users")["members"]:
    print(user["user_id"], user["full_name"], "bot" if user["is_bot"] else "")
