import { declared, type Words } from './declaration.ts'

const MONITOR =
  '[{{monitor_friendly_name | or: monitorFriendlyName | or: monitor_url | or: monitorURL | default: "A monitor"}}]({{monitor_url | or: monitorURL}})'
const REASON: Partial<Words> = { quotes: '{{alert_details | or: alertDetails}}' }
const LASTED = '{{? after {{alert_friendly_duration | or: alertFriendlyDuration}}?}}'

/**
 * Alerts of UptimeRobot. The user who sets it up decides on the format: JSON, a form or parameters, in either spelling of their names.
 * Source: docs/interface/webhooks.md#services.
 */
export const uptimerobot = declared({
  name: 'uptimerobot',
  displayName: 'UptimeRobot',
  body: 'form',
  event:
    '{{alert_type_friendly_name | or: alertTypeFriendlyName | or: alert_type | or: alertType | words | as: event}}',
  // Without a time, a monitor that goes down again looks the same.
  id: '{{?{{alert_date_time | or: alertDateTime}} {{#}}?}}',
  topic: '{{monitor_friendly_name | or: monitorFriendlyName}}',
  // The first link is the monitored site's.
  linksElsewhere: true,
  events: {
    up: { says: `:checkbox: ${MONITOR} is up again${LASTED}`, ...REASON },
    down: { says: `:alert: ${MONITOR} is down`, ...REASON },
    ssl_expiry: { says: `:warning: The certificate of ${MONITOR} expires soon`, ...REASON },
  },
  tables: { event: { '1': 'down', '2': 'up', '3': 'ssl_expiry', 'ssl expiry': 'ssl_expiry' } },
})
