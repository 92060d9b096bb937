import { signedInHex } from '../signatures.ts'
import { declared, type Words } from './declaration.ts'

const BY = '{{history_items.0.user.username | default: "Someone"}}'
const TASK = '[task {{task_id}}](https://app.clickup.com/t/{{task_id}})'
const CHANGED =
  '{{? to **{{history_items.0.after.status | or: history_items.0.after.priority | or: history_items.0.after.username | or: history_items.0.after.name | or: history_items.0.after}}**?}}'
const did = (text: string, more: Partial<Words> = {}): Words => ({ says: `${BY} ${text}`, ...more })
const NAMES: Readonly<Record<string, string>> = {
  list: 'list',
  folder: 'folder',
  space: 'space',
  goal: 'goal',
  keyResult: 'target',
}
const place = (kind: string, id: string) => ({
  [`${kind}Created`]: { says: `A ${NAMES[kind]} was created{{? (id {{${id}}})?}}` },
  [`${kind}Updated`]: { says: `A ${NAMES[kind]} has changed{{? (id {{${id}}})?}}` },
  [`${kind}Deleted`]: { says: `A ${NAMES[kind]} was deleted{{? (id {{${id}}})?}}` },
})

/** Tasks of ClickUp, of which it says only the ids, and posts of its automations. Source: docs/interface/webhooks.md#services. */
export const clickup = declared({
  name: 'clickup',
  displayName: 'ClickUp',
  event: '{{event}}{{trigger_id | means: "automation"}}',
  id: '{{?{{webhook_id}} {{history_items.0.id}}?}}',
  topic: '{{task_id | or: payload.name}}',
  ...signedInHex('X-Signature'),
  events: {
    automation: {
      says: 'An automation reports [{{payload.name | default: "a task"}}](https://app.clickup.com/t/{{payload.id}})',
      facts: { Status: '{{payload.status.status | or: payload.status}}', List: '{{payload.list.name}}' },
      quotes: '{{payload.text_content}}',
    },
    taskCreated: did(`created ${TASK}`),
    taskUpdated: did(`changed ${TASK}{{? ({{history_items.0.field | words}})?}}`),
    taskDeleted: { says: 'The task {{task_id}} was deleted' },
    taskPriorityUpdated: did(`changed the priority of ${TASK}${CHANGED}`),
    taskStatusUpdated: did(`changed the status of ${TASK}${CHANGED}`),
    taskAssigneeUpdated: did(`changed the assignees of ${TASK}${CHANGED}`),
    taskDueDateUpdated: did(`changed the due date of ${TASK}{{? to {{history_items.0.after | time}}?}}`),
    taskTagUpdated: did(`changed the tags of ${TASK}{{? to **{{history_items.0.after | join: name}}**?}}`),
    taskMoved: did(`moved ${TASK}${CHANGED}`),
    taskCommentPosted: did(`commented on ${TASK}`, {
      quotes: '{{history_items.0.comment.text_content}}',
    }),
    taskCommentUpdated: did(`edited a comment on ${TASK}`, {
      quotes: '{{history_items.0.comment.text_content}}',
    }),
    taskTimeEstimateUpdated: did(`changed the estimate of ${TASK}`),
    taskTimeTrackedUpdated: did(`tracked time on ${TASK}`),
    ...place('list', 'list_id'),
    ...place('folder', 'folder_id'),
    ...place('space', 'space_id'),
    ...place('goal', 'goal_id'),
    ...place('keyResult', 'key_result_id'),
  },
})
