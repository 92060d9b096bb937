import { commentAction } from './code-host-wording.ts'
import { defineIntegration, type Reading } from './integration.ts'
import {
  blocks,
  bold,
  details,
  inWords,
  link,
  oneLine,
  person,
  plain,
  quote,
  statement,
  time,
  words,
} from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { signedInHex } from './signatures.ts'

const ACTIONS: Readonly<Record<string, string>> = { create: 'created', update: 'updated', remove: 'deleted' }

interface Changed {
  readonly data: Payload
  /** The action: created, updated, deleted. */
  readonly done: string
  readonly user: string
  /** The address of the thing. */
  readonly url: string
  /** The previous values of changed fields. */
  readonly before: Payload
  readonly hasOwnTopic: boolean
}

/** Reads a change. Invisible changes, such as the order of a list, cause no message. */
type Reader = (changed: Changed) => { readonly topic: string; readonly text: string } | 'ignore'

const READERS: Readonly<Record<string, Reader>> = {
  Issue: ({ data, done, user, url, before, hasOwnTopic }) => {
    const id = data.text('identifier')
    const linked =
      link(words(id, hasOwnTopic && id ? '' : oneLine(data.text('title'))), url) || 'without a title'
    const text = words(person(user), done, 'issue', linked)
    if (done === 'updated') {
      const changes = changesOf(data, before)
      return changes.length === 0
        ? 'ignore'
        : { topic: topicOf(data), text: statement(text, details(changes)) }
    }
    const facts = done === 'created' ? blocks(quote(data.text('description')), details(factsOf(data))) : ''
    return { topic: topicOf(data), text: statement(text, facts) }
  },
  Comment: ({ data, done, user, url, hasOwnTopic }) => {
    const issue = data.at('issue')
    const id = plain(issue.text('identifier'))
    const named = words(id, hasOwnTopic && id ? '' : plain(issue.text('title'))) || 'an issue'
    const said = done === 'deleted' ? '' : quote(data.text('body'))
    return {
      topic: topicOf(issue),
      text: statement(words(person(user), commentAction(done, url), named), said),
    }
  },
  Project: ({ data, done, user, url, before }) => {
    const name = data.text('name')
    const changes = done === 'updated' ? changesOf(data, before) : []
    if (done === 'updated' && changes.length === 0) return 'ignore'
    const linked = link(name, url) || 'without a name'
    return { topic: name, text: statement(words(person(user), done, 'project', linked), details(changes)) }
  },
  ProjectUpdate: ({ data, done, user, url }) => {
    const project = data.text('project', 'name')
    const health = inWords(
      data
        .text('health')
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase(),
    )
    const what = words(person(user), done, link('an update', url), project && `of project ${bold(project)}`)
    const said = done === 'deleted' ? '' : quote(data.text('body'))
    return { topic: project, text: statement(words(what, health && `(${health})`), said) }
  },
  Cycle: ({ data, done, user, url }) => {
    const name = data.text('name') || words('Cycle', data.text('number'))
    const facts = details([
      ['Start', time(data.text('startsAt'))],
      ['End', time(data.text('endsAt'))],
    ])
    return { topic: name, text: statement(words(person(user), done, link(name, url)), facts) }
  },
}

/** Issues, comments and projects of Linear. Source: docs/interface/webhooks.md#services. */
export const linear = defineIntegration({
  name: 'linear',
  displayName: 'Linear',
  events: Object.keys(READERS).flatMap((type) => Object.keys(ACTIONS).map((action) => `${type}_${action}`)),
  deliveryId: ({ header }) => header('Linear-Delivery'),
  ...signedInHex('Linear-Signature'),
  read({ body, hasOwnTopic }): Reading {
    const [type, action] = [body.text('type'), body.text('action')]
    const event = words(type, action).replace(' ', '_')
    const reader = lookUp(READERS, type)
    const done = lookUp(ACTIONS, action)
    if (!reader || !done) return { unsupported: event || 'unknown' }
    const data = body.at('data')
    const user = body.text('actor', 'name') || data.text('user', 'name')
    const url = body.text('url') || data.text('url')
    const read = reader({ data, done, user, url, before: body.at('updatedFrom'), hasOwnTopic })
    return read === 'ignore' ? read : { event, ...read }
  },
})

function topicOf(issue: Payload): string {
  const [id, title] = [issue.text('identifier'), issue.text('title')]
  return id && title ? `${id}: ${title}` : id || title
}

function factsOf(data: Payload): (readonly [string, string])[] {
  return [
    ['Status', plain(data.text('state', 'name'))],
    ['Priority', plain(data.text('priorityLabel'))],
    ['Assignee', plain(data.text('assignee', 'name'))],
    ['Due', plain(data.text('dueDate'))],
  ]
}

/** The names of values that Linear only reports as changed, and where their new value is. */
const CHANGES: Readonly<Record<string, readonly [name: string, ...path: readonly string[]]>> = {
  title: ['Title', 'title'],
  name: ['Name', 'name'],
  stateId: ['Status', 'state', 'name'],
  state: ['Status', 'state'],
  statusId: ['Status', 'status', 'name'],
  priority: ['Priority', 'priorityLabel'],
  assigneeId: ['Assignee', 'assignee', 'name'],
  projectId: ['Project', 'project', 'name'],
  leadId: ['Lead', 'lead', 'name'],
  dueDate: ['Due', 'dueDate'],
  targetDate: ['Target', 'targetDate'],
  estimate: ['Estimate', 'estimate'],
}

const MAX_LABELS = 20

function changesOf(data: Payload, before: Payload): (readonly [string, string])[] {
  return before.entries().flatMap(([key]) => {
    if (key === 'description') return [['Description', 'changed'] as const]
    if (key === 'labelIds') {
      const labels = data.firstItems(MAX_LABELS, 'labels').map((label) => plain(label.text('name')))
      const more = data.count('labels') - labels.length
      const named = labels.filter((label) => label !== '').join(', ') || 'none'
      return [['Labels', words(named, more > 0 ? `and ${more} more` : '')] as const]
    }
    if (!Object.hasOwn(CHANGES, key)) return []
    const [name, ...path] = CHANGES[key]!
    return [[name, bold(data.text(...path)) || 'none'] as const]
  })
}
