import type { Example } from '../example.ts'

const alert = (instance: string, more: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'High CPU', instance, severity: 'critical' },
  annotations: { summary: `CPU of ${instance} is above 90 %`, runbook_url: 'https://wiki.example/cpu' },
  startsAt: '2026-11-02T10:40:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  values: { A: 93.5 },
  valueString: "[ var='A' value=93.5 ]",
  generatorURL: 'https://grafana.example/alerting/1/view',
  silenceURL: 'https://grafana.example/alerting/silence/new',
  dashboardURL: '',
  panelURL: '',
  imageURL: '',
  fingerprint: 'c6eadffa33fcdf37',
  ...more,
})
const group = (alerts: readonly object[], more: object = {}) => ({
  receiver: 'team',
  status: 'firing',
  orgId: 1,
  alerts,
  groupLabels: { alertname: 'High CPU' },
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'https://grafana.example/',
  version: '1',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
  title: '[FIRING:1] High CPU',
  state: 'alerting',
  message: '**Firing**',
  ...more,
})
const older = {
  dashboardId: 1,
  evalMatches: [{ value: 93.5, metric: 'High value', tags: null }],
  imageUrl: 'https://grafana.example/image.png',
  message: 'The CPU is *hot*.',
  orgId: 1,
  panelId: 2,
  ruleId: 1,
  ruleName: 'High CPU',
  ruleUrl: 'https://grafana.example/d/hZ7BuVbWz?panelId=2',
  state: 'alerting',
  tags: {},
  title: '[Alerting] High CPU',
}

export const GRAFANA_EXAMPLES: readonly Example[] = [
  {
    what: 'an alert',
    body: group([alert('web-1')]),
    messages: [
      {
        topic: '[High CPU]',
        text: ':alert: **FIRING** [High CPU](https://grafana.example/alerting/1/view) since <time:2026-11-02T10:40:00Z>:\n\n~~~ quote\nCPU of web-1 is above 90 %\n~~~\n\n* instance: web-1\n* severity: critical\n* runbook_url: [https://wiki.example/cpu](https://wiki.example/cpu)\n\nValues:\n\n* A: 93.5\n\n[Rule](https://grafana.example/alerting/1/view) [Silence](https://grafana.example/alerting/silence/new)',
      },
    ],
  },
  {
    what: 'the end of an alert, with the panel it is about',
    body: group([
      alert('web-1', {
        status: 'resolved',
        endsAt: '2026-11-02T10:50:00+01:00',
        panelURL: 'https://grafana.example/d/1?viewPanel=2',
        imageURL: 'https://grafana.example/2.png',
        values: null,
      }),
    ]),
    messages: [
      {
        topic: '[High CPU]',
        text: ":checkbox: **RESOLVED** [High CPU](https://grafana.example/d/1?viewPanel=2) from <time:2026-11-02T10:40:00Z> to <time:2026-11-02T09:50:00Z>:\n\n~~~ quote\nCPU of web-1 is above 90 %\n~~~\n\n* instance: web-1\n* severity: critical\n* runbook_url: [https://wiki.example/cpu](https://wiki.example/cpu)\n\n`[ var='A' value=93.5 ]`\n\n[Rule](https://grafana.example/alerting/1/view) [Silence](https://grafana.example/alerting/silence/new) [Image](https://grafana.example/2.png)",
      },
    ],
  },
  {
    what: 'several alerts, of which some are left out',
    body: group(
      [
        alert('web-1', { annotations: {}, labels: {}, values: {}, valueString: '' }),
        alert('web-2', {
          annotations: null,
          labels: { alertname: 'Disk [full]' },
          values: null,
          valueString: '',
        }),
      ],
      { truncatedAlerts: 3 },
    ),
    messages: [
      {
        topic: '[c6eadffa33fcdf37]',
        text: ':alert: **FIRING** [c6eadffa33fcdf37](https://grafana.example/alerting/1/view) since <time:2026-11-02T10:40:00Z>.\n\n[Rule](https://grafana.example/alerting/1/view) [Silence](https://grafana.example/alerting/silence/new)',
      },
      {
        topic: '[Disk [full]]',
        text: ':alert: **FIRING** [Disk &#91;full&#93;](https://grafana.example/alerting/1/view) since <time:2026-11-02T10:40:00Z>.\n\n[Rule](https://grafana.example/alerting/1/view) [Silence](https://grafana.example/alerting/silence/new)',
      },
      { topic: '[High CPU]', text: '3 more alerts of the group are in [Grafana](https://grafana.example/).' },
    ],
  },
  {
    what: 'an alert of Grafana 7',
    body: older,
    messages: [
      {
        topic: '[Alerting] High CPU',
        text: ':alert: **ALERTING** [High CPU](https://grafana.example/d/hZ7BuVbWz?panelId=2):\n\n~~~ quote\nThe CPU is *hot*.\n~~~\n\n* High value: 93.5\n\n[Image](https://grafana.example/image.png)',
      },
    ],
  },
  {
    what: 'an alert of Grafana 7 without data',
    body: { ...older, state: 'no_data', evalMatches: null, message: null, imageUrl: null },
    messages: [
      {
        topic: '[Alerting] High CPU',
        text: ':question: **NO DATA** [High CPU](https://grafana.example/d/hZ7BuVbWz?panelId=2).',
      },
    ],
  },
  {
    what: 'a state that is not known',
    body: { state: 'confused' },
    unsupported: 'confused',
  },
  {
    what: 'alerts of another form',
    body: { alerts: [null, 7, 'firing', { status: 'on' }] },
    unsupported: 'unknown',
  },
]
