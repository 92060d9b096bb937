import { secretInAuthorization } from '../signatures.ts'
import { declared } from './declaration.ts'

const REPOSITORY = '{{resource.repository.name | or: resource.pullRequest.repository.name}}'
const PULL = '{{resource.pullRequestId | or: resource.pullRequest.pullRequestId}}'
const TITLE = '{{resource.title | or: resource.pullRequest.title | once}}'
const PULL_REQUEST = `[PR{{? #${PULL}?}}{{? ${TITLE}?}}]({{resource.repository.remoteUrl | or: resource.pullRequest.repository.remoteUrl}}/pullrequest/${PULL})`
const TOPIC_OF_PULL = [REPOSITORY, `{{?PR #${PULL}?}} {{resource.title | or: resource.pullRequest.title}}`]
const BRANCH =
  '{{resource.refUpdates.0.name | or: resource.sourceRefName | or: resource.sourceBranch | after: "refs/heads/"}}'
const STATE = '{{resource.fields.System\\.State.newValue | or: resource.fields.System\\.State}}'
const WORK_ITEM =
  '[{{resource.fields.System\\.WorkItemType | or: resource.revision.fields.System\\.WorkItemType | default: "Work item"}} #{{resource.workItemId | or: resource.id}}{{? {{resource.revision.fields.System\\.Title | or: resource.fields.System\\.Title | once}}?}}]({{resource._links.html.href | or: resource.revision._links.html.href | or: resource.url}})'
const TOPIC_OF_WORK =
  '#{{resource.workItemId | or: resource.id}} {{resource.revision.fields.System\\.Title | or: resource.fields.System\\.Title}}'
const work = (done: string, more: object = {}) => ({
  says: `${WORK_ITEM} ${done}{{? by {{resource.revisedBy.displayName | or: resource.fields.System\\.ChangedBy.displayName | or: resource.fields.System\\.ChangedBy | or: resource.fields.System\\.CreatedBy | before: " <"}}?}}`,
  topic: TOPIC_OF_WORK,
  ...more,
})

/** Code, pull requests, builds and work items of Azure DevOps. Source: docs/interface/webhooks.md#services. */
export const azuredevops = declared({
  name: 'azuredevops',
  displayName: 'Azure DevOps',
  event: '{{eventType}}',
  id: '{{id}}',
  topic: [REPOSITORY, BRANCH],
  branch: BRANCH,
  ...secretInAuthorization(),
  events: {
    'git.push': {
      says: `{{resource.pushedBy.displayName | default: "Someone"}} [pushed]({{resource.repository.remoteUrl}}/pushes/{{resource.pushId}}) {{resource.commits | count: commit}}{{? to branch ${BRANCH}?}}`,
      list: {
        of: 'resource.commits',
        says: '{{comment | line | default: "no message"}}{{? ([{{commitId | first: 7}}]({{$.resource.repository.remoteUrl}}/commit/{{commitId}}))?}}',
      },
    },
    'git.pullrequest.created': {
      says: `{{resource.createdBy.displayName | default: "Someone"}} created ${PULL_REQUEST}{{? from {{resource.sourceRefName | after: "refs/heads/" | code}} to {{resource.targetRefName | after: "refs/heads/" | code}}?}}`,
      quotes: '{{resource.description}}',
      facts: { Reviewers: '{{resource.reviewers | join: displayName}}' },
      topic: TOPIC_OF_PULL,
    },
    'git.pullrequest.updated': {
      says: `${PULL_REQUEST} was updated{{?: {{message.text | line}}?}}`,
      topic: TOPIC_OF_PULL,
    },
    'git.pullrequest.merged': {
      says: `{{resource.closedBy.displayName | or: resource.createdBy.displayName | default: "Someone"}} merged ${PULL_REQUEST}{{? (merge: {{resource.mergeStatus | words}})?}}`,
      topic: TOPIC_OF_PULL,
    },
    'ms.vss-code.git-pullrequest-comment-event': {
      says: `{{resource.comment.author.displayName | default: "Someone"}} commented on ${PULL_REQUEST}`,
      quotes: '{{resource.comment.content}}',
      topic: TOPIC_OF_PULL,
    },
    'build.complete': {
      says: `{{resource.result | or: resource.status | as: icon}} Build [{{resource.definition.name | default: "Build"}}{{? {{resource.buildNumber}}?}}]({{resource._links.web.href | or: resource.url}}) {{resource.result | or: resource.status | as: did}}{{? on branch ${BRANCH}?}}{{? (for {{resource.requestedFor.displayName | or: resource.requests.0.requestedFor.displayName}})?}}`,
      topic: ['{{resource.definition.name}}', BRANCH],
    },
    'ms.vss-pipelines.run-state-changed-event': {
      says: '{{resource.run.result | or: resource.run.state | as: icon}} Run [{{resource.pipeline.name | or: resource.run.pipeline.name | default: "of a pipeline"}}{{? {{resource.run.name}}?}}]({{resource.run._links.web.href}}) {{resource.run.result | or: resource.run.state | as: did}}',
      topic: '{{resource.pipeline.name | or: resource.run.pipeline.name}}',
    },
    'ms.vss-pipelines.stage-state-changed-event': null,
    'ms.vss-pipelines.job-state-changed-event': null,
    'ms.vss-release.release-created-event': {
      says: '{{resource.release.createdBy.displayName | default: "Someone"}} created release [{{resource.release.name | default: "without a name"}}]({{resource.release._links.web.href}})',
      topic: '{{resource.release.releaseDefinition.name | or: resource.project.name}}',
    },
    'ms.vss-release.deployment-completed-event': {
      says: '{{resource.environment.status | as: icon}} Deployment of [{{resource.environment.release.name | default: "a release"}}]({{resource.environment.release._links.web.href}}){{? to **{{resource.environment.name}}**?}} {{resource.environment.status | as: did}}',
      topic: '{{resource.environment.releaseDefinition.name | or: resource.project.name}}',
    },
    'workitem.created': work('was created', {
      facts: {
        State: STATE,
        Assignee:
          '{{resource.fields.System\\.AssignedTo.displayName | or: resource.fields.System\\.AssignedTo | before: " <"}}',
      },
      quotes: '{{resource.fields.System\\.Description | text}}',
    }),
    'workitem.updated': work('was updated', {
      facts: {
        State:
          '{{resource.fields.System\\.State.newValue | bold}}{{? (before: {{resource.fields.System\\.State.oldValue}})?}}',
        Assignee:
          '{{resource.fields.System\\.AssignedTo.newValue.displayName | or: resource.fields.System\\.AssignedTo.newValue | before: " <" | bold}}',
        Title: '{{resource.fields.System\\.Title.newValue | bold}}',
      },
    }),
    'workitem.commented': work('got a comment', {
      quotes: '{{resource.fields.System\\.History | text}}',
    }),
    'workitem.deleted': work('was deleted'),
    'workitem.restored': work('was restored'),
  },
  // Each post has a sentence of Azure's own.
  otherwise: { says: '{{message.text | line | default: "Something has happened"}}' },
  needs: '{{eventType}}',
  tables: {
    icon: {
      succeeded: ':check:',
      partiallySucceeded: ':warning:',
      failed: ':cross_mark:',
      rejected: ':cross_mark:',
      canceled: ':prohibited:',
      stopped: ':prohibited:',
      inProgress: ':hourglass:',
      '*': '',
    },
    did: {
      succeeded: 'succeeded',
      partiallySucceeded: 'succeeded in part',
      failed: 'failed',
      rejected: 'was rejected',
      canceled: 'was canceled',
      stopped: 'was stopped',
      inProgress: 'has started',
      '*': 'has ended',
    },
  },
})
