curl -sS -u "$EMAIL:$KEY" -G "$SITE/api/v1/messages" \
  -d anchor=newest -d num_before=20 -d num_after=0 -d apply_markdown=false \
  --data-urlencode 'narrow=[{"operator":"channel","operand":"general"},{"operator":"topic","operand":"welcome"}]'
