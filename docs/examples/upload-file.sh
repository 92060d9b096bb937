echo 'Tuesday at ten' > notes.txt
URL=$(curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/user_uploads" -F file=@notes.txt | sed 's/.*"url":"\([^"]*\)".*/\1/')
curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/messages" \
  -d type=channel -d to=general -d topic=welcome --data-urlencode "content=[notes.txt]($URL)"
