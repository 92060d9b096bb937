import { declared } from './declaration.ts'

/** Alerts of Splunk. Source: docs/interface/webhooks.md#services. */
export const splunk = declared({
  name: 'splunk',
  displayName: 'Splunk',
  id: '{{sid}}',
  topic: '{{search_name}}',
  needs: '{{search_name | or: sid | or: results_link}}',
  otherwise: {
    says: ':alert: Alert [{{search_name | default: "without a name"}}]({{results_link}}) was triggered{{? (app {{app}})?}}',
    entries: 'result',
  },
})
