import { ALERT_RETRIES, defineIntegration, type Reading } from './integration.ts'
import { andMore, blocks, bold, linkIfAny, listOf, oneLine, plain, statement, words } from './markdown.ts'
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
    const groups = Map.groupBy(alerts, (alert) =>
      JSON.stringify([oneLine(labelled(alert, name)), alert.text('status')]),
    )
    const left = body.number('truncatedAlerts') ?? 0
    return [...groups.values()].map((group, at) => {
      const [first] = group as [Payload, ...Payload[]]
      const event = first.text('status')
      const more = at === groups.size - 1 && left > 0 ? andMore(`and ${left} more`, `[and ${left} more]`) : ''
      const text = blocks(textOf(event, group, desc), more)
      return { event, topic: labelled(first, name), text, whole: body.text('externalURL') }
    })
  },
})

/** Returns the label of an alert, or an annotation. */
function labelled(alert: Payload, name: string): string {
  return alert.text('labels', name) || alert.text('annotations', name)
}

function textOf(status: string, alerts: readonly Payload[], description: string): string {
  const head = words(ICONS[status]!, bold(status.toUpperCase()))
  const lines = alerts.map((alert) => {
    const graph = linkIfAny('graph', alert.text('generatorURL').replace(/\btab=1\b/, 'tab=0'))
    return words(plain(labelled(alert, description)) || 'An alert', graph && `(${graph})`)
  })
  return lines.length === 1 ? words(head, lines[0]!) : statement(head, listOf(lines))
}
