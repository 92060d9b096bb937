import type { Example } from '../example.ts'

const alert = (instance: string, more: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'DiskFull', instance, severity: 'critical', job: 'node' },
  annotations: { summary: `The disk of ${instance} is full`, description: 'Only *3 %* are free.' },
  startsAt: '2026-11-02T10:40:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'https://prometheus.example/graph?g0.expr=up&g0.tab=1',
  fingerprint: '1cf9e5b4b6b4b6b4',
  ...more,
})
const group = (alerts: readonly object[], more: object = {}) => ({
  version: '4',
  groupKey: '{}:{alertname="DiskFull"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'team',
  groupLabels: { alertname: 'DiskFull' },
  commonLabels: { alertname: 'DiskFull' },
  commonAnnotations: {},
  externalURL: 'https://alertmanager.example',
  alerts,
  ...more,
})

export const ALERTMANAGER_EXAMPLES: readonly Example[] = [
  {
    what: 'an alert',
    body: group([alert('web-1:9100')]),
    messages: [
      {
        topic: 'web-1:9100',
        text: ':alert: **FIRING** DiskFull ([graph](https://prometheus.example/graph?g0.expr=up&g0.tab=0))',
      },
    ],
  },
  {
    what: 'alerts of two instances, one of them at its end',
    body: group([
      alert('web-1:9100'),
      alert('web-2:9100', { status: 'resolved', endsAt: '2026-11-02T10:50:00Z' }),
      alert('web-1:9100', { labels: { alertname: 'Load', instance: 'web-1:9100' }, generatorURL: '' }),
    ]),
    messages: [
      {
        topic: 'web-1:9100',
        text: ':alert: **FIRING**:\n\n* DiskFull ([graph](https://prometheus.example/graph?g0.expr=up&g0.tab=0))\n* Load',
      },
      {
        topic: 'web-2:9100',
        text: ':checkbox: **RESOLVED** DiskFull ([graph](https://prometheus.example/graph?g0.expr=up&g0.tab=0))',
      },
    ],
  },
  {
    what: 'alerts with a topic and a text of other labels, of which some are left out',
    body: group([alert('web-1:9100')], { truncatedAlerts: 12 }),
    address: { name: 'job', desc: 'summary' },
    messages: [
      {
        topic: 'node',
        text: ':alert: **FIRING** The disk of web-1:9100 is full ([graph](https://prometheus.example/graph?g0.expr=up&g0.tab=0))\n\n[and 12 more](https://alertmanager.example/)',
      },
    ],
  },
  {
    what: 'hundreds of alerts',
    body: group(
      Array.from({ length: 300 }, (_, at) =>
        alert('web-1', { labels: { alertname: `Alert ${at}`, instance: 'web-1' }, generatorURL: null }),
      ),
    ),
    messages: [
      {
        topic: 'web-1',
        text: ':alert: **FIRING**:\n\n* Alert 0\n* Alert 1\n* Alert 2\n* Alert 3\n* Alert 4\n* Alert 5\n* Alert 6\n* Alert 7\n* Alert 8\n* Alert 9\n* Alert 10\n* Alert 11\n* Alert 12\n* Alert 13\n* Alert 14\n* Alert 15\n* Alert 16\n* Alert 17\n* Alert 18\n* Alert 19\n* [and 280 more](https://alertmanager.example/)',
      },
    ],
  },
  {
    what: 'an alert without labels',
    body: group([{ status: 'firing', labels: null, annotations: [] }]),
    messages: [{ topic: 'Alertmanager', text: ':alert: **FIRING** An alert' }],
  },
  {
    what: 'no alerts',
    body: group([], { status: 'quiet' }),
    unsupported: 'quiet',
  },
]
