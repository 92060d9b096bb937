import { defineIntegration, type Reading, type WebhookMessage } from './integration.ts'
import { enumeration, inWords, link, oneLine, plain, quote, statement, words } from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { signedInList } from './signatures.ts'

/** The event, and its object. */
interface Happened {
  readonly incident: Payload
  /** The person or program that did it; possibly empty. */
  readonly agent: Payload
  readonly data: Payload
}

/** Returns the words that follow the incident. */
type Wording = (happened: Happened) => string

const by = ({ agent }: Happened): string => {
  const name = linkTo(agent)
  return name && `by ${name}`
}
const from = ({ agent }: Happened): string => {
  const name = linkTo(agent)
  return name && `from ${name}`
}
const assigned: Wording = ({ incident }) => {
  const names = assigneesOf(incident)
  return names && `to ${names}`
}
const was =
  (done: string, more: Wording = () => ''): Wording =>
  (happened) =>
    words('was', done, more(happened), by(happened))

/** The words for an incident, by the event without `incident.`. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  triggered: (happened) => {
    const { incident } = happened
    const service = linkTo(incident.at('service'))
    const names = assigneesOf(incident)
    const urgency = inWords(incident.text('urgency'))
    return words(
      'was triggered',
      service && `for ${service}`,
      by(happened),
      urgency && `with ${urgency} urgency`,
      names && `(assigned to ${names})`,
    )
  },
  acknowledged: was('acknowledged'),
  unacknowledged: was('unacknowledged'),
  resolved: was('resolved'),
  reopened: was('reopened'),
  reassigned: was('reassigned', assigned),
  escalated: was('escalated', assigned),
  delegated: was('delegated', ({ incident }) => {
    const policy = linkTo(incident.at('escalation_policy'))
    return policy && `to ${policy}`
  }),
  annotated: (happened) => words('got a note', from(happened)),
  priority_updated: ({ incident }) => {
    const priority = plain(incident.text('priority', 'summary'))
    return priority ? `now has the priority ${priority}` : 'has no priority any more'
  },
  'responder.added': ({ data }) => words('got', linkTo(data.at('user')) || 'someone', 'as a responder'),
  'responder.replied': ({ data }) => {
    const done = data.text('state') === 'declined' ? 'will not be joined by' : 'is joined by'
    return words(done, linkTo(data.at('user')) || 'a responder')
  },
  status_update_published: (happened) => words('got a status update', from(happened)),
  service_updated: (happened) => {
    const service = linkTo(happened.incident.at('service'))
    return words('was moved', service && `to ${service}`, by(happened))
  },
}

/** Events of version 2, which PagerDuty still sends where an account is set up for it. */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  trigger: 'triggered',
  acknowledge: 'acknowledged',
  unacknowledge: 'unacknowledged',
  resolve: 'resolved',
  assign: 'reassigned',
  escalate: 'escalated',
  delegate: 'delegated',
  annotate: 'annotated',
}

const PREFIX = 'incident.'
const PING = 'pagey.ping'

/** Incidents of PagerDuty. Source: docs/interface/webhooks.md#services. */
export const pagerduty = defineIntegration({
  name: 'pagerduty',
  displayName: 'PagerDuty',
  events: [...Object.keys(WORDINGS).map((name) => PREFIX + name), PING],
  deliveryId: ({ body }) => body.text('event', 'id') || body.text('messages', 0, 'id'),
  ...signedInList('X-PagerDuty-Signature'),
  read({ body, hasOwnTopic }): Reading {
    if (body.has('messages')) return readOlder(body, hasOwnTopic)
    const type = body.text('event', 'event_type')
    const data = body.at('event', 'data')
    if (type === PING) {
      const text = data.text('message') || 'PagerDuty reaches this bot.'
      return { event: PING, topic: 'PagerDuty', text: plain(text) }
    }
    // Notes, responders and status updates contain the incident.
    const incident = data.has('incident') ? data.at('incident') : data
    return (
      readIncident(type, { incident, data, agent: body.at('event', 'agent') }, hasOwnTopic) ?? {
        unsupported: type || 'unknown',
      }
    )
  },
})

function readIncident(type: string, happened: Happened, hasOwnTopic: boolean): WebhookMessage | undefined {
  const name = type.startsWith(PREFIX) ? type.slice(PREFIX.length) : ''
  const wording = lookUp(WORDINGS, name)
  if (!wording) return undefined
  const { incident, data } = happened
  const number = incident.firstText('number', 'incident_number')
  const title = oneLine(incident.firstText('title', 'summary'))
  const numbered = number && `#${number}`
  return {
    event: type,
    topic: words('Incident', numbered, title),
    text: () => {
      const linked = link(words(numbered, hasOwnTopic && numbered ? '' : title), incident.text('html_url'))
      const note = data.text('content') || data.text('message')
      return statement(words('Incident', linked, wording(happened)), quote(note))
    },
  }
}

function readOlder(body: Payload, hasOwnTopic: boolean): Reading {
  const read = body.list('messages').flatMap((message) => {
    const event = message.text('event')
    const older = event.startsWith(PREFIX) ? event.slice(PREFIX.length) : ''
    const name = lookUp(OLDER_NAMES, older) ?? older
    const entry = message.at('log_entries', 0)
    const happened = {
      incident: message.at('incident'),
      agent: entry.at('agent'),
      data: entry.at('channel'),
    }
    return readIncident(PREFIX + name, happened, hasOwnTopic) ?? []
  })
  if (read.length === 0) return { unsupported: body.text('messages', 0, 'event') || 'unknown' }
  return { messages: read, unread: body.unread('messages') }
}

/** Limit of the assignees looked at, of whom `enumeration` names the first. */
const MAX_ASSIGNEES = 20

/** Returns the people and policies to whom an incident is assigned. */
function assigneesOf(incident: Payload): string {
  const assignees = incident.has('assignees')
    ? incident.firstItems(MAX_ASSIGNEES, 'assignees')
    : incident.firstItems(MAX_ASSIGNEES, 'assignments').map((one) => one.at('assignee'))
  return enumeration(assignees.map(linkTo).filter((name) => name !== ''))
}

function linkTo(thing: Payload): string {
  return link(thing.firstText('summary', 'name'), thing.text('html_url'))
}
