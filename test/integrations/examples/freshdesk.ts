import type { Example } from '../example.ts'

const ticket = (triggered_event: string, more: object = {}) => ({
  freshdesk_webhook: {
    triggered_event,
    ticket_id: 11,
    ticket_subject: 'My engine [x]',
    ticket_url: 'https://acme.freshdesk.com/helpdesk/tickets/11',
    ticket_status: 'Open',
    ticket_priority: 'High',
    ticket_agent_name: 'Grace',
    ticket_requester_name: 'Ada Lovelace',
    ticket_requester_email: 'ada@example.com',
    ticket_description: '<div>It does <b>not</b> start.</div><div>&lt;Ever&gt;</div>',
    ...more,
  },
})

export const FRESHDESK_EXAMPLES: readonly Example[] = [
  {
    what: 'a ticket',
    body: ticket('{ticket_action:created}'),
    messages: [
      {
        topic: '#11: My engine [x]',
        text: 'Ada Lovelace created [ticket #11](https://acme.freshdesk.com/helpdesk/tickets/11):\n\n~~~ quote\nIt does not start.\n<Ever>\n~~~\n\n* Status: Open\n* Priority: High\n* Agent: Grace',
      },
    ],
  },
  {
    what: 'another status',
    body: ticket('{status:{from:Open,to:Resolved}}', { ticket_status: 'Resolved' }),
    messages: [
      {
        topic: '#11: My engine [x]',
        text: 'The status of [ticket #11](https://acme.freshdesk.com/helpdesk/tickets/11) has changed:\n\n* Status: Resolved\n* Priority: High\n* Agent: Grace',
      },
    ],
  },
  {
    what: 'a note',
    body: ticket('{note_type:private}', { ticket_latest_private_comment: '<p>Seen it.</p>' }),
    messages: [
      {
        topic: '#11: My engine [x]',
        text: 'Grace wrote a note on [ticket #11](https://acme.freshdesk.com/helpdesk/tickets/11):\n\n~~~ quote\nSeen it.\n~~~',
      },
    ],
  },
  {
    what: 'fields that the owner of the rule has chosen',
    body: {
      ticket_id: 11,
      ticket_subject: 'My engine',
      ticket_url: 'https://acme.freshdesk.com/a/tickets/11',
      ticket_status: 'Closed',
    },
    messages: [
      {
        topic: '#11: My engine',
        text: '[Ticket #11](https://acme.freshdesk.com/a/tickets/11) has changed:\n\n* Status: Closed',
      },
    ],
  },
  {
    what: 'values of other types',
    body: ticket('{priority:{}}', { ticket_subject: [], ticket_status: {}, ticket_url: 7 }),
    messages: [
      { topic: '#11', text: 'The priority of ticket #11 has changed:\n\n* Priority: High\n* Agent: Grace' },
    ],
  },
  { what: 'nothing', body: { freshdesk_webhook: {} }, unsupported: 'message without content' },
]
