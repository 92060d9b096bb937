curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/messages" \
  -d type=channel -d to=general -d topic=welcome --data-urlencode 'content=Hello, **everyone**!'
