import { signedBy } from '../signatures.ts'
import { declared } from './declaration.ts'

const CONVERSATION =
  '[{{data.item.title | or: data.item.source.subject | text | default: "a conversation"}}](https://app.intercom.com/a/inbox/{{app_id}}/inbox/conversation/{{data.item.id}})'
const PART = 'data.item.conversation_parts.conversation_parts.0'
const AUTHOR = `{{${PART}.author.name | or: data.item.source.author.name | or: data.item.user.name | default: "Someone"}}`
const CONTACT =
  '**{{data.item.name | or: data.item.email | or: data.item.contact.name | or: data.item.contact.email | default: "without a name"}}**'
const said = (done: string) => ({
  says: `${AUTHOR} ${done} ${CONVERSATION}`,
  quotes: `{{${PART}.body | text}}`,
})

/** Conversations and contacts of Intercom. Source: docs/interface/webhooks.md#services. */
export const intercom = declared({
  name: 'intercom',
  displayName: 'Intercom',
  answersHead: true,
  event: '{{topic}}',
  id: '{{id}}',
  topic:
    '{{data.item.title | or: data.item.source.subject | text | or: data.item.name | or: data.item.email}}',
  ...signedBy('X-Hub-Signature', { algorithm: 'sha1', prefix: 'sha1=' }),
  events: {
    ping: { says: 'Intercom reaches this bot' },
    'conversation.user.created': {
      says: `${AUTHOR} began ${CONVERSATION}`,
      quotes: '{{data.item.source.body | text}}',
    },
    'conversation.user.replied': said('replied in'),
    'conversation.admin.replied': said('replied in'),
    'conversation.admin.single.created': said('began'),
    'conversation.admin.noted': said('wrote a note in'),
    'conversation.admin.assigned': said('assigned'),
    'conversation.admin.closed': said('closed'),
    'conversation.admin.opened': said('opened'),
    'conversation.admin.snoozed': said('snoozed'),
    'conversation.admin.unsnoozed': said('woke'),
    'conversation.priority.updated': said('changed the priority of'),
    'conversation.rating.added': {
      says: `${CONVERSATION} was rated{{? {{data.item.conversation_rating.rating}} of 5?}}`,
      quotes: '{{data.item.conversation_rating.remark}}',
    },
    'conversation.deleted': { says: 'A conversation was deleted' },
    'contact.user.created': { says: `User ${CONTACT} was created` },
    'contact.lead.created': { says: `Lead ${CONTACT} was created` },
    'contact.lead.signed_up': { says: `Lead ${CONTACT} signed up` },
    'contact.unsubscribed': { says: `${CONTACT} unsubscribed from mails` },
    'contact.deleted': { says: `Contact ${CONTACT} was deleted` },
    'contact.archived': { says: `Contact ${CONTACT} was archived` },
    'contact.email.updated': { says: `${CONTACT} has another address` },
    'company.created': { says: `Company ${CONTACT} was created` },
    'ticket.created': {
      says: 'Ticket **{{data.item.ticket_attributes._default_title_ | or: data.item.ticket_id | default: "without a title"}}** was created',
    },
    'ticket.state.updated': {
      says: 'Ticket **{{data.item.ticket_attributes._default_title_ | or: data.item.ticket_id | default: "without a title"}}** is {{data.item.ticket_state | words | default: "changed"}}',
    },
  },
})
