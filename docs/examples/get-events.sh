QUEUE=$(curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/register" -d 'event_types=["message"]' | jq -r .queue_id)
LAST=-1
# The answer comes when there is an event, or after a minute with a heartbeat.
while ANSWER=$(curl -sS -f -u "$EMAIL:$KEY" -G "$SITE/api/v1/events" -d "queue_id=$QUEUE" -d "last_event_id=$LAST"); do
  LAST=$(jq .events[-1].id <<< "$ANSWER")
  jq -r '.events[] | select(.message) | "\(.message.sender_full_name): \(.message.content)"' <<< "$ANSWER"
done
