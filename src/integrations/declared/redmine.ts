import { signedInHex } from '../signatures.ts'
import { declared, type Words } from './declaration.ts'

const I = 'payload.issue'
const OWN = 'data.issue'
const ISSUE = `[{{${I}.tracker.name | or: ${OWN}.tracker.name | or: issue.tracker.name | default: "Issue"}}{{? #{{${I}.id | or: ${OWN}.id | or: issue.id}}?}}{{? {{${I}.subject | or: ${OWN}.subject | or: issue.subject | once}}?}}]({{payload.url | or: data.issue.url | or: redmine_url}})`
const facts = {
  Status: `{{${I}.status.name | or: ${OWN}.status.name | or: issue.status.name}}`,
  Priority: `{{${I}.priority.name | or: ${OWN}.priority.name | or: issue.priority.name}}`,
  Assignee: `{{${I}.assignee.login | or: ${OWN}.assigned_to.name | or: issue.assigned_to.name}}`,
}
const OPENED: Words = {
  says: `${ISSUE} was created{{? by {{${I}.author.login | or: ${OWN}.author.name | or: actor.name}}?}}`,
  quotes: `{{${I}.description | or: ${OWN}.description | or: issue.description}}`,
  facts,
}
const UPDATED: Words = {
  says: `${ISSUE} was changed{{? by {{payload.journal.author.login | or: data.journal.user.name | or: actor.name}}?}}`,
  quotes: '{{payload.journal.notes | or: data.journal.notes}}',
  facts,
}

/** Issues of Redmine, by its webhooks or a plugin. Source: docs/interface/webhooks.md#services. */
export const redmine = declared({
  name: 'redmine',
  displayName: 'Redmine',
  event: '{{payload.action | or: type | or: action | after: "issue." | as: event}}',
  topic: [
    `{{${I}.project.name | or: ${OWN}.project.name | or: issue.project.name}}`,
    `{{?#{{${I}.id | or: ${OWN}.id | or: issue.id}}?}} {{${I}.subject | or: ${OWN}.subject | or: issue.subject}}`,
  ],
  ...signedInHex('X-Redmine-Signature-256', 'sha256='),
  events: {
    created: OPENED,
    updated: UPDATED,
    deleted: { says: `${ISSUE} was deleted` },
  },
  tables: { event: { opened: 'created', edited: 'updated' } },
})
