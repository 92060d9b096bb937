curl -sS -u "$EMAIL:$KEY" -X PATCH "$SITE/api/v1/messages/$MESSAGE_ID" \
  --data-urlencode 'content=Hello, *all*!'
