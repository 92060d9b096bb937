curl -sS "$SITE/api/v1/fetch_api_key" \
  --data-urlencode "username=$EMAIL" --data-urlencode "password=$PASSWORD"
