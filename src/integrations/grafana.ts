import {
  ALERT_RETRIES,
  defineIntegration,
  type Reading,
  type SignedDelivery,
  type WebhookMessage,
} from './integration.ts'
import {
  blocks,
  bold,
  code,
  count,
  details,
  link,
  linkIfAny,
  oneLine,
  plain,
  plainOrLink,
  quote,
  statement,
  time,
  words,
} from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { hmac, isRecent, isSameText } from './signatures.ts'

const ICONS: Readonly<Record<string, string>> = {
  firing: ':alert:',
  resolved: ':checkbox:',
  // Grafana 7 and older.
  alerting: ':alert:',
  ok: ':checkbox:',
  pending: ':hourglass:',
  paused: ':pause_button:',
  no_data: ':question:',
  unknown: ':question:',
}
/** The end time of an alert that is still firing. */
const OPEN_END = '0001-'

/** Alerts of Grafana. Source: docs/interface/webhooks.md#services. */
export const grafana = defineIntegration({
  name: 'grafana',
  displayName: 'Grafana',
  events: Object.keys(ICONS),
  deliveryId: ({ digest }) => digest(),
  retriesWithin: ALERT_RETRIES,
  verify: verifyGrafana,
  sign: ({ body, now }, secret) => ({
    [TIMESTAMP]: String(now),
    [SIGNATURE]: hmac(secret, [`${now}:`, body]),
  }),
  read({ body }): Reading {
    if (!body.has('alerts')) return readOlder(body)
    const messages = body.list('alerts').flatMap(readAlert)
    if (messages.length === 0) return { unsupported: 'unknown' }
    return { messages: [...messages, ...readTruncated(body)], unread: body.unread('alerts') }
  },
})

/** The header in which contact points may send the time of a signature, under its usual name. */
const TIMESTAMP = 'X-Grafana-Alerting-Timestamp'
const SIGNATURE = 'X-Grafana-Alerting-Signature'

function verifyGrafana({ body, header, now }: SignedDelivery, secret: string): boolean {
  const timestamp = header(TIMESTAMP)
  if (timestamp !== '' && !isRecent(timestamp, now)) return false
  const expected = hmac(secret, timestamp === '' ? [body] : [`${timestamp}:`, body])
  return isSameText(header(SIGNATURE), expected)
}

function readAlert(alert: Payload): WebhookMessage[] {
  const status = alert.text('status')
  const icon = lookUp(ICONS, status)
  if (icon === undefined) return []
  const name = oneLine(alert.text('labels', 'alertname') || alert.text('fingerprint'))
  return [
    {
      event: status,
      topic: name && `[${name}]`,
      text: () => textOf(alert, words(icon, bold(status.toUpperCase())), name),
    },
  ]
}

function textOf(alert: Payload, state: string, name: string): string {
  const start = time(alert.text('startsAt'))
  const end = alert.text('endsAt').startsWith(OPEN_END) ? '' : time(alert.text('endsAt'))
  const head = words(
    state,
    link(name || 'alert', alert.firstText('panelURL', 'dashboardURL', 'generatorURL')),
    start && (end ? `from ${start}` : `since ${start}`),
    end && `${start ? 'to' : 'until'} ${end}`,
  )
  const annotations = alert.at('annotations')
  const prose = blocks(annotations.text('summary'), annotations.text('description'))
  const values = details(textsOf(alert.at('values')), alert.unread('values'))
  const facts = [
    details(
      [
        ...textsOf(alert.at('labels')).filter(([key]) => key !== 'alertname'),
        ...textsOf(annotations).filter(([key]) => key !== 'summary' && key !== 'description'),
      ],
      alert.unread('labels') + annotations.unread(),
    ),
    values ? `Values:\n\n${values}` : code(alert.text('valueString')),
  ]
  const links = words(
    linkIfAny('Rule', alert.text('generatorURL')),
    linkIfAny('Silence', alert.text('silenceURL')),
    linkIfAny('Image', alert.text('imageURL')),
  )
  return blocks(statement(head, blocks(quote(prose), ...facts)), links)
}

/** Mentions that Grafana left out some alerts of a group. */
function readTruncated(body: Payload): WebhookMessage[] {
  const left = body.number('truncatedAlerts') ?? 0
  if (left <= 0) return []
  const group = oneLine(body.text('groupLabels', 'alertname'))
  const text = words(
    count(left, 'more alert'),
    'of the group',
    'are in',
    link('Grafana', body.text('externalURL')),
  )
  return [{ event: body.text('status') || 'firing', topic: group && `[${group}]`, text: statement(text) }]
}

function textsOf(object: Payload): (readonly [string, string])[] {
  return object.entries().map(([key, value]) => [key, plainOrLink(value.text())] as const)
}

/** Reads an alert of Grafana 7 and older. */
function readOlder(body: Payload): Reading {
  const state = body.text('state')
  const icon = lookUp(ICONS, state)
  if (icon === undefined) return { unsupported: state || 'unknown' }
  const name = body.firstText('ruleName', 'title')
  const head = words(
    icon,
    bold(state.replaceAll('_', ' ').toUpperCase()),
    link(name || 'alert', body.text('ruleUrl')),
  )
  const matches = body.list('evalMatches').map((match) => {
    return [match.text('metric'), plain(match.text('value'))] as const
  })
  const image = linkIfAny('Image', body.text('imageUrl'))
  return {
    event: state,
    topic: body.firstText('title', 'ruleName'),
    text: statement(
      head,
      blocks(quote(body.text('message')), details(matches, body.unread('evalMatches')), image),
    ),
  }
}
