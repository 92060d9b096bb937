import { hmac, isRecent, isSameText } from '../signatures.ts'
import { declared } from './declaration.ts'

const SIGNATURE = 'X-Zendesk-Webhook-Signature'
const TIMESTAMP = 'X-Zendesk-Webhook-Signature-Timestamp'

const TICKET =
  '[ticket{{? #{{ticket_id | or: detail.id | or: subject | last: ":"}}?}}{{? {{ticket_title | or: detail.subject | once}}?}}]({{ticket_url}})'
/** The same at the beginning of a sentence. */
const THE_TICKET = TICKET.replace('[t', '[T')
const USER = '{{current_user | or: event.comment.author.name | default: "Someone"}}'
const changed = (what: string) => ({
  says: `The ${what} of ${TICKET} is now **{{event.current | join | default: "empty"}}**{{? (before: {{event.previous | join}})?}}`,
})

/** Tickets of Zendesk, by triggers or events. Source: docs/interface/webhooks.md#services. */
export const zendesk = declared({
  name: 'zendesk',
  displayName: 'Zendesk',
  event: '{{type | after: "zen:event-type:"}}',
  id: '{{id}}',
  topic:
    '#{{ticket_id | or: detail.id | or: subject | last: ":"}}{{?: {{ticket_title | or: detail.subject}}?}}',
  verify: ({ body, header, now }, secret) => {
    const timestamp = header(TIMESTAMP)
    return (
      isRecent(String(Math.floor(Date.parse(timestamp) / 1_000)), now) &&
      isSameText(header(SIGNATURE), hmac(secret, [timestamp, body], 'base64'))
    )
  },
  sign: ({ body, now }, secret) => {
    const timestamp = `${new Date(now * 1_000).toISOString().slice(0, -'.000Z'.length)}Z`
    return { [TIMESTAMP]: timestamp, [SIGNATURE]: hmac(secret, [timestamp, body], 'base64') }
  },
  events: {
    '': {
      says: `${USER} changed ${TICKET}`,
      quotes: '{{message | or: comment}}',
      facts: {
        Status: '{{ticket_status}}',
        Priority: '{{ticket_priority}}',
        Assignee: '{{ticket_assignee}}',
      },
    },
    'ticket.created': {
      says: `${THE_TICKET} was created{{? by way of {{detail.via.channel | words}}?}}`,
      quotes: '{{detail.description}}',
      facts: { Status: '{{detail.status | words}}', Priority: '{{detail.priority | words}}' },
    },
    'ticket.comment_added': {
      says: `${USER} commented on ${TICKET}`,
      quotes: '{{event.comment.body}}',
    },
    'ticket.status_changed': changed('status'),
    'ticket.priority_changed': changed('priority'),
    'ticket.subject_changed': changed('subject'),
    'ticket.type_changed': changed('type'),
    'ticket.tags_changed': {
      says: `The tags of ${TICKET} have changed`,
      facts: { Added: '{{event.tags_added | join}}', Removed: '{{event.tags_removed | join}}' },
    },
    'ticket.agent_assignment_changed': { says: `${THE_TICKET} has another assignee` },
    'ticket.group_assignment_changed': { says: `${THE_TICKET} has another group` },
    'ticket.soft_deleted': { says: `${THE_TICKET} was deleted` },
    'ticket.undeleted': { says: `${THE_TICKET} was restored` },
    'ticket.custom_status_changed': null,
    'ticket.custom_field_changed': null,
  },
  otherwise: {
    says: 'Event **{{type | after: "zen:event-type:" | default: "without a kind"}}**{{? of {{subject | after: "zen:"}}?}}',
    topic: '{{subject | after: "zen:" | before: ":"}}',
  },
  needs: '{{type | or: ticket_id | or: ticket_title}}',
})
