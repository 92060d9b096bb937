import type { Example } from '../example.ts'

const problem = (status: string, more: object = {}) => ({
  hostname: 'web-1',
  item: 'Load is 7.4',
  trigger: 'The load of [web-1] is too high',
  severity: 'High',
  status,
  link: 'https://zabbix.example/tr_events.php?triggerid=17&eventid=204',
  ...more,
})

export const ZABBIX_EXAMPLES: readonly Example[] = [
  {
    what: 'a problem',
    body: problem('PROBLEM'),
    messages: [
      {
        topic: 'web-1',
        text: ':alert: Problem [The load of &#91;web-1&#93; is too high](https://zabbix.example/tr_events.php?triggerid=17&eventid=204) on **web-1** (high):\n\n* Item: Load is 7.4',
      },
    ],
  },
  {
    what: 'the end of a problem',
    body: problem('RESOLVED', { item: '' }),
    messages: [
      {
        topic: 'web-1',
        text: ':checkbox: Resolved: [The load of &#91;web-1&#93; is too high](https://zabbix.example/tr_events.php?triggerid=17&eventid=204) on **web-1** (high).',
      },
    ],
  },
  {
    what: 'a form',
    form: { ...problem('OK'), severity: 'Not classified' },
    messages: [
      {
        topic: 'web-1',
        text: ':checkbox: Resolved: [The load of &#91;web-1&#93; is too high](https://zabbix.example/tr_events.php?triggerid=17&eventid=204) on **web-1** (not classified):\n\n* Item: Load is 7.4',
      },
    ],
  },
  {
    what: 'values of other types',
    body: { status: 'PROBLEM', hostname: ['web-1'], severity: 4, link: {} },
    messages: [{ topic: 'Zabbix', text: ':alert: Problem without a name (4).' }],
  },
  { what: 'another status', body: problem('PAINTED'), unsupported: 'painted' },
]
