import type { Example } from '../example.ts'

const post = (topic: string, item: object) => ({
  type: 'notification_event',
  app_id: 'a86dr8yl',
  data: { type: 'notification_event_data', item },
  links: {},
  id: `notif_${topic}`,
  topic,
  delivery_status: 'pending',
  delivery_attempts: 1,
  delivered_at: 0,
  first_sent_at: 1793616000,
  created_at: 1793616000,
  self: null,
})
const conversation = {
  type: 'conversation',
  id: '147',
  title: null,
  source: {
    type: 'conversation',
    id: '1',
    delivered_as: 'customer_initiated',
    subject: '<p>My engine</p>',
    body: '<p>It does <b>not</b> start.</p><p>Help!</p>',
    author: { type: 'user', id: '5', name: 'Ada [x]', email: 'ada@example.com' },
  },
  conversation_parts: { type: 'conversation_part.list', conversation_parts: [], total_count: 0 },
}
const reply = {
  type: 'conversation_part',
  id: '3',
  part_type: 'comment',
  body: '<p>Try again.</p>',
  author: { type: 'admin', id: '7', name: 'Grace' },
}

export const INTERCOM_EXAMPLES: readonly Example[] = [
  {
    what: 'a new conversation',
    body: post('conversation.user.created', conversation),
    messages: [
      {
        topic: 'My engine',
        text: 'Ada &#91;x&#93; began [My engine](https://app.intercom.com/a/inbox/a86dr8yl/inbox/conversation/147):\n\n~~~ quote\nIt does not start.\nHelp!\n~~~',
      },
    ],
  },
  {
    what: 'a reply',
    body: post('conversation.admin.replied', {
      ...conversation,
      conversation_parts: { conversation_parts: [reply] },
    }),
    messages: [
      {
        topic: 'My engine',
        text: 'Grace replied in [My engine](https://app.intercom.com/a/inbox/a86dr8yl/inbox/conversation/147):\n\n~~~ quote\nTry again.\n~~~',
      },
    ],
  },
  {
    what: 'a new user',
    body: post('contact.user.created', { type: 'contact', id: '5', name: null, email: 'ada@example.com' }),
    messages: [{ topic: 'ada@example.com', text: 'User **ada&#64;example&#46;com** was created.' }],
  },
  {
    what: 'a ticket',
    body: post('ticket.state.updated', {
      type: 'ticket',
      ticket_id: '12',
      ticket_state: 'in_progress',
      ticket_attributes: { _default_title_: 'Engine' },
    }),
    messages: [{ topic: 'Intercom', text: 'Ticket **Engine** is in progress.' }],
  },
  {
    what: 'a test',
    body: post('ping', { type: 'ping', message: 'something something interzen' }),
    messages: [{ topic: 'Intercom', text: 'Intercom reaches this bot.' }],
  },
  {
    what: 'values of other types',
    body: { topic: 'conversation.admin.closed', data: { item: { source: [], conversation_parts: 'none' } } },
    messages: [{ topic: 'Intercom', text: 'Someone closed a conversation.' }],
  },
  {
    what: 'another event',
    body: post('conversation.painted', conversation),
    unsupported: 'conversation.painted',
  },
]
