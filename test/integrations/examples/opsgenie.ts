import type { Example } from '../example.ts'

const alert = (action: string, more: object = {}) => ({
  action,
  alert: {
    alertId: '052652ac-5d1c-464a-812a-7dd18bbfba8c',
    message: 'The disk of *web-1* is full',
    tags: ['disk', 'prod'],
    tinyId: '10',
    entity: 'web-1',
    alias: 'disk-web-1',
    createdAt: 1793616000000,
    updatedAt: 1793616000000000000,
    username: 'ada@example.com',
    userId: 'daed1180',
    description: 'Only **3 %** are free.',
    teams: ['daed1180-0ce8-438b-8f8e-57e1a5920a2d'],
    source: 'Prometheus',
    priority: 'P2',
    ...more,
  },
  source: { name: '', type: 'api' },
  integrationName: 'Chat',
  integrationId: '37c8f316',
  integrationType: 'Webhook',
})

export const OPSGENIE_EXAMPLES: readonly Example[] = [
  {
    what: 'an alert',
    body: alert('Create'),
    messages: [
      {
        topic: '#10 The disk of *web-1* is full',
        text: ':alert: Alert [#10 The disk of &#42;web-1&#42; is full](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) was created by ada&#64;example&#46;com:\n\n~~~ quote\nOnly **3 %** are free.\n~~~\n\n* Priority: P2\n* Entity: web-1\n* Source: Prometheus\n* Tags: disk and prod\n* Teams: daed1180-0ce8-438b-8f8e-57e1a5920a2d',
      },
    ],
  },
  {
    what: 'an alert that somebody has seen',
    body: alert('Acknowledge'),
    messages: [
      {
        topic: '#10 The disk of *web-1* is full',
        text: 'Alert [#10 The disk of &#42;web-1&#42; is full](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) was acknowledged by ada&#64;example&#46;com.',
      },
    ],
  },
  {
    what: 'an alert that is closed',
    body: alert('Close', { note: 'It was the log.' }),
    messages: [
      {
        topic: '#10 The disk of *web-1* is full',
        text: ':checkbox: Alert [#10 The disk of &#42;web-1&#42; is full](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) was closed by ada&#64;example&#46;com:\n\n~~~ quote\nIt was the log.\n~~~',
      },
    ],
  },
  {
    what: 'a note',
    body: alert('AddNote', { note: 'Looking at it.', username: undefined }),
    messages: [
      {
        topic: '#10 The disk of *web-1* is full',
        text: 'Alert [#10 The disk of &#42;web-1&#42; is full](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) got a note:\n\n~~~ quote\nLooking at it.\n~~~',
      },
    ],
  },
  {
    what: 'a new owner',
    body: alert('AssignOwnership', { owner: 'grace@example.com' }),
    messages: [
      {
        topic: '#10 The disk of *web-1* is full',
        text: 'Alert [#10 The disk of &#42;web-1&#42; is full](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) was assigned to **grace&#64;example&#46;com** by ada&#64;example&#46;com.',
      },
    ],
  },
  {
    what: 'another priority',
    body: alert('UpdatePriority', { oldPriority: 'P5' }),
    messages: [
      {
        topic: '#10 The disk of *web-1* is full',
        text: 'Alert [#10 The disk of &#42;web-1&#42; is full](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) has the priority **P2** (before: P5) by ada&#64;example&#46;com.',
      },
    ],
  },
  {
    what: 'tags',
    body: alert('AddTags', { addedTags: ['slow', 'old'] }),
    messages: [
      {
        topic: '#10 The disk of *web-1* is full',
        text: 'Alert [#10 The disk of &#42;web-1&#42; is full](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) got the tags **slow and old** by ada&#64;example&#46;com.',
      },
    ],
  },
  {
    what: 'values of other types',
    body: { action: 'Create', alert: { message: [], tags: 'disk', tinyId: {}, username: true } },
    messages: [
      { topic: 'Opsgenie', text: ':alert: Alert without a text was created by true:\n\n* Tags: disk' },
    ],
  },
  { what: 'another action', body: alert('Paint'), unsupported: 'Paint' },
]
