import { defineIntegration, type Reading } from './integration.ts'
import { blocks, details, link, plainOrLink, quote, statement, time, words } from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { secretInHeader } from './signatures.ts'

/** Words for an alert that begins or ends; none for others. */
const STATES: Readonly<Record<string, readonly [icon: string, text: string]>> = {
  ALERT_STATE_EVENT_START: [':alert:', 'has started'],
  ALERT_STATE_EVENT_END: [':checkbox:', 'has ended'],
}

/**
 * Notifications of Cloudflare. There are dozens of kinds of alerts, and more every month, each with Cloudflare's own text. Source:
 * docs/interface/webhooks.md#services.
 */
export const cloudflare = defineIntegration({
  name: 'cloudflare',
  displayName: 'Cloudflare',
  events: null,
  // Tests have no time, and may repeat.
  deliveryId: ({ body, digest }) => (body.has('ts') ? digest() : ''),
  ...secretInHeader('cf-webhook-auth'),
  read({ body }): Reading {
    const type = body.text('alert_type')
    const name = body.firstText('name', 'policy_name')
    const said = quote(body.text('text'))
    const data = body.at('data')
    if (said === '' && name === '' && type === '') return { unsupported: 'unknown' }
    const state = body.text('alert_event')
    const [icon, done] = lookUp(STATES, state) ?? ['', 'says']
    const alert = link(name || type.replaceAll('_', ' '), data.firstText('dashboard_link', 'link'))
    const what = words(icon, alert ? `Alert ${alert}` : 'Cloudflare', done)
    const text = statement(what, blocks(said, details(factsOf(data), data.unread())))
    return { event: type || null, topic: body.firstText('policy_name', 'name'), text }
  },
})

/** Keys of the data that the message shows separately, or that only programs need. */
const LEFT_OUT = /^(?:dashboard_link|link)$|(?:^|_)(?:id|tag)$/
/** Names of values that hold a time. */
const OF_TIME = /(?:^|_)(?:time|timestamp|at|date)$/

/** Returns the alert's own details: each kind has different keys. */
function factsOf(data: Payload): (readonly [string, string])[] {
  return data.entries().flatMap(([key, value]) => {
    if (LEFT_OUT.test(key)) return []
    const text = value.text()
    return [[key.replaceAll('_', ' '), (OF_TIME.test(key) && time(text)) || plainOrLink(text)] as const]
  })
}
