import type { Example } from '../example.ts'

const event = (type: string, event: object, more: object = {}) => ({
  account_id: 12514403,
  detail: {
    actor_id: '8447388090494',
    assignee_id: '8447388090494',
    created_at: '2026-11-02T10:40:00Z',
    description: 'It does **not** start.',
    id: '35436',
    priority: 'HIGH',
    status: 'OPEN',
    subject: 'My engine [x]',
    updated_at: '2026-11-02T10:41:00Z',
    via: { channel: 'web_service' },
  },
  event,
  id: `cbe4028c-${type}`,
  subject: 'zen:ticket:35436',
  time: '2026-11-02T10:41:00Z',
  type: `zen:event-type:${type}`,
  zendesk_event_version: '2022-11-06',
  ...more,
})

export const ZENDESK_EXAMPLES: readonly Example[] = [
  {
    what: 'a ticket, by a trigger',
    body: {
      ticket_id: '35436',
      ticket_title: 'My engine',
      ticket_url: 'https://acme.zendesk.com/agent/tickets/35436',
      current_user: 'Ada',
      ticket_status: 'Open',
      ticket_priority: 'High',
      message: 'It does **not** start.',
    },
    messages: [
      {
        topic: '#35436: My engine',
        text: 'Ada changed [ticket #35436](https://acme.zendesk.com/agent/tickets/35436):\n\n~~~ quote\nIt does **not** start.\n~~~\n\n* Status: Open\n* Priority: High',
      },
    ],
  },
  {
    what: 'a new ticket',
    body: event('ticket.created', {}),
    messages: [
      {
        topic: '#35436: My engine [x]',
        text: 'Ticket #35436 was created by way of web service:\n\n~~~ quote\nIt does **not** start.\n~~~\n\n* Status: open\n* Priority: high',
      },
    ],
  },
  {
    what: 'a comment',
    body: event('ticket.comment_added', {
      comment: {
        author: { id: '1', is_staff: true, name: 'Grace' },
        body: 'Try again.',
        id: '2',
        is_public: true,
      },
    }),
    messages: [
      {
        topic: '#35436: My engine [x]',
        text: 'Grace commented on ticket #35436:\n\n~~~ quote\nTry again.\n~~~',
      },
    ],
  },
  {
    what: 'another status',
    body: event('ticket.status_changed', { current: 'SOLVED', previous: 'OPEN' }),
    messages: [
      {
        topic: '#35436: My engine [x]',
        text: 'The status of ticket #35436 is now **SOLVED** (before: OPEN).',
      },
    ],
  },
  {
    what: 'tags',
    body: event('ticket.tags_changed', { tags_added: ['slow'], tags_removed: [] }),
    messages: [
      { topic: '#35436: My engine [x]', text: 'The tags of ticket #35436 have changed:\n\n* Added: slow' },
    ],
  },
  {
    what: 'something about a user',
    body: event(
      'user.active_changed',
      { current: false, previous: true },
      { subject: 'zen:user:6596848315901' },
    ),
    messages: [{ topic: 'user', text: 'Event **user.active_changed** of user:6596848315901.' }],
  },
  {
    what: 'values of other types',
    body: {
      type: 'zen:event-type:ticket.priority_changed',
      subject: 7,
      detail: [],
      event: { current: {}, previous: ['a', 'b'] },
    },
    messages: [{ topic: '#7', text: 'The priority of ticket #7 is now **empty** (before: a and b).' }],
  },
  { what: 'nothing', body: { message: 'x' }, unsupported: 'message without content' },
]
