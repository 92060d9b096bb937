curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/messages/$MESSAGE_ID/reactions" -d emoji_name=tada
