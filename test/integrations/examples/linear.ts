import type { Example } from '../example.ts'

const actor = { id: 'u1', name: 'Ada', type: 'user', url: 'https://linear.app/acme/profiles/ada' }
const issue = {
  id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
  identifier: 'ENG-1',
  number: 1,
  title: 'The engine stands still',
  description: 'The *wheel* does not turn.',
  priorityLabel: 'Urgent',
  state: { id: 's2', name: 'In Progress', type: 'started' },
  assignee: { id: 'u2', name: 'Grace' } as object | null,
  labels: [{ name: 'bug' }, { name: '@**all**' }],
  team: { key: 'ENG', name: 'Engine' },
  dueDate: '2026-11-30',
}
const changed = (type: string, action: string, data: object, more: object = {}) => ({
  action,
  type,
  actor,
  createdAt: '2026-11-02T10:40:00.000Z',
  data,
  url: `https://linear.app/acme/${type.toLowerCase()}/1`,
  organizationId: 'o1',
  webhookTimestamp: 1_793_616_000_000,
  webhookId: 'w1',
  ...more,
})

export const LINEAR_EXAMPLES: readonly Example[] = [
  {
    what: 'a new issue',
    headers: { 'Linear-Delivery': '234d1a4e', 'Linear-Event': 'Issue' },
    body: changed('Issue', 'create', issue),
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada created issue [ENG-1](https://linear.app/acme/issue/1):\n\n~~~ quote\nThe *wheel* does not turn.\n~~~\n\n* Status: In Progress\n* Priority: Urgent\n* Assignee: Grace\n* Due: 2026-11-30',
      },
    ],
  },
  {
    what: 'a changed issue, under a topic of the address',
    body: changed(
      'Issue',
      'update',
      { ...issue, assignee: null },
      {
        updatedFrom: {
          updatedAt: 'x',
          stateId: 's1',
          assigneeId: 'u2',
          labelIds: [],
          description: 'a',
          sortOrder: 1,
        },
      },
    ),
    address: { topic: 'plans' },
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada updated issue [ENG-1 The engine stands still](https://linear.app/acme/issue/1):\n\n* Status: **In Progress**\n* Assignee: none\n* Labels: bug, @&#42;&#42;all&#42;&#42;\n* Description: changed',
      },
    ],
  },
  {
    what: 'an issue that somebody deletes',
    body: changed('Issue', 'remove', issue),
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada deleted issue [ENG-1](https://linear.app/acme/issue/1).',
      },
    ],
  },
  {
    what: 'a comment',
    body: changed('Comment', 'create', {
      id: 'c1',
      body: 'It is the *wheel*.',
      issue,
      user: { name: 'Ada' },
    }),
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada [commented](https://linear.app/acme/comment/1) on ENG-1:\n\n~~~ quote\nIt is the *wheel*.\n~~~',
      },
    ],
  },
  {
    what: 'a comment that is edited, by nobody, on an issue without a title',
    body: changed('Comment', 'update', { id: 'c1', body: 'It **is**.', issue: null }, { actor: null }),
    messages: [
      {
        topic: 'Linear',
        text: 'Someone updated a [comment](https://linear.app/acme/comment/1) on an issue:\n\n~~~ quote\nIt **is**.\n~~~',
      },
    ],
  },
  {
    what: 'a project',
    body: changed(
      'Project',
      'update',
      { name: 'Faster', state: 'started' },
      { updatedFrom: { state: 'planned' } },
    ),
    messages: [
      {
        topic: 'Faster',
        text: 'Ada updated project [Faster](https://linear.app/acme/project/1):\n\n* Status: **started**',
      },
    ],
  },
  {
    what: 'an update of a project',
    body: changed('ProjectUpdate', 'create', {
      body: 'All well.',
      health: 'onTrack',
      project: { name: 'Faster' },
    }),
    messages: [
      {
        topic: 'Faster',
        text: 'Ada created [an update](https://linear.app/acme/projectupdate/1) of project **Faster** (on track):\n\n~~~ quote\nAll well.\n~~~',
      },
    ],
  },
  {
    what: 'a cycle',
    body: changed('Cycle', 'create', { number: 5, startsAt: '2026-11-02T00:00:00.000Z', endsAt: null }),
    messages: [
      {
        topic: 'Cycle 5',
        text: 'Ada created [Cycle 5](https://linear.app/acme/cycle/1):\n\n* Start: <time:2026-11-02T00:00:00Z>',
      },
    ],
  },
  {
    what: 'an issue at another position of its list',
    body: changed('Issue', 'update', issue, { updatedFrom: { updatedAt: 'x', sortOrder: 1 } }),
    messages: [],
  },
  { what: 'another event', body: changed('IssueLabel', 'create', {}), unsupported: 'IssueLabel_create' },
  { what: 'another action', body: changed('Issue', 'toString', issue), unsupported: 'Issue_toString' },
]
