import { type Delivery, defineIntegration, type Reading } from './integration.ts'
import { blocks, bold, details, link, oneLine, person, plain, quote, statement, words } from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { signedInHex } from './signatures.ts'

const ISSUE_ACTIONS: Readonly<Record<string, string>> = {
  'jira:issue_created': 'created',
  'jira:issue_updated': 'updated',
  'jira:issue_deleted': 'deleted',
}
const COMMENT_ACTIONS: Readonly<Record<string, string>> = {
  comment_created: 'commented on',
  comment_updated: 'edited a comment on',
  comment_deleted: 'deleted a comment on',
}
/** Changes of an issue that are comments: they also come as comment events, if the hook includes those. */
const COMMENTS_IN_CHANGES: Readonly<Record<string, string>> = {
  issue_commented: 'comment_created',
  issue_comment_edited: 'comment_updated',
  issue_comment_deleted: 'comment_deleted',
}
/** Actions on planning objects. */
const PLAN_ACTIONS: Readonly<Record<string, string>> = {
  sprint_created: 'created',
  sprint_started: 'started',
  sprint_closed: 'closed',
  sprint_updated: 'updated',
  sprint_deleted: 'deleted',
  'jira:version_created': 'created',
  'jira:version_released': 'released',
  'jira:version_unreleased': 'marked as not released',
  'jira:version_deleted': 'deleted',
}
/** Events that name issues only by ids, which mean nothing to people: they cause no messages. */
const SILENT: readonly string[] = [
  'attachment_created',
  'attachment_deleted',
  'issuelink_created',
  'issuelink_deleted',
  'worklog_created',
  'worklog_updated',
  'worklog_deleted',
  'jira:worklog_updated',
]

/** Issues, comments, sprints and versions of Jira. Source: docs/interface/webhooks.md#services. */
export const jira = defineIntegration({
  name: 'jira',
  displayName: 'Jira',
  events: [...Object.keys({ ...ISSUE_ACTIONS, ...COMMENT_ACTIONS, ...PLAN_ACTIONS })],
  escapesTwice: true,
  deliveryId({ body, header, digest }) {
    // A comment comes in two deliveries: as its own event, and as a change of the issue.
    const [id, updated] = [body.text('comment', 'id'), body.text('comment', 'updated')]
    return id && updated
      ? words('comment', id, eventOf(body), updated)
      : header('X-Atlassian-Webhook-Identifier') || (body.has('timestamp') ? digest() : '')
  },
  ...signedInHex('X-Hub-Signature', 'sha256='),
  read(delivery): Reading {
    const { body } = delivery
    const event = eventOf(body)
    if (SILENT.includes(event)) return 'ignore'
    if (Object.hasOwn(COMMENT_ACTIONS, event)) return readComment(delivery, event)
    if (Object.hasOwn(ISSUE_ACTIONS, event)) return readIssue(delivery, event)
    return Object.hasOwn(PLAN_ACTIONS, event) ? readPlan(body, event) : { unsupported: event || 'unknown' }
  },
})

function eventOf(body: Payload): string {
  const event = body.text('webhookEvent')
  const type = body.text('issue_event_type_name')
  const isComment = event === 'jira:issue_updated' && body.has('comment')
  return (isComment ? lookUp(COMMENTS_IN_CHANGES, type) : undefined) ?? event
}

function readIssue({ body, hasOwnTopic }: Delivery, event: string): Reading {
  const fields = body.at('issue', 'fields')
  const what = words(personOf(body.at('user')), ISSUE_ACTIONS[event]!, linkToIssue(body, hasOwnTopic))
  return { event, topic: topicOfIssue(body), text: statement(what, detailsOf(event, fields, body)) }
}

function detailsOf(event: string, fields: Payload, body: Payload): string {
  if (event === 'jira:issue_updated') {
    const changes = body.list('changelog', 'items').map(changeOf)
    return details(changes, body.unread('changelog', 'items'))
  }
  if (event === 'jira:issue_deleted') return ''
  const facts = details([
    ['Type', plain(fields.text('issuetype', 'name'))],
    ['Priority', plain(fields.text('priority', 'name'))],
    ['Assignee', plain(fields.text('assignee', 'displayName'))],
  ])
  return blocks(facts, quote(textOf(fields.at('description'))))
}

/** Fields with long values: a message only says that they changed. */
const LONG_FIELDS: readonly string[] = ['description', 'environment', 'comment']

function changeOf(item: Payload): readonly [string, string] {
  const field = item.text('field')
  const name = field.slice(0, 1).toUpperCase() + field.slice(1)
  if (LONG_FIELDS.includes(field.toLowerCase())) return [name, 'changed']
  const [from, to] = [bold(item.text('fromString')), bold(item.text('toString'))]
  if (to === '') return [name, from && `${from} removed`]
  return [name, from ? `${from} → ${to}` : to]
}

function readComment({ body, hasOwnTopic }: Delivery, event: string): Reading {
  const comment = body.at('comment')
  const author = comment.at(event === 'comment_created' ? 'author' : 'updateAuthor')
  const user = body.has('user') ? body.at('user') : author
  const what = words(personOf(user), COMMENT_ACTIONS[event]!, linkToIssue(body, hasOwnTopic))
  const said = event === 'comment_deleted' ? '' : quote(textOf(comment.at('body')))
  return { event, topic: topicOfIssue(body), text: statement(what, said) }
}

function readPlan(body: Payload, event: string): Reading {
  const isSprint = event.startsWith('sprint')
  const thing = body.at(isSprint ? 'sprint' : 'version')
  const name = bold(thing.text('name'))
  const text = statement(
    words(isSprint ? 'Sprint' : 'Version', name, `was ${PLAN_ACTIONS[event]!}`),
    quote(thing.text(isSprint ? 'goal' : 'description')),
  )
  return { event, topic: isSprint ? 'sprints' : 'versions', text }
}

function personOf(user: Payload): string {
  return person(user.firstText('displayName', 'name'))
}

function topicOfIssue(body: Payload): string {
  const [key, summary] = [body.text('issue', 'key'), body.text('issue', 'fields', 'summary')]
  return key && summary ? `${key}: ${summary}` : key || summary
}

function linkToIssue(body: Payload, hasOwnTopic: boolean): string {
  const issue = body.at('issue')
  const key = issue.text('key')
  // Jira may be served under a path of its host.
  const [base] = issue.text('self').split('/rest/', 1)
  const summary = hasOwnTopic && key ? '' : oneLine(issue.text('fields', 'summary'))
  return link(words(key, summary), `${base}/browse/${encodeURIComponent(key)}`) || 'an issue'
}

/** Types of blocks that end a line. */
const LINES: readonly string[] = ['paragraph', 'heading', 'listItem', 'codeBlock', 'blockquote', 'hardBreak']

/** Returns a text, or the text of a document of Jira's editor. */
function textOf(document: Payload): string {
  const texts: string[] = []
  collectTexts(document, texts)
  return texts.join('')
}

function collectTexts(document: Payload, texts: string[]): void {
  texts.push(document.text() || document.text('text') || document.text('attrs', 'text'))
  for (const part of document.list('content')) collectTexts(part, texts)
  if (LINES.includes(document.text('type'))) texts.push('\n')
}
