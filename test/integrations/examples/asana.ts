import type { Example } from '../example.ts'

const change = (action: string, more: object = {}) => ({
  user: { gid: '12345', resource_type: 'user' },
  created_at: '2026-11-02T10:40:00.000Z',
  type: 'task',
  action,
  resource: { gid: '1337', resource_type: 'task', resource_subtype: 'default_task' },
  parent: null,
  ...more,
})

export const ASANA_EXAMPLES: readonly Example[] = [
  {
    what: 'changes',
    body: {
      events: [
        change('changed', {
          change: {
            field: 'assignee',
            action: 'changed',
            new_value: { gid: '12345', resource_type: 'user' },
          },
        }),
        change('added', {
          parent: { gid: '77', resource_type: 'section' },
          resource: { gid: '1338', resource_type: 'story', resource_subtype: 'comment_added' },
        }),
        change('deleted', {
          resource: { gid: '1339', resource_type: 'task', name: 'Count [x]' },
          user: { name: 'Ada' },
        }),
      ],
    },
    messages: [
      {
        topic: 'Asana',
        text: '3 changes in Asana:\n\n* [default task](https://app.asana.com/0/0/1337/f) was changed: assignee\n* [comment added](https://app.asana.com/0/0/1338/f) was added (section [77](https://app.asana.com/0/0/77))\n* [task Count &#91;x&#93;](https://app.asana.com/0/0/1339/f) was deleted by Ada',
      },
    ],
  },
  { what: 'a sign of life', body: { events: [] }, messages: [] },
  {
    what: 'the secret',
    headers: { 'X-Hook-Secret': 'b537207f20cbfa02357cf448134da559' },
    body: {},
    messages: [
      {
        topic: 'Asana',
        text: 'Asana signs its posts with the secret `b537207f20cbfa02357cf448134da559`. Enter it in the settings of this bot to have them checked.',
      },
    ],
  },
  {
    what: 'values of other types',
    body: { events: [{ action: 7, resource: 'task', change: { field: [] } }, 'x', null] },
    messages: [
      {
        topic: 'Asana',
        text: '3 changes in Asana:\n\n* something was 7\n* something was changed\n* something was changed',
      },
    ],
  },
  { what: 'something else', body: { event: 'x' }, unsupported: 'unknown' },
]
