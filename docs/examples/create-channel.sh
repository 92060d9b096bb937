ME=$(curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/users/me" | jq .user_id)
curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/channels/create" \
  --data-urlencode "name=$CHANNEL" -d "subscribers=[$ME]" -d 'description=What we ship' -d invite_only=true
