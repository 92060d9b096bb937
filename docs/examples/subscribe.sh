curl -sS -u "$EMAIL:$KEY" "$SITE/api/v1/users/me/subscriptions" \
  --data-urlencode 'subscriptions=[{"name":"general"}]'
