import type { Example } from '../example.ts'

const issue = (state: string, more: object = {}) => ({
  id: 'd1b1f3fd-995a-4066-88ab-8ce4f6960654',
  issueUrl: 'https://radar-api.service.newrelic.com/accounts/1/issues/0ea2df1c?notifier=WEBHOOK',
  title: 'Memory used > 90 for at least 2 minutes on [web-1]',
  priority: 'CRITICAL',
  impactedEntities: ['web-1', 'web-2'],
  totalIncidents: 1,
  state,
  trigger: 'INCIDENT_ADDED',
  isCorrelated: false,
  createdAt: 1793616000000,
  updatedAt: 1793616060000,
  sources: ['newrelic'],
  alertPolicyNames: ['Shop'],
  alertConditionNames: ['Memory high'],
  workflowName: 'Chat',
  ...more,
})

export const NEWRELIC_EXAMPLES: readonly Example[] = [
  {
    what: 'an issue',
    body: issue('ACTIVATED'),
    messages: [
      {
        topic: 'Shop',
        text: ':alert: Issue [Memory used &gt; 90 for at least 2 minutes on &#91;web-1&#93;](https://radar-api.service.newrelic.com/accounts/1/issues/0ea2df1c?notifier=WEBHOOK) is active (critical):\n\n* Condition: Memory high\n* Policy: Shop\n* Affected: web-1 and web-2\n* Incidents: 1\n* Workflow: Chat',
      },
    ],
  },
  {
    what: 'the end of an issue',
    body: issue('CLOSED', { impactedEntities: [], alertConditionNames: null }),
    messages: [
      {
        topic: 'Shop',
        text: ':checkbox: Issue [Memory used &gt; 90 for at least 2 minutes on &#91;web-1&#93;](https://radar-api.service.newrelic.com/accounts/1/issues/0ea2df1c?notifier=WEBHOOK) was closed (critical):\n\n* Policy: Shop\n* Incidents: 1\n* Workflow: Chat',
      },
    ],
  },
  {
    what: 'an issue that somebody has seen',
    body: issue('ACKNOWLEDGED'),
    messages: [
      {
        topic: 'Shop',
        text: 'Issue [Memory used &gt; 90 for at least 2 minutes on &#91;web-1&#93;](https://radar-api.service.newrelic.com/accounts/1/issues/0ea2df1c?notifier=WEBHOOK) was acknowledged (critical):\n\n* Condition: Memory high\n* Policy: Shop\n* Affected: web-1 and web-2\n* Incidents: 1\n* Workflow: Chat',
      },
    ],
  },
  {
    what: 'values of other types',
    body: {
      state: 'CREATED',
      title: ['Memory'],
      alertPolicyNames: 'Shop',
      totalIncidents: {},
      impactedEntities: 7,
    },
    messages: [{ topic: 'Shop', text: ':alert: Issue Memory was created:\n\n* Policy: Shop\n* Affected: 7' }],
  },
  { what: 'another state', body: issue('PAINTED'), unsupported: 'painted' },
]
