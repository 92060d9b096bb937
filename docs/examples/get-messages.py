from parley import call

narrow = [{"operator": "channel", "operand": "general"}, {"operator": "topic", "operand": "welcome"}]
answer = call("GET", "/messages", anchor="newest", num_before=20, num_after=0, apply_markdown=False, narrow=narrow)
for message in answer["messages"]:
    print(message["id"], message["sender_full_name"], message["content"])
