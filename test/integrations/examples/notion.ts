import type { Example } from '../example.ts'

const post = (type: string, more: object = {}) => ({
  id: `367cba44-${type}`,
  timestamp: '2026-11-02T10:40:00.000Z',
  workspace_id: '13950b26-c203-4f3b-b97d-93ec06319565',
  workspace_name: 'Acme *Works*',
  subscription_id: '29d75c0d-5546-4414-8459-7b7a92f1fc4b',
  integration_id: '0ef2e755-4912-8096-91c1-00376a88a5ca',
  type,
  authors: [{ id: 'c7c11cca-1d73-471d-9b6e-bdef51470190', type: 'person' }],
  accessible_by: [{ id: '556a1abf-4f08-40c6-878a-75890d2a88ba', type: 'person' }],
  attempt_number: 1,
  api_version: '2025-09-03',
  entity: { id: '153104cd-477e-809d-8dc4-ff2d96ae3090', type: 'page' },
  data: { parent: { id: '0ef104cd-477e-80e1-8571-cfd10e92339a', type: 'page' } },
  ...more,
})

export const NOTION_EXAMPLES: readonly Example[] = [
  {
    what: 'a new page',
    body: post('page.created'),
    messages: [
      {
        topic: 'Acme *Works*',
        text: 'A [page](https://www.notion.so/153104cd477e809d8dc4ff2d96ae3090) was created.',
      },
    ],
  },
  {
    what: 'a comment',
    body: post('comment.created', {
      entity: { id: '1', type: 'comment' },
      data: { page_id: '0ef104cd-477e-80e1-8571-cfd10e92339a' },
    }),
    messages: [
      {
        topic: 'Acme *Works*',
        text: 'A [comment](https://www.notion.so/0ef104cd477e80e18571cfd10e92339a) was written.',
      },
    ],
  },
  {
    what: 'columns of a database',
    body: post('database.schema_updated', { entity: { id: '15310', type: 'database' }, authors: [] }),
    messages: [
      { topic: 'Acme *Works*', text: 'A [database](https://www.notion.so/15310) has other columns.' },
    ],
  },
  {
    what: 'a page, by an automation',
    isShown: true,
    body: {
      source: { type: 'automation', automation_id: '1', action_id: '2', event_id: '3', attempt: 1 },
      data: {
        object: 'page',
        id: '153104cd',
        url: 'https://www.notion.so/Count-153104cd',
        properties: {
          Name: { id: 'title', type: 'title', title: [{ plain_text: 'Count [x]' }] },
          Status: { type: 'status', status: { name: 'Done' } },
          Due: { type: 'date', date: { start: '2026-12-01' } },
        },
      },
    },
    messages: [
      {
        topic: 'Notion',
        text: 'An automation reports [Count &#91;x&#93;](https://www.notion.so/Count-153104cd):\n\n* Status: Done\n* Due: 2026-12-01',
      },
    ],
  },
  {
    what: 'the token',
    body: { verification_token: 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl' },
    messages: [
      {
        topic: 'Notion',
        text: 'Notion wants this verification token of you: `secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl`. Afterwards it is the secret with which Notion signs; enter it in the settings of this bot to have posts checked.',
      },
    ],
  },
  { what: 'rights', body: post('page.permissions_updated'), messages: [] },
  {
    what: 'values of other types',
    body: post('page.moved', { entity: [], authors: 'ada', workspace_name: {} }),
    messages: [{ topic: 'Notion', text: 'A something was moved by ada.' }],
  },
  { what: 'another event', body: post('page.painted'), unsupported: 'page.painted' },
]
