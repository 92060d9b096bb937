import type { Example } from '../example.ts'

const meta = {
  unsubscribe: 'https://status.example/?unsubscribe=j0vqr9kl3513',
  documentation: 'https://doers.statuspage.io/customer-notifications/webhooks/',
}
const page = { id: 'j2mfxwj97wnj', status_indicator: 'major', status_description: 'Partial System Outage' }
const incident = {
  backfilled: false,
  created_at: '2026-11-02T10:40:00-07:00',
  impact: 'critical',
  monitoring_at: null,
  name: 'The shop is *slow*',
  postmortem_body: null,
  resolved_at: null,
  shortlink: 'https://stspg.example/38q8',
  status: 'investigating',
  updated_at: '2026-11-02T10:41:00-07:00',
  id: 'lbkhbwn21v5q',
  scheduled_for: null,
  scheduled_until: null,
  incident_updates: [
    {
      body: 'We look into it.',
      created_at: '2026-11-02T10:41:00-07:00',
      status: 'investigating',
      id: 'drfcwbnpxnr6',
      incident_id: 'lbkhbwn21v5q',
    },
    {
      body: 'It began.',
      created_at: '2026-11-02T10:40:00-07:00',
      status: 'investigating',
      id: '2rryghr4qgrh',
    },
  ],
  components: [{ id: '1', name: 'Shop', status: 'partial_outage' }],
}

export const STATUSPAGE_EXAMPLES: readonly Example[] = [
  {
    what: 'an incident',
    body: { meta, page, incident },
    messages: [
      {
        topic: 'The shop is *slow*',
        text: ':alert: Incident [The shop is &#42;slow&#42;](https://stspg.example/38q8) has the status **investigating** (impact: critical):\n\n~~~ quote\nWe look into it.\n~~~\n\n* Components: Shop\n* Page: Partial System Outage',
      },
    ],
  },
  {
    what: 'a maintenance',
    body: {
      meta,
      page,
      incident: {
        ...incident,
        status: 'scheduled',
        impact: 'maintenance',
        scheduled_for: '2026-11-03T10:00:00Z',
        scheduled_until: '2026-11-03T11:00:00Z',
      },
    },
    messages: [
      {
        topic: 'The shop is *slow*',
        text: ':calendar: Incident [The shop is &#42;slow&#42;](https://stspg.example/38q8) has the status **scheduled** (impact: maintenance):\n\n~~~ quote\nWe look into it.\n~~~\n\n* Components: Shop\n* From: <time:2026-11-03T10:00:00Z>\n* Until: <time:2026-11-03T11:00:00Z>\n* Page: Partial System Outage',
      },
    ],
  },
  {
    what: 'a component',
    body: {
      meta,
      page,
      component_update: {
        created_at: '2026-11-02T10:40:00Z',
        new_status: 'operational',
        old_status: 'major_outage',
        id: 'k7730b5v92bv',
        component_id: 'rb5wq1dczvbm',
      },
      component: {
        created_at: '2026-11-02T10:40:00Z',
        id: 'rb5wq1dczvbm',
        name: 'Shop',
        status: 'operational',
      },
    },
    messages: [
      { topic: 'Shop', text: ':checkbox: **Shop** has the status **operational** (before: major outage).' },
    ],
  },
  {
    what: 'values of other types',
    body: { page: [], incident: { name: 3, incident_updates: 'none', components: [7], status: {} } },
    messages: [{ topic: '3', text: 'Incident 3 has the status **unknown**.' }],
  },
  { what: 'something else', body: { meta, page }, unsupported: 'unknown' },
]
