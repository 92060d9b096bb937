import { secretInAuthorization } from '../signatures.ts'
import { declared } from './declaration.ts'

const ALERT =
  '[{{?#{{alert.tinyId}} ?}}{{alert.message | default: "without a text"}}](https://app.opsgenie.com/alert/detail/{{alert.alertId}}/details)'
const BY = '{{? by {{alert.username}}?}}'
const did = (done: string, icon = '') => ({
  says: `${icon} Alert ${ALERT} ${done}${BY}`,
  quotes: '{{alert.note}}',
})

/** Alerts of Opsgenie. Source: docs/interface/webhooks.md#services. */
export const opsgenie = declared({
  name: 'opsgenie',
  displayName: 'Opsgenie',
  event: '{{action}}',
  topic: '{{?#{{alert.tinyId}} ?}}{{alert.message}}',
  ...secretInAuthorization(),
  events: {
    Create: {
      says: `:alert: Alert ${ALERT} was created${BY}`,
      quotes: '{{alert.description}}',
      facts: {
        Priority: '{{alert.priority}}',
        Entity: '{{alert.entity}}',
        Source: '{{alert.source | or: source.name}}',
        Tags: '{{alert.tags | join}}',
        Teams: '{{alert.teams | join}}',
      },
    },
    Acknowledge: did('was acknowledged'),
    UnAcknowledge: did('is not acknowledged any more'),
    Close: did('was closed', ':checkbox:'),
    Delete: did('was deleted'),
    AddNote: did('got a note'),
    AddTags: did('got the tags **{{alert.addedTags | join | default: "unknown"}}**'),
    RemoveTags: did('lost the tags **{{alert.removedTags | join | default: "unknown"}}**'),
    AddTeam: did('got the team **{{alert.team | default: "unknown"}}**'),
    AddRecipient: did('got the recipient **{{alert.recipient | default: "unknown"}}**'),
    AddResponder: did(
      'got the responder **{{alert.responder.name | or: alert.responder | default: "unknown"}}**',
    ),
    AssignOwnership: did('was assigned to **{{alert.owner | default: "someone"}}**'),
    TakeOwnership: did('was taken'),
    Escalate: did('was escalated{{? to **{{escalationNotify.name | or: escalationNotify}}**?}}'),
    UpdatePriority: did(
      'has the priority **{{alert.priority | default: "unknown"}}**{{? (before: {{alert.oldPriority}})?}}',
    ),
    UpdateMessage: did('has another text{{? (before: {{alert.oldMessage}})?}}'),
    UpdateDescription: did('has another description'),
    Snooze: did('was snoozed{{? until {{alert.snoozeEndDate | time}}?}}'),
    SnoozeEnded: did('is not snoozed any more'),
    CustomAction: did('got a custom action'),
    ExecuteCustomAction: did('got a custom action'),
  },
})
