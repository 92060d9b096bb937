import { type Delivery, defineIntegration, type Reading } from './integration.ts'
import { link, oneLine, plain, quote, statement, words } from './markdown.ts'
import { lookUp } from './payload.ts'

const EVENTS = ['up', 'down', 'ssl_expiry'] as const
type Event = (typeof EVENTS)[number]

/** Types of alerts as UptimeRobot writes them: by name or by number. */
const BY_TYPE: Readonly<Record<string, Event>> = {
  up: 'up',
  '2': 'up',
  down: 'down',
  '1': 'down',
  'ssl expiry': 'ssl_expiry',
  '3': 'ssl_expiry',
}

/**
 * Alerts of UptimeRobot. The user who sets it up decides on the format: JSON, a form or parameters, in either spelling of their names.
 * Source: docs/interface/webhooks.md#services.
 */
export const uptimerobot = defineIntegration({
  name: 'uptimerobot',
  displayName: 'UptimeRobot',
  events: EVENTS,
  body: 'form',
  // Without a time, a monitor that goes down again looks the same.
  deliveryId: (delivery) => (valueIn(delivery, 'alertDateTime') === '' ? '' : delivery.digest()),
  read(delivery): Reading {
    const type = valueIn(delivery, 'alertTypeFriendlyName') || valueIn(delivery, 'alertType')
    const key = type.trim().toLowerCase()
    const event = lookUp(BY_TYPE, key)
    if (event === undefined) return { unsupported: oneLine(type) || 'unknown' }
    const name = valueIn(delivery, 'monitorFriendlyName')
    const address = valueIn(delivery, 'monitorURL')
    const lasted = plain(valueIn(delivery, 'alertFriendlyDuration'))
    const monitor = link(name || address || 'A monitor', address)
    return {
      event,
      topic: name,
      text: textOf(event, monitor, lasted, quote(valueIn(delivery, 'alertDetails'))),
      // The first link is the monitored site's.
      whole: '',
    }
  },
})

function textOf(event: Event, monitor: string, lasted: string, reason: string): string {
  if (event === 'down') return statement(words(':alert:', monitor, 'is down'), reason)
  if (event === 'ssl_expiry')
    return statement(words(':warning:', 'The certificate of', monitor, 'expires soon'), reason)
  return statement(words(':checkbox:', monitor, 'is up again', lasted && `after ${lasted}`), reason)
}

/** Returns a value by its name. The name may also be in lower case: `monitor_url`. */
function valueIn({ body }: Delivery, name: string): string {
  const small = name.replaceAll(/[a-z][A-Z]/g, ([a, b]) => `${a}_${b}`).toLowerCase()
  return body.firstText(small, name)
}
