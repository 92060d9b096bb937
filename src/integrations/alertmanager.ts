import { ALERT_RETRIES, defineIntegration, type Reading } from './integration.ts'
import { bold, linkIfAny, listOf, oneLine, plain, statement, words } from './markdown.ts'
import type { Payload } from './payload.ts'

const ICONS: Readonly<Record<string, string>> = { firing: ':alert:', resolved: ':checkbox:' }

/** Alerts of Prometheus. Source: docs/interface/webhooks.md#services. */
export const alertmanager = defineIntegration({
  name: 'alertmanager',
  displayName: 'Alertmanager',
  events: Object.keys(ICONS),
  options: ['name', 'desc'],
  deliveryId: ({ digest }) => digest(),
  retriesWithin: ALERT_RETRIES,
  read({ body, options }): Reading {
    const { name = 'instance', desc = 'alertname' } = options
    const alerts = body.list('alerts').filter((alert) => Object.hasOwn(ICONS, alert.text('status')))
    if (alerts.length === 0) return { unsupported: oneLine(body.text('status')) || 'unknown' }
    const whole = body.text('externalURL')
    const groups = Map.groupBy(alerts, (alert) => `${alert.text('status')} ${labelOf(alert, name)}`)
    const messages = Array.from(groups.values(), (group) => {
      const [first] = group as [Payload, ...Payload[]]
      const event = first.text('status')
      return { event, topic: labelOf(first, name), text: () => textOf(event, group, desc), whole }
    })
    const truncated = Math.max(0, Math.floor(body.number('truncatedAlerts') ?? 0))
    return { messages, unread: truncated + body.unread('alerts') }
  },
})

/** Returns the label of an alert, or an annotation, on one line. */
function labelOf(alert: Payload, name: string): string {
  return oneLine(alert.text('labels', name) || alert.text('annotations', name))
}

function textOf(status: string, alerts: readonly Payload[], description: string): string {
  const head = words(ICONS[status]!, bold(status.toUpperCase()))
  const lineOf = (alert: Payload) => {
    const graph = linkIfAny('graph', alert.text('generatorURL').replace(/\btab=1\b/, 'tab=0'))
    return words(plain(labelOf(alert, description)) || 'An alert', graph && `(${graph})`)
  }
  return alerts.length === 1 ? words(head, lineOf(alerts[0]!)) : statement(head, listOf(alerts, lineOf))
}
