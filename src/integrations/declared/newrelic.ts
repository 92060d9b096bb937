import { secretInAuthorization } from '../signatures.ts'
import { declared, type Words } from './declaration.ts'

const ISSUE: Words = {
  says: '{{state | words | as: icon}} Issue [{{title | join | default: "without a title"}}]({{issueUrl}}) {{state | words | as: did}}{{? ({{priority | words}})?}}',
  facts: {
    Condition: '{{alertConditionNames | join}}',
    Policy: '{{alertPolicyNames | join}}',
    Affected: '{{impactedEntities | join}}',
    Incidents: '{{totalIncidents}}',
    Workflow: '{{workflowName}}',
  },
}

/** Issues of New Relic. Source: docs/interface/webhooks.md#services. */
export const newrelic = declared({
  name: 'newrelic',
  displayName: 'New Relic',
  event: '{{state | words}}',
  id: '{{?{{id}} {{state}} {{updatedAt}}?}}',
  topic: '{{alertPolicyNames | join | or: workflowName}}',
  ...secretInAuthorization(),
  events: { created: ISSUE, activated: ISSUE, acknowledged: ISSUE, closed: ISSUE },
  tables: {
    icon: { created: ':alert:', activated: ':alert:', acknowledged: '', closed: ':checkbox:' },
    did: {
      created: 'was created',
      activated: 'is active',
      acknowledged: 'was acknowledged',
      closed: 'was closed',
    },
  },
})
