import { setUpText, topicOf } from './code-host-wording.ts'
import { defineIntegration, type Reading } from './integration.ts'
import {
  blocks,
  bold,
  capitalized,
  code,
  codeBlock,
  cut,
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

/** Actions on an issue, with the words after the link to it. */
const ISSUE_ACTIONS: Readonly<Record<string, string>> = {
  created: '',
  resolved: 'resolved',
  assigned: 'assigned',
  archived: 'archived',
  ignored: 'archived',
  unresolved: 'reopened',
}
const COMMENT_ACTIONS: Readonly<Record<string, string>> = {
  created: 'commented on',
  updated: 'edited a comment on',
  deleted: 'deleted a comment on',
}
const METRIC_ICONS: Readonly<Record<string, string>> = {
  critical: ':alert:',
  warning: ':warning:',
  resolved: ':checkbox:',
}

const eventsOf = (resource: string, actions: object) =>
  Object.keys(actions).map((action) => `${resource}_${action}`)

/** Issues, errors and alerts of Sentry. Source: docs/interface/webhooks.md#services. */
export const sentry = defineIntegration({
  name: 'sentry',
  displayName: 'Sentry',
  events: [
    ...eventsOf('issue', ISSUE_ACTIONS),
    ...eventsOf('comment', COMMENT_ACTIONS),
    ...eventsOf('metric_alert', METRIC_ICONS),
    'error_created',
    'event_alert_triggered',
    'installation_created',
    'alert',
  ],
  // The older plugin posts whole events, which have ids.
  deliveryId: ({ body, header, digest }) => header('Request-ID') || (body.has('event') ? digest() : ''),
  ...signedInHex('Sentry-Hook-Signature'),
  read({ body, header }): Reading {
    const resource = header('Sentry-Hook-Resource')
    // The older plugin names neither the object nor the event.
    if (resource === '') return readPlugin(body)
    const action = body.text('action')
    const event = `${resource}_${action}`
    const reader = lookUp(READERS, resource)
    const read = reader?.({ data: body.at('data'), action, user: body.text('actor', 'name') })
    if (read === undefined) return { unsupported: action === '' ? resource : event }
    return { event, ...read }
  },
})

interface Posted {
  readonly data: Payload
  readonly action: string
  readonly user: string
}

type Read = { readonly topic: string; readonly text: string } | undefined

const READERS: Readonly<Record<string, (posted: Posted) => Read>> = {
  issue: readIssue,
  comment: readComment,
  error: ({ data }) => readError(data.at('error'), 'New error'),
  event_alert: ({ data }) => {
    const rule = data.text('triggered_rule')
    return readError(data.at('event'), words('Alert', bold(rule), 'was triggered by'))
  },
  metric_alert: readMetricAlert,
  installation: ({ action, user }) =>
    action === 'created' ? { topic: 'Sentry', text: setUpText('Sentry', user) } : undefined,
}

function readIssue({ data, action, user }: Posted): Read {
  const issue = data.at('issue')
  const done = lookUp(ISSUE_ACTIONS, action)
  if (done === undefined) return undefined
  const title = oneLine(issue.text('title'))
  const topic = title || issue.text('project', 'slug')
  const name = words(issue.text('shortId'), title) || 'without a title'
  const linked = link(name, issue.firstText('web_url', 'permalink'))
  if (action === 'created') {
    return {
      topic,
      text: statement(words('New issue', linked), factsOf(issue, issue.text('project', 'slug'))),
    }
  }
  const assignee = action === 'assigned' ? plain(issue.at('assignedTo').firstText('name', 'email')) : ''
  return { topic, text: statement(words(person(user), done, 'issue', linked, assignee && `to ${assignee}`)) }
}

function readComment({ data, action, user }: Posted): Read {
  const done = lookUp(COMMENT_ACTIONS, action)
  if (done === undefined) return undefined
  const project = data.text('project_slug')
  const issue = words('issue', plain(data.text('issue_id')), project && `of ${plain(project)}`)
  const comment = action === 'deleted' ? '' : quote(data.text('comment'))
  return { topic: topicOf(project, 'comments'), text: statement(words(person(user), done, issue), comment) }
}

function readMetricAlert({ data, action }: Posted): Read {
  const icon = lookUp(METRIC_ICONS, action)
  if (icon === undefined) return undefined
  const alert = data.at('metric_alert')
  const rule = alert.text('alert_rule', 'name') || alert.text('title')
  const title = data.text('description_title') || `${capitalized(action)}: ${oneLine(rule) || 'a metric'}`
  const text = words(icon, link(title, data.text('web_url')))
  return { topic: rule || title, text: statement(text, quote(data.text('description_text'))) }
}

function readPlugin(body: Payload): Reading {
  const event = body.at('event')
  const title = oneLine(event.text('title') || body.text('message'))
  const project = body.firstText('project_name', 'project_slug', 'project')
  if (title === '' && project === '') return { unsupported: 'unknown' }
  const text = words('New event', link(title || 'without a title', body.text('url')))
  return { event: 'alert', topic: title || project, text: statement(text, factsOf(body, project)) }
}

function readError(error: Payload, introduction: string): Read {
  const title = oneLine(error.firstText('title', 'message'))
  const text = words(introduction, link(title || 'an error without a title', error.text('web_url')))
  return { topic: title, text: statement(text, blocks(factsOf(error, ''), codeOf(error))) }
}

function factsOf(thing: Payload, project: string): string {
  return details([
    ['Project', plain(project)],
    ['Level', inWords(thing.text('level'))],
    ['Platform', plain(thing.text('platform'))],
    ['Where', code(thing.firstText('culprit', 'location'))],
    ['When', time(thing.firstText('datetime', 'firstSeen'))],
  ])
}

/** Limit of the frames in which one with code is looked for. */
const MAX_FRAMES = 100
/** Lines of context on each side of the failed line. */
const LINES_AROUND = 3
/** Limit of a line of code, in characters. */
const CODE_WIDTH = 200

/** Returns the source lines where the error was raised; '' if Sentry has none. */
function codeOf(error: Payload): string {
  const [raised] = error.lastItems(1, 'exception', 'values')
  const frames = raised?.lastItems(MAX_FRAMES, 'stacktrace', 'frames')
  const frame = frames?.findLast((one) => one.text('context_line') !== '')
  if (!frame) return ''
  const lines = [
    ...frame.lastItems(LINES_AROUND, 'pre_context').map((line) => line.text()),
    frame.text('context_line'),
    ...frame.firstItems(LINES_AROUND, 'post_context').map((line) => line.text()),
  ]
  const line = plain(frame.text('lineno'))
  const file = code(frame.firstText('filename', 'abs_path')) || 'the program'
  return statement(words('In', file, line && `at line ${line}`), codeBlock(cutLines(lines)))
}

function cutLines(lines: readonly string[]): string {
  return lines.map((line) => cut(line, CODE_WIDTH)).join('\n')
}
