/** Code of the steps at services, which is the same in each language. Between backticks, as `withCode` of the page reads it. */

export const DATADOG =
  '`{"id": "$ID", "title": "$EVENT_TITLE", "monitor": "$ALERT_TITLE", "transition": "$ALERT_TRANSITION", "body": "$EVENT_MSG", "link": "$LINK", "hostname": "$HOSTNAME", "tags": "$TAGS", "priority": "$PRIORITY", "event_type": "$EVENT_TYPE", "last_updated": "$LAST_UPDATED"}`'

/** The secret in a header that one may choose. */
export const BEARER_JSON = '`{"Authorization": "Bearer SECRET"}`'
export const BEARER_YAML = '`Authorization: Bearer SECRET`'

export const APPS_SCRIPT =
  '`UrlFetchApp.fetch(ADDRESS, {method: "post", contentType: "application/json", payload: JSON.stringify(event)})`'

export const NAGIOS =
  '`curl -s -d "NOTIFICATIONTYPE=$NOTIFICATIONTYPE$" -d "HOSTNAME=$HOSTNAME$" --data-urlencode "SERVICEDESC=$SERVICEDESC$" -d "SERVICESTATE=$SERVICESTATE$" --data-urlencode "SERVICEOUTPUT=$SERVICEOUTPUT$" "ADDRESS"`'

export const TOPIC_CONTENT = '`{"topic": "…", "content": "…"}`'

/** A notifier of Home Assistant, and its topic. */
export const NOTIFIER = '`platform: rest`, `name: chat`, `method: POST_JSON`, `title_param_name: title`'
export const TOPIC_YAML = '`topic: NAME`'

export const ZABBIX_PARAMETERS =
  '`hostname: {HOST.NAME}`, `trigger: {TRIGGER.NAME}`, `item: {ITEM.NAME1} is {ITEM.VALUE1}`, `severity: {TRIGGER.SEVERITY}`, `status: {TRIGGER.STATUS}`, `link: {$ZABBIX.URL}/tr_events.php?triggerid={TRIGGER.ID}&eventid={EVENT.ID}`'

export const ZABBIX_SCRIPT =
  '`var request = new HttpRequest(); request.addHeader("Content-Type: application/json"); request.post("ADDRESS", value); return "OK"`'

export const ZENDESK =
  '`{"ticket_id": "{{ticket.id}}", "ticket_title": "{{ticket.title}}", "ticket_url": "{{ticket.link}}", "current_user": "{{current_user.name}}", "ticket_status": "{{ticket.status}}", "message": "{{ticket.latest_comment}}"}`'
