import { secretInAuthorization } from '../signatures.ts'
import { declared } from './declaration.ts'

const T = 'freshdesk_webhook'
const TICKET = `[ticket{{? #{{${T}.ticket_id | or: ticket_id}}?}}{{? {{${T}.ticket_subject | or: ticket_subject | once}}?}}]({{${T}.ticket_url | or: ticket_url}})`
const facts = {
  Status: `{{${T}.ticket_status | or: ticket_status}}`,
  Priority: `{{${T}.ticket_priority | or: ticket_priority}}`,
  Agent: `{{${T}.ticket_agent_name | or: ticket_agent_name}}`,
}
const AGENT = `{{${T}.ticket_agent_name | or: ticket_agent_name | default: "Someone"}}`
/** The same at the beginning of a sentence. */
const THE_TICKET = TICKET.replace('[t', '[T')
const changed = (what: string) => ({ says: `The ${what} of ${TICKET} has changed`, facts })

/** Tickets of Freshdesk, by its automation rules. Source: docs/interface/webhooks.md#services. */
export const freshdesk = declared({
  name: 'freshdesk',
  displayName: 'Freshdesk',
  body: 'form',
  event: `{{${T}.triggered_event | or: triggered_event | after: "{" | before: ":"}}`,
  topic: `#{{${T}.ticket_id | or: ticket_id}}{{?: {{${T}.ticket_subject | or: ticket_subject}}?}}`,
  needs: `{{${T}.ticket_id | or: ticket_id}}`,
  ...secretInAuthorization(),
  events: {
    ticket_action: {
      says: `{{${T}.ticket_requester_name | or: ticket_requester_name | default: "Someone"}} created ${TICKET}`,
      quotes: `{{${T}.ticket_description | or: ticket_description | text}}`,
      facts,
    },
    status: changed('status'),
    priority: changed('priority'),
    agent: changed('agent'),
    group: changed('group'),
    note_type: {
      says: `${AGENT} wrote a note on ${TICKET}`,
      quotes: `{{${T}.ticket_latest_private_comment | or: ${T}.ticket_latest_public_comment | text}}`,
    },
    reply_sent: {
      says: `${AGENT} replied to ${TICKET}`,
      quotes: `{{${T}.ticket_latest_public_comment | text}}`,
    },
  },
  otherwise: { says: `${THE_TICKET} has changed`, facts },
})
