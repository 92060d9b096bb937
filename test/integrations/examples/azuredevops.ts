import type { Example } from '../example.ts'

const HOME = 'https://dev.azure.com/acme/engine/_git/engine'
const repository = {
  id: '4bc14d40-c903-45e2-872e-0462c7748079',
  name: 'engine',
  url: 'https://dev.azure.com/acme/_apis/git/repositories/4bc14d40',
  project: { id: '6ce954b1', name: 'Engine', state: 'wellFormed' },
  defaultBranch: 'refs/heads/main',
  remoteUrl: HOME,
}
const ada = { displayName: 'Ada Lovelace', uniqueName: 'ada@example.com', id: '54d125f7' }
const post = (eventType: string, text: string, resource: object) => ({
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  notificationId: 1,
  id: `03c164c2-${eventType}`,
  eventType,
  publisherId: 'tfs',
  message: { text, html: text, markdown: text },
  detailedMessage: { text, html: text, markdown: text },
  resource,
  resourceVersion: '1.0',
  resourceContainers: { project: { id: '6ce954b1' } },
  createdDate: '2026-11-02T10:40:00.000Z',
})
const pull = {
  repository,
  pullRequestId: 5,
  status: 'active',
  createdBy: ada,
  title: 'Count the turns',
  description: 'One too *low*.',
  sourceRefName: 'refs/heads/count',
  targetRefName: 'refs/heads/main',
  mergeStatus: 'succeeded',
  reviewers: [{ displayName: 'Grace', vote: 0 }],
  url: 'https://dev.azure.com/acme/_apis/git/pullRequests/5',
}
const item = {
  id: 12,
  rev: 1,
  fields: {
    'System.AreaPath': 'Engine',
    'System.TeamProject': 'Engine',
    'System.WorkItemType': 'Bug',
    'System.State': 'New',
    'System.CreatedBy': 'Ada Lovelace <ada@example.com>',
    'System.AssignedTo': 'Grace <grace@example.com>',
    'System.Title': 'It stops at 2³²',
    'System.Description': '<div>Every <b>time</b>.</div><div>&lt;Always&gt;</div>',
  },
  _links: { html: { href: 'https://dev.azure.com/acme/engine/_workitems/edit/12' } },
  url: 'https://dev.azure.com/acme/_apis/wit/workItems/12',
}

export const AZUREDEVOPS_EXAMPLES: readonly Example[] = [
  {
    what: 'a push',
    body: post('git.push', 'Ada Lovelace pushed updates to engine:main.', {
      commits: [
        {
          commitId: '33b55f7cb7e7e245323987634f960cf4a6e6bc74',
          author: { name: 'Ada' },
          comment: 'Count [all] turns\n\nAnd why.',
          url: `${HOME}/commit/33b5`,
        },
        {
          commitId: '45b55f7cb7e7e245323987634f960cf4a6e6bc74',
          author: { name: 'Ada' },
          comment: 'Test',
          url: `${HOME}/commit/45b5`,
        },
      ],
      refUpdates: [{ name: 'refs/heads/main', oldObjectId: 'aad331d8', newObjectId: '33b55f7c' }],
      repository,
      pushedBy: ada,
      pushId: 14,
      date: '2026-11-02T10:40:00Z',
    }),
    messages: [
      {
        topic: 'engine / main',
        text: 'Ada Lovelace [pushed](https://dev.azure.com/acme/engine/_git/engine/pushes/14) 2 commits to branch main:\n\n* Count &#91;all&#93; turns ([33b55f7](https://dev.azure.com/acme/engine/_git/engine/commit/33b55f7cb7e7e245323987634f960cf4a6e6bc74))\n* Test ([45b55f7](https://dev.azure.com/acme/engine/_git/engine/commit/45b55f7cb7e7e245323987634f960cf4a6e6bc74))',
      },
    ],
  },
  {
    what: 'a pull request',
    isShown: true,
    body: post('git.pullrequest.created', 'Ada Lovelace created a new pull request', pull),
    messages: [
      {
        topic: 'engine / PR #5 Count the turns',
        text: 'Ada Lovelace created [PR #5](https://dev.azure.com/acme/engine/_git/engine/pullrequest/5) from `count` to `main`:\n\n~~~ quote\nOne too *low*.\n~~~\n\n* Reviewers: Grace',
      },
    ],
  },
  {
    what: 'a pull request that changes',
    body: post('git.pullrequest.updated', 'Ada Lovelace marked the pull request as completed', pull),
    messages: [
      {
        topic: 'engine / PR #5 Count the turns',
        text: '[PR #5](https://dev.azure.com/acme/engine/_git/engine/pullrequest/5) was updated: Ada Lovelace marked the pull request as completed.',
      },
    ],
  },
  {
    what: 'a pull request that is merged',
    body: post('git.pullrequest.merged', 'x', {
      ...pull,
      status: 'completed',
      closedBy: { displayName: 'Grace' },
    }),
    messages: [
      {
        topic: 'engine / PR #5 Count the turns',
        text: 'Grace merged [PR #5](https://dev.azure.com/acme/engine/_git/engine/pullrequest/5) (merge: succeeded).',
      },
    ],
  },
  {
    what: 'a comment on a pull request',
    body: post('ms.vss-code.git-pullrequest-comment-event', 'Grace has commented on a pull request', {
      comment: { id: 2, content: 'Why **two**?', author: { displayName: 'Grace' } },
      pullRequest: pull,
    }),
    address: { topic: 'code' },
    messages: [
      {
        topic: 'engine / PR #5 Count the turns',
        text: 'Grace commented on [PR #5 Count the turns](https://dev.azure.com/acme/engine/_git/engine/pullrequest/5):\n\n~~~ quote\nWhy **two**?\n~~~',
      },
    ],
  },
  {
    what: 'a build',
    body: post('build.complete', 'Build 20261102.1 succeeded', {
      id: 2,
      buildNumber: '20261102.1',
      result: 'partiallySucceeded',
      sourceBranch: 'refs/heads/main',
      definition: { id: 1, name: 'Nightly' },
      requestedFor: ada,
      _links: { web: { href: 'https://dev.azure.com/acme/engine/_build/results?buildId=2' } },
    }),
    messages: [
      {
        topic: 'Nightly / main',
        text: ':warning: Build [Nightly 20261102.1](https://dev.azure.com/acme/engine/_build/results?buildId=2) succeeded in part on branch main (for Ada Lovelace).',
      },
    ],
  },
  {
    what: 'a run of a pipeline',
    body: post('ms.vss-pipelines.run-state-changed-event', 'Run 7 failed.', {
      run: {
        _links: { web: { href: 'https://dev.azure.com/acme/engine/_build/results?buildId=7' } },
        state: 'completed',
        result: 'failed',
        name: '7',
        pipeline: { name: 'Deploy' },
      },
      pipeline: { name: 'Deploy' },
    }),
    messages: [
      {
        topic: 'Deploy',
        text: ':cross_mark: Run [Deploy 7](https://dev.azure.com/acme/engine/_build/results?buildId=7) failed.',
      },
    ],
  },
  {
    what: 'a step of a pipeline',
    body: post('ms.vss-pipelines.stage-state-changed-event', 'Stage Build succeeded.', {}),
    messages: [],
  },
  {
    what: 'a deployment',
    body: post('ms.vss-release.deployment-completed-event', 'Deployment of Release-1 failed.', {
      environment: {
        name: 'Production',
        status: 'rejected',
        release: {
          name: 'Release-1',
          _links: { web: { href: 'https://dev.azure.com/acme/engine/_release?releaseId=1' } },
        },
        releaseDefinition: { name: 'Shop' },
      },
      project: { name: 'Engine' },
    }),
    messages: [
      {
        topic: 'Shop',
        text: ':cross_mark: Deployment of [Release-1](https://dev.azure.com/acme/engine/_release?releaseId=1) to **Production** was rejected.',
      },
    ],
  },
  {
    what: 'a work item',
    body: post('workitem.created', 'Bug #12 created by Ada Lovelace', item),
    messages: [
      {
        topic: '#12 It stops at 2³²',
        text: '[Bug #12](https://dev.azure.com/acme/engine/_workitems/edit/12) was created by Ada Lovelace:\n\n~~~ quote\nEvery time.\n<Always>\n~~~\n\n* State: New\n* Assignee: Grace',
      },
    ],
  },
  {
    what: 'a work item that changes',
    body: post('workitem.updated', 'Bug #12 updated by Grace', {
      id: 2,
      workItemId: 12,
      rev: 2,
      revisedBy: { displayName: 'Grace' },
      fields: {
        'System.Rev': { oldValue: 1, newValue: 2 },
        'System.State': { oldValue: 'New', newValue: 'Active' },
      },
      revision: item,
    }),
    messages: [
      {
        topic: '#12 It stops at 2³²',
        text: '[Bug #12](https://dev.azure.com/acme/engine/_workitems/edit/12) was updated by Grace:\n\n* State: **Active** (before: New)',
      },
    ],
  },
  {
    what: 'a comment on a work item',
    body: post('workitem.commented', 'Bug #12 commented on', {
      ...item,
      fields: {
        ...item.fields,
        'System.History': 'Seen it too.',
        'System.ChangedBy': 'Grace <grace@example.com>',
      },
    }),
    messages: [
      {
        topic: '#12 It stops at 2³²',
        text: '[Bug #12](https://dev.azure.com/acme/engine/_workitems/edit/12) got a comment by Grace:\n\n~~~ quote\nSeen it too.\n~~~',
      },
    ],
  },
  {
    what: 'an event of which only its own sentence is known',
    body: post('tfvc.checkin', 'Ada checked in changeset 18: Count @**all**', { changesetId: 18 }),
    messages: [
      { topic: 'Azure DevOps', text: 'Ada checked in changeset 18: Count @&#42;&#42;all&#42;&#42;.' },
    ],
  },
  {
    what: 'a push to a branch that nobody wants to hear of',
    body: post('git.push', 'x', { refUpdates: [{ name: 'refs/heads/main' }] }),
    address: { branches: 'next' },
    messages: [],
  },
  {
    what: 'values of other types',
    body: post('git.pullrequest.created', '', {
      repository: 'engine',
      pullRequestId: {},
      title: 5,
      reviewers: 'none',
    }),
    messages: [{ topic: '5', text: 'Someone created PR:\n\n* Reviewers: none' }],
  },
  { what: 'something without a kind', body: { resource: {} }, unsupported: 'message without content' },
]
