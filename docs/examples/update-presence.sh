curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/users/me/presence" -d status=active -d new_user_input=true
curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/users/$EMAIL/presence"
