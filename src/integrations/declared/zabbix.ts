import { declared, type Words } from './declaration.ts'

const PROBLEM: Words = {
  says: '{{status | words | as: icon}} {{status | words | as: said}} [{{trigger | or: subject | default: "without a name"}}]({{link}}){{? on **{{hostname}}**?}}{{? ({{severity | words}})?}}',
  facts: { Item: '{{item}}' },
  quotes: '{{message}}',
}

/** Problems of Zabbix, by a media type of its owner. Source: docs/interface/webhooks.md#services. */
export const zabbix = declared({
  name: 'zabbix',
  displayName: 'Zabbix',
  body: 'form',
  event: '{{status | words}}',
  topic: '{{hostname}}',
  events: { problem: PROBLEM, ok: PROBLEM, resolved: PROBLEM, update: PROBLEM },
  tables: {
    icon: { problem: ':alert:', ok: ':checkbox:', resolved: ':checkbox:', update: '' },
    said: {
      problem: 'Problem',
      ok: 'Resolved:',
      resolved: 'Resolved:',
      update: 'Update of',
    },
  },
})
