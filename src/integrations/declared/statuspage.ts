import { declared } from './declaration.ts'

const INCIDENT = '[{{incident.name | default: "without a name"}}]({{incident.shortlink}})'

/** Incidents and components of a page at Statuspage. Source: docs/interface/webhooks.md#services. */
export const statuspage = declared({
  name: 'statuspage',
  displayName: 'Statuspage',
  event: '{{incident | means: "incident"}}{{component_update | means: "component_update"}}',
  id: '{{incident.incident_updates.0.id | or: component_update.id}}',
  topic: '{{incident.name | or: component.name | or: page.status_description}}',
  events: {
    incident: {
      says: `{{incident.status | as: icon}} Incident ${INCIDENT} has the status **{{incident.status | words | default: "unknown"}}**{{? (impact: {{incident.impact | words}})?}}`,
      quotes: '{{incident.incident_updates.0.body}}',
      facts: {
        Components: '{{incident.components | join: name}}',
        From: '{{incident.scheduled_for | time}}',
        Until: '{{incident.scheduled_until | time}}',
        Page: '{{page.status_description}}',
      },
    },
    component_update: {
      says: '{{component_update.new_status | as: icon}} **{{component.name | default: "A component"}}** has the status **{{component_update.new_status | words | default: "unknown"}}**{{? (before: {{component_update.old_status | words}})?}}',
    },
  },
  tables: {
    icon: {
      investigating: ':alert:',
      identified: ':alert:',
      monitoring: ':hourglass:',
      resolved: ':checkbox:',
      completed: ':checkbox:',
      scheduled: ':calendar:',
      operational: ':checkbox:',
      degraded_performance: ':warning:',
      partial_outage: ':alert:',
      major_outage: ':alert:',
      under_maintenance: ':hourglass:',
      '*': '',
    },
  },
})
