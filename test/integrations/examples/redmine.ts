import type { Example } from '../example.ts'

const person = {
  id: 3,
  login: 'ada',
  mail: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Lovelace',
  identity_url: null,
  icon_url: 'https://www.gravatar.com/avatar/1',
}
const issue = {
  id: 191,
  subject: 'It stops at 2³² [x]',
  description: 'Every *time*.',
  created_on: '2026-11-02T10:40:00.000Z',
  updated_on: '2026-11-02T10:41:00.000Z',
  closed_on: null,
  root_id: 191,
  parent_id: null,
  done_ratio: 0,
  start_date: '2026-11-02',
  due_date: null,
  estimated_hours: null,
  is_private: false,
  lock_version: 0,
  custom_field_values: [],
  project: { id: 1, identifier: 'engine', name: 'Engine', homepage: '' },
  status: { id: 1, name: 'New' },
  tracker: { id: 1, name: 'Bug' },
  priority: { id: 2, name: 'Normal' },
  author: person,
  assignee: { ...person, login: 'grace' },
  watchers: [],
}
const url = 'https://redmine.example/issues/191'

export const REDMINE_EXAMPLES: readonly Example[] = [
  {
    what: 'a new issue',
    body: { payload: { action: 'opened', issue, url } },
    messages: [
      {
        topic: 'Engine / #191 It stops at 2³² [x]',
        text: '[Bug #191](https://redmine.example/issues/191) was created by ada:\n\n~~~ quote\nEvery *time*.\n~~~\n\n* Status: New\n* Priority: Normal\n* Assignee: grace',
      },
    ],
  },
  {
    what: 'a note',
    body: {
      payload: {
        action: 'updated',
        issue,
        journal: {
          id: 32,
          notes: 'Seen it **too**.',
          created_on: '2026-11-02T10:41:00.000Z',
          private_notes: false,
          author: person,
          details: [],
        },
        url,
      },
    },
    address: { topic: 'bugs' },
    messages: [
      {
        topic: 'Engine / #191 It stops at 2³² [x]',
        text: '[Bug #191 It stops at 2³² &#91;x&#93;](https://redmine.example/issues/191) was changed by ada:\n\n~~~ quote\nSeen it **too**.\n~~~\n\n* Status: New\n* Priority: Normal\n* Assignee: grace',
      },
    ],
  },
  {
    what: 'an issue, by Redmine’s own webhook',
    body: {
      type: 'issue.created',
      timestamp: '2026-11-02T10:40:00Z',
      data: {
        issue: {
          id: 191,
          project: { id: 1, name: 'Engine' },
          tracker: { id: 1, name: 'Bug' },
          status: { id: 1, name: 'New' },
          priority: { id: 2, name: 'Normal' },
          author: { id: 3, name: 'Ada Lovelace' },
          subject: 'It stops',
          description: '',
        },
      },
    },
    messages: [
      {
        topic: 'Engine / #191 It stops',
        text: 'Bug #191 was created by Ada Lovelace:\n\n* Status: New\n* Priority: Normal',
      },
    ],
  },
  {
    what: 'an issue that is deleted',
    body: { payload: { action: 'deleted', issue, url } },
    messages: [
      {
        topic: 'Engine / #191 It stops at 2³² [x]',
        text: '[Bug #191](https://redmine.example/issues/191) was deleted.',
      },
    ],
  },
  {
    what: 'values of other types',
    body: { payload: { action: 'opened', issue: { id: {}, subject: [], project: 'x' }, url: 7 } },
    messages: [{ topic: 'Redmine', text: 'Issue was created.' }],
  },
  { what: 'another event', body: { payload: { action: 'painted', issue } }, unsupported: 'painted' },
]
