import type { Example } from '../example.ts'

const ada = {
  accountId: '99:27935d01',
  displayName: 'Ada',
  self: 'https://acme.atlassian.net/rest/api/2/user?accountId=1',
}
const issue = {
  id: '10002',
  key: 'ENG-1',
  self: 'https://acme.atlassian.net/rest/api/2/10002',
  fields: {
    summary: 'The engine stands still',
    description: 'The *wheel* does not turn.',
    issuetype: { name: 'Bug' },
    priority: { name: 'High' },
    status: { name: 'To Do' },
    assignee: { displayName: 'Grace' },
    project: { key: 'ENG', name: 'Engine' },
  },
}
const happened = (webhookEvent: string, more: object = {}) => ({
  timestamp: 1_793_616_000_000,
  webhookEvent,
  user: ada,
  issue,
  ...more,
})
const comment = {
  id: '10041',
  author: ada,
  updateAuthor: { displayName: 'Grace' },
  body: 'It is the *wheel*.',
  created: '2026-11-02T10:40:00.000+0000',
  updated: '2026-11-02T10:40:00.000+0000',
}
const document = {
  type: 'doc',
  version: 1,
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Look, ' },
        { type: 'mention', attrs: { id: '1', text: '@Grace' } },
        { type: 'text', text: ':' },
      ],
    },
    { type: 'paragraph', content: [{ type: 'text', text: 'it is the wheel.', marks: [{ type: 'strong' }] }] },
  ],
}
const delivery = { 'X-Atlassian-Webhook-Identifier': 'b1c2' }

export const JIRA_EXAMPLES: readonly Example[] = [
  {
    what: 'a new issue',
    headers: delivery,
    body: happened('jira:issue_created'),
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada created [ENG-1](https://acme.atlassian.net/browse/ENG-1):\n\n* Type: Bug\n* Priority: High\n* Assignee: Grace\n\n~~~ quote\nThe *wheel* does not turn.\n~~~',
      },
    ],
  },
  {
    what: 'a changed issue',
    body: happened('jira:issue_updated', {
      issue_event_type_name: 'issue_generic',
      changelog: {
        id: '10',
        items: [
          { field: 'status', fromString: 'To Do', toString: 'Done' },
          { field: 'assignee', from: null, fromString: null, toString: 'Grace' },
          { field: 'Sprint', fromString: 'Sprint 1', toString: '' },
          { field: 'description', fromString: 'a\nb', toString: 'c' },
        ],
      },
    }),
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada updated [ENG-1](https://acme.atlassian.net/browse/ENG-1):\n\n* Status: **To Do** → **Done**\n* Assignee: **Grace**\n* Sprint: **Sprint 1** removed\n* Description: changed',
      },
    ],
  },
  {
    what: 'an issue that somebody deletes, under a topic of the address',
    body: happened('jira:issue_deleted'),
    address: { topic: 'plans' },
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada deleted [ENG-1 The engine stands still](https://acme.atlassian.net/browse/ENG-1).',
      },
    ],
  },
  {
    what: 'a comment',
    body: happened('comment_created', { user: undefined, comment }),
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada commented on [ENG-1](https://acme.atlassian.net/browse/ENG-1):\n\n~~~ quote\nIt is the *wheel*.\n~~~',
      },
    ],
  },
  {
    what: 'the same comment as a change of the issue',
    body: happened('jira:issue_updated', { issue_event_type_name: 'issue_commented', comment }),
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada commented on [ENG-1](https://acme.atlassian.net/browse/ENG-1):\n\n~~~ quote\nIt is the *wheel*.\n~~~',
      },
    ],
  },
  {
    what: 'a comment of Jira’s new editor, that somebody has edited',
    body: happened('comment_updated', { user: null, comment: { ...comment, body: document } }),
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Grace edited a comment on [ENG-1](https://acme.atlassian.net/browse/ENG-1):\n\n~~~ quote\nLook, @Grace:\nit is the wheel.\n~~~',
      },
    ],
  },
  {
    what: 'a comment that is deleted',
    body: happened('comment_deleted', { comment }),
    messages: [
      {
        topic: 'ENG-1: The engine stands still',
        text: 'Ada deleted a comment on [ENG-1](https://acme.atlassian.net/browse/ENG-1).',
      },
    ],
  },
  {
    what: 'a sprint',
    body: happened('sprint_started', {
      issue: null,
      sprint: { id: 4, name: 'Sprint 4', state: 'active', goal: 'Let it turn.' },
    }),
    messages: [
      { topic: 'sprints', text: 'Sprint **Sprint 4** was started:\n\n~~~ quote\nLet it turn.\n~~~' },
    ],
  },
  {
    what: 'a version',
    body: happened('jira:version_released', {
      issue: null,
      version: { id: '5', name: '1.0 [final]', description: '' },
    }),
    messages: [{ topic: 'versions', text: 'Version **1.0 &#91;final&#93;** was released.' }],
  },
  {
    what: 'an issue of a Jira below a path, by nobody, with hundreds of changes',
    body: {
      webhookEvent: 'jira:issue_updated',
      issue: { key: 'ENG-2', self: 'https://intern.example/jira/rest/api/2/issue/7', fields: null },
      changelog: {
        items: Array.from({ length: 300 }, (_, at) => ({ field: `field ${at}`, toString: `${at}` })),
      },
    },
    messages: [
      {
        topic: 'ENG-2',
        text: 'Someone updated [ENG-2](https://intern.example/jira/browse/ENG-2):\n\n* Field 0: **0**\n* Field 1: **1**\n* Field 2: **2**\n* Field 3: **3**\n* Field 4: **4**\n* Field 5: **5**\n* Field 6: **6**\n* Field 7: **7**\n* Field 8: **8**\n* Field 9: **9**\n* Field 10: **10**\n* Field 11: **11**\n* Field 12: **12**\n* Field 13: **13**\n* Field 14: **14**\n* Field 15: **15**\n* Field 16: **16**\n* Field 17: **17**\n* Field 18: **18**\n* Field 19: **19**\n* [and 280 more](https://intern.example/jira/browse/ENG-2)',
      },
    ],
  },
  {
    what: 'work that is logged',
    body: { webhookEvent: 'worklog_created', worklog: { issueId: '10002' } },
    messages: [],
  },
  { what: 'another event', body: { webhookEvent: 'board_created' }, unsupported: 'board_created' },
]
