from parley import call

queue = call("POST", "/register", event_types=["message"])
last_event_id = queue["last_event_id"]
while True:
    # The answer comes when there is an event, or after a minute with a heartbeat.
    answer = call("GET", "/events", queue_id=queue["queue_id"], last_event_id=last_event_id)
    for event in answer["events"]:
        last_event_id = event["id"]
        if event["type"] == "message":
            message = event["message"]
            print(f"{message['sender_full_name']}: {message['content']}", flush=True)
