curl -sS "$SITE/api/v1/external/json?api_key=$BOT_KEY&stream=general&topic=deploys" \
  -H 'Content-Type: application/json' -d '{"version":"1.4.2","status":"deployed"}'
