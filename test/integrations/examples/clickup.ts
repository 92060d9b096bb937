import type { Example } from '../example.ts'

const item = (field: string, before: unknown, after: unknown, more: object = {}) => ({
  id: '2800763136717140857',
  type: 1,
  date: '1793616000000',
  field,
  parent_id: '162641062',
  data: { status_type: 'open' },
  source: null,
  user: {
    id: 183,
    username: 'Ada Lovelace',
    email: 'ada@example.com',
    color: '#7b68ee',
    initials: 'AL',
    profilePicture: null,
  },
  before,
  after,
  ...more,
})
const post = (event: string, history_items: readonly unknown[], more: object = {}) => ({
  event,
  history_items,
  task_id: '1vj37mc',
  webhook_id: '7fa3ec74-69a8-4530-a251-8a13730bd204',
  ...more,
})

export const CLICKUP_EXAMPLES: readonly Example[] = [
  {
    what: 'another status',
    body: post('taskStatusUpdated', [
      item(
        'status',
        { status: 'to do', color: '#f9d900', type: 'open' },
        { status: 'in [progress]', color: '#7C4DFF', type: 'custom' },
      ),
    ]),
    messages: [
      {
        topic: '1vj37mc',
        text: 'Ada Lovelace changed the status of [task 1vj37mc](https://app.clickup.com/t/1vj37mc) to **in &#91;progress&#93;**.',
      },
    ],
  },
  {
    what: 'a new task',
    body: post('taskCreated', [item('task_creation', null, null)]),
    messages: [
      { topic: '1vj37mc', text: 'Ada Lovelace created [task 1vj37mc](https://app.clickup.com/t/1vj37mc).' },
    ],
  },
  {
    what: 'a comment',
    body: post('taskCommentPosted', [
      item('comment', null, '648893191', { comment: { id: '648893191', text_content: 'Why **two**?\n' } }),
    ]),
    messages: [
      {
        topic: '1vj37mc',
        text: 'Ada Lovelace commented on [task 1vj37mc](https://app.clickup.com/t/1vj37mc):\n\n~~~ quote\nWhy **two**?\n~~~',
      },
    ],
  },
  {
    what: 'a due date',
    body: post('taskDueDateUpdated', [item('due_date', null, '1793902400000')]),
    messages: [
      {
        topic: '1vj37mc',
        text: 'Ada Lovelace changed the due date of [task 1vj37mc](https://app.clickup.com/t/1vj37mc) to <time:2026-11-05T18:13:20Z>.',
      },
    ],
  },
  {
    what: 'tags',
    body: post('taskTagUpdated', [item('tag', null, [{ name: 'bug' }, { name: 'slow' }])]),
    messages: [
      {
        topic: '1vj37mc',
        text: 'Ada Lovelace changed the tags of [task 1vj37mc](https://app.clickup.com/t/1vj37mc) to **bug and slow**.',
      },
    ],
  },
  {
    what: 'a list',
    body: { event: 'listDeleted', list_id: '162641234', webhook_id: '7fa3ec74' },
    messages: [{ topic: 'ClickUp', text: 'A list was deleted (id 162641234).' }],
  },
  {
    what: 'a task, by an automation',
    isShown: true,
    body: {
      id: 'b4ced072',
      trigger_id: 'a1f00ac0',
      date: '2026-11-02T10:40:00.000Z',
      payload: {
        id: '1vj37mc',
        name: 'Count [x]',
        text_content: 'One too *low*',
        status: { status: 'done' },
        list: { name: 'Engine' },
      },
      auto_id: '1:main',
    },
    messages: [
      {
        topic: 'Count [x]',
        text: 'An automation reports [Count &#91;x&#93;](https://app.clickup.com/t/1vj37mc):\n\n~~~ quote\nOne too *low*\n~~~\n\n* Status: done\n* List: Engine',
      },
    ],
  },
  {
    what: 'values of other types',
    body: post('taskPriorityUpdated', [{ user: 'ada', after: [] }], { task_id: {} }),
    messages: [{ topic: 'ClickUp', text: 'Someone changed the priority of task.' }],
  },
  { what: 'another event', body: post('taskPainted', []), unsupported: 'taskPainted' },
]
