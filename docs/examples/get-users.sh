curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/users"
