import type { Example } from '../example.ts'

const alert = (transition: string, more: object = {}) => ({
  id: '7312445',
  title: `[${transition}] The CPU of web-1 is high`,
  monitor: 'CPU is high',
  transition,
  body: '%%%\nThe CPU is at **97 %**.\n\n@slack-ops\n%%%',
  link: 'https://app.datadoghq.eu/monitors/17?group=host%3Aweb-1',
  hostname: 'web-1',
  tags: 'env:prod,host:web-1',
  priority: 'normal',
  event_type: 'query_alert_monitor',
  date: '1793616000000',
  last_updated: '1793616000000',
  org: { id: '1', name: 'Acme' },
  ...more,
})

export const DATADOG_EXAMPLES: readonly Example[] = [
  {
    what: 'an alert',
    body: alert('Triggered'),
    messages: [
      {
        topic: 'CPU is high',
        text: ':alert: [&#91;Triggered&#93; The CPU of web-1 is high](https://app.datadoghq.eu/monitors/17?group=host%3Aweb-1):\n\n~~~ quote\nThe CPU is at **97 %**.\n\n@slack-ops\n~~~\n\n* Host: web-1\n* Priority: normal\n* Tags: env&#58;prod,host:web-1',
      },
    ],
  },
  {
    what: 'the end of an alert',
    body: alert('Recovered', { body: 'It is fine.' }),
    messages: [
      {
        topic: 'CPU is high',
        text: ':checkbox: [&#91;Recovered&#93; The CPU of web-1 is high](https://app.datadoghq.eu/monitors/17?group=host%3Aweb-1):\n\n~~~ quote\nIt is fine.\n~~~\n\n* Host: web-1\n* Priority: normal\n* Tags: env&#58;prod,host:web-1',
      },
    ],
  },
  {
    what: 'a monitor without data',
    body: alert('No Data'),
    messages: [
      {
        topic: 'CPU is high',
        text: ':question: [&#91;No Data&#93; The CPU of web-1 is high](https://app.datadoghq.eu/monitors/17?group=host%3Aweb-1):\n\n~~~ quote\nThe CPU is at **97 %**.\n\n@slack-ops\n~~~\n\n* Host: web-1\n* Priority: normal\n* Tags: env&#58;prod,host:web-1',
      },
    ],
  },
  {
    what: 'an event in the form that Datadog suggests',
    body: {
      body: 'Deployed',
      last_updated: '1793616000000',
      event_type: 'user',
      title: 'Deploy of [shop]',
      date: '1793616000000',
      org: { id: '1', name: 'Acme' },
      id: '9',
    },
    messages: [{ topic: 'Acme', text: 'Deploy of &#91;shop&#93;:\n\n~~~ quote\nDeployed\n~~~' }],
  },
  {
    what: 'values of other types',
    body: { title: ['x'], monitor: 7, body: {}, transition: null, link: 3 },
    messages: [{ topic: '7', text: '7.' }],
  },
  { what: 'nothing', body: { event_type: 'user' }, unsupported: 'user' },
]
