import type { Example } from '../example.ts'

const reference = (summary: string, path: string) => ({
  id: path,
  type: 'reference',
  summary,
  html_url: `https://acme.pagerduty.com/${path}`,
})
const ada = reference('Ada', 'users/PU1')
const incident = {
  id: 'PGR0VU2',
  type: 'incident',
  number: 33,
  title: 'The engine stands still',
  status: 'triggered',
  urgency: 'high',
  html_url: 'https://acme.pagerduty.com/incidents/PGR0VU2',
  service: reference('Engine', 'services/PS1'),
  assignees: [ada, reference('Grace', 'users/PU2')],
  escalation_policy: reference('Nights', 'escalation_policies/PE1'),
  priority: { summary: 'P1' } as object | null,
}
const event = (type: string, data: object, agent: object | null = ada) => ({
  event: {
    id: `01-${type}`,
    event_type: type,
    resource_type: 'incident',
    occurred_at: '2026-11-02T10:40:00.000Z',
    agent,
    client: null,
    data,
  },
})

export const PAGERDUTY_EXAMPLES: readonly Example[] = [
  {
    what: 'a new incident',
    body: event('incident.triggered', incident, null),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) was triggered for [Engine](https://acme.pagerduty.com/services/PS1) with high urgency (assigned to [Ada](https://acme.pagerduty.com/users/PU1) and [Grace](https://acme.pagerduty.com/users/PU2)).',
      },
    ],
  },
  {
    what: 'an incident that somebody looks after',
    body: event('incident.acknowledged', incident),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) was acknowledged by [Ada](https://acme.pagerduty.com/users/PU1).',
      },
    ],
  },
  {
    what: 'an incident that ends by itself',
    body: event('incident.resolved', incident, null),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) was resolved.',
      },
    ],
  },
  {
    what: 'an incident for others, under a topic of the address',
    body: event('incident.reassigned', { ...incident, assignees: [{ summary: 'The [night] shift' }] }),
    address: { topic: 'nights' },
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33 The engine stands still](https://acme.pagerduty.com/incidents/PGR0VU2) was reassigned to The &#91;night&#93; shift by [Ada](https://acme.pagerduty.com/users/PU1).',
      },
    ],
  },
  {
    what: 'an incident for another policy',
    body: event('incident.delegated', incident),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) was delegated to [Nights](https://acme.pagerduty.com/escalation_policies/PE1) by [Ada](https://acme.pagerduty.com/users/PU1).',
      },
    ],
  },
  {
    what: 'a priority',
    body: event('incident.priority_updated', incident),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) now has the priority P1.',
      },
    ],
  },
  {
    what: 'no priority',
    body: event('incident.priority_updated', { ...incident, priority: null }),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) has no priority any more.',
      },
    ],
  },
  {
    what: 'a note',
    body: event('incident.annotated', {
      id: 'N1',
      type: 'incident_note',
      content: 'It is the *wheel*.',
      incident,
    }),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) got a note from [Ada](https://acme.pagerduty.com/users/PU1):\n\n~~~ quote\nIt is the *wheel*.\n~~~',
      },
    ],
  },
  {
    what: 'somebody who is asked to help',
    body: event('incident.responder.added', {
      type: 'incident_responder',
      user: ada,
      incident,
      message: 'Please help.',
    }),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) got [Ada](https://acme.pagerduty.com/users/PU1) as a responder:\n\n~~~ quote\nPlease help.\n~~~',
      },
    ],
  },
  {
    what: 'somebody who helps',
    body: event('incident.responder.replied', {
      type: 'incident_responder',
      user: ada,
      incident,
      state: 'accepted',
    }),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) is joined by [Ada](https://acme.pagerduty.com/users/PU1).',
      },
    ],
  },
  {
    what: 'a status update',
    body: event('incident.status_update_published', { incident, message: 'We are at it.' }),
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) got a status update from [Ada](https://acme.pagerduty.com/users/PU1):\n\n~~~ quote\nWe are at it.\n~~~',
      },
    ],
  },
  {
    what: 'an incident with hundreds of assignees and no title',
    body: event('incident.escalated', {
      number: 34,
      assignees: Array.from({ length: 300 }, (_, at) => reference(`User ${at}`, `users/${at}`)),
    }),
    messages: [
      {
        topic: 'Incident #34',
        text: 'Incident #34 was escalated to [User 0](https://acme.pagerduty.com/users/0), [User 1](https://acme.pagerduty.com/users/1), [User 2](https://acme.pagerduty.com/users/2), [User 3](https://acme.pagerduty.com/users/3), [User 4](https://acme.pagerduty.com/users/4) and others by [Ada](https://acme.pagerduty.com/users/PU1).',
      },
    ],
  },
  {
    what: 'a test',
    body: event('pagey.ping', { type: 'ping', message: 'Hello from your friend Pagey!' }, null),
    messages: [{ topic: 'PagerDuty', text: 'Hello from your friend Pagey!' }],
  },
  {
    what: 'incidents of version 2',
    body: {
      messages: [
        {
          id: 'm1',
          event: 'incident.trigger',
          incident: {
            incident_number: 33,
            title: 'The engine stands still',
            html_url: 'https://acme.pagerduty.com/incidents/PGR0VU2',
            service: { name: 'Engine', html_url: 'https://acme.pagerduty.com/services/PS1' },
            assignments: [{ assignee: ada }],
          },
          log_entries: [{ agent: reference('Monitor', 'services/PS2') }],
        },
        { id: 'm2', event: 'incident.custom', incident: {} },
      ],
    },
    messages: [
      {
        topic: 'Incident #33 The engine stands still',
        text: 'Incident [#33](https://acme.pagerduty.com/incidents/PGR0VU2) was triggered for [Engine](https://acme.pagerduty.com/services/PS1) by [Monitor](https://acme.pagerduty.com/services/PS2) (assigned to [Ada](https://acme.pagerduty.com/users/PU1)).',
      },
    ],
  },
  {
    what: 'a service',
    body: event('service.updated', { summary: 'Engine' }),
    unsupported: 'service.updated',
  },
]
