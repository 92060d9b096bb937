import {
  commitCommentText,
  isTag,
  type Numbered,
  nameOfRef,
  numberedText,
  numberedTopic,
  pushText,
  readCommit,
  tagText,
  topicOf,
} from './code-host-wording.ts'
import {
  ACTIONS,
  type GitLabEvent,
  readDeployment,
  readEmoji,
  readFlag,
  readJob,
  readMilestone,
  readPipeline,
  readRelease,
  readToken,
} from './gitlab/project.ts'
import {
  readAccount,
  readGroup,
  readMember,
  readProject,
  readVulnerability,
} from './gitlab/repository-events.ts'
import { defineIntegration, type Reading } from './integration.ts'
import { code, link, person, statement, words } from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { secretInHeader, standardOr } from './signatures.ts'

const NOTED = ['Commit', 'MergeRequest', 'Issue', 'Snippet'] as const
const WIKI: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' }

const of = (hook: string, actions: readonly string[]) => actions.map((action) => `${hook} ${action}`)

const EVENTS = [
  'Push Hook',
  'Tag Push Hook',
  ...of('Issue Hook', ['open', 'close', 'reopen', 'update']),
  ...of('Confidential Issue Hook', ['open', 'close', 'reopen', 'update']),
  ...of('Note Hook', NOTED),
  ...of('Confidential Note Hook', NOTED),
  ...of('Merge Request Hook', Object.keys(ACTIONS)),
  ...of('Wiki Page Hook', Object.keys(WIKI)),
  'Pipeline Hook',
  'Job Hook',
  'Build Hook',
  'Deployment Hook',
  'Release Hook',
  'Feature Flag Hook',
  'Emoji Hook',
  'Milestone Hook',
  'Member Hook',
  'Resource Access Token Hook',
  'Project Hook',
  'Subgroup Hook',
  'Account Hook',
  'Vulnerability Hook',
]

/** The reader of each event, by its header without `Confidential`. */
const READERS: Readonly<Record<string, (event: GitLabEvent) => Reading>> = {
  'Push Hook': readPush,
  'Tag Push Hook': readTag,
  'Issue Hook': (event) => readNumbered(event, 'issue'),
  'Work Item Hook': (event) => readNumbered(event, 'issue'),
  'Merge Request Hook': (event) => readNumbered(event, 'MR'),
  'Note Hook': readNote,
  'Wiki Page Hook': readWiki,
  'Pipeline Hook': readPipeline,
  'Job Hook': readJob,
  'Build Hook': readJob,
  'Deployment Hook': readDeployment,
  'Release Hook': readRelease,
  'Feature Flag Hook': readFlag,
  'Emoji Hook': readEmoji,
  'Milestone Hook': readMilestone,
  'Member Hook': readMember,
  'Resource Access Token Hook': readToken,
  'Project Hook': readProject,
  'Subgroup Hook': readGroup,
  'Account Hook': readAccount,
  'Vulnerability Hook': readVulnerability,
}

/** Events of a whole instance are named in the body. Hooks of projects and groups have headers of their own for the same. */
const SYSTEM_HOOKS: Readonly<Record<string, string>> = {
  push: 'Push Hook',
  tag_push: 'Tag Push Hook',
  merge_request: 'Merge Request Hook',
  issue: 'Issue Hook',
  note: 'Note Hook',
  pipeline: 'Pipeline Hook',
}
const SYSTEM_EVENTS: readonly (readonly [beginning: RegExp, hook: string])[] = [
  [/^user_.*_(?:group|team|project)$/, 'Member Hook'],
  [/^project_/, 'Project Hook'],
  [/^(?:sub)?group_/, 'Subgroup Hook'],
  [/^user_/, 'Account Hook'],
]

/** Returns the event of a system hook, as a hook of a project or group calls it. */
function hookOf(kind: string): string {
  return (
    lookUp(SYSTEM_HOOKS, kind) ??
    SYSTEM_EVENTS.find(([beginning]) => beginning.test(kind))?.[1] ??
    `System Hook ${kind}`
  )
}

/** Posts of GitLab. Source: docs/interface/webhooks.md#services. */
export const gitlab = defineIntegration({
  name: 'gitlab',
  displayName: 'GitLab',
  events: EVENTS,
  eventHeader: 'X-Gitlab-Event',
  options: ['branches', 'use_merge_request_title'],
  deliveryId: ({ header }) => header('webhook-id') || header('X-Gitlab-Event-UUID'),
  ...standardOr(secretInHeader('X-Gitlab-Token')),
  read(delivery): Reading {
    const { body, event } = delivery
    const kind = body.firstText('object_kind', 'event_name')
    const hook = event === 'System Hook' ? hookOf(kind) : event
    const name = hook.replace(/^Confidential /, '')
    const read = lookUp(READERS, name)
    const project =
      body.text('project', 'name') || body.text('project_name') || body.text('repository', 'name')
    const user = body.text('user', 'name') || body.text('user_name') || body.text('user', 'username')
    const attributes = body.at('object_attributes')
    return read?.({ delivery, body, attributes, hook, user, project }) ?? { unsupported: hook }
  },
})

function readPush({ delivery, body, user, project }: GitLabEvent): Reading {
  const branch = nameOfRef(body.text('ref'))
  if (isTag(body.text('ref'))) return 'ignore'
  if (!delivery.takesBranch(branch)) return 'ignore'
  const [before, after] = [body.text('before'), body.text('after')]
  const home = body.text('project', 'web_url')
  const isNew = /^0+$/.test(before)
  const isDeleted = /^0+$/.test(after)
  const url = isDeleted
    ? home
    : isNew
      ? `${home}/-/commits/${branch}`
      : `${home}/-/compare/${before}...${after}`
  const text = pushText({
    user,
    branch,
    url: home === '' ? '' : url,
    commits: {
      list: body.list('commits'),
      author: (commit) => commit.text('author', 'name'),
      read: readCommit,
    },
    total: Math.max(body.number('total_commits_count') ?? 0, body.count('commits')),
    isDeleted,
    head: after,
  })
  return { event: 'Push Hook', topic: topicOf(project, branch), text }
}

function readTag({ body, user, project }: GitLabEvent): Reading {
  const tag = nameOfRef(body.text('ref'))
  const home = body.text('project', 'web_url')
  const action = /^0+$/.test(body.text('after')) ? 'removed' : 'pushed'
  const url = action === 'pushed' && home !== '' && tag !== '' ? `${home}/-/tags/${tag}` : ''
  return { event: 'Tag Push Hook', topic: topicOf(project), text: tagText(user, action, tag, url) }
}

function numbered({ delivery }: GitLabEvent, kind: string, thing: Payload): Numbered {
  return {
    kind,
    number: thing.text('iid'),
    title: delivery.hasOwnTopic ? '' : thing.text('title'),
    url: thing.text('url'),
  }
}

function topicOfNumbered({ delivery, project }: GitLabEvent, kind: string, thing: Payload): string {
  const isShort = kind === 'MR' && delivery.options.use_merge_request_title === 'false'
  return numberedTopic(project, {
    kind,
    number: thing.text('iid'),
    title: isShort ? '' : thing.text('title'),
  })
}

function readNumbered(event: GitLabEvent, kind: string): Reading {
  const { body, attributes, hook, user } = event
  const action = attributes.text('action')
  const done = lookUp(ACTIONS, action)
  if (done === undefined) return { unsupported: words(hook, action) }
  const topic = topicOfNumbered(event, kind, attributes)
  const on = numbered(event, kind, attributes)
  const changed = action === 'update' ? changeOf(body, attributes) : undefined
  const isNew = action === 'open'
  const text = numberedText({
    user,
    action: changed ?? done,
    on,
    ...(isNew || action === 'update'
      ? { assignees: body.list('assignees').map((one) => one.firstText('name', 'username')) }
      : {}),
    ...(isNew ? { from: attributes.text('source_branch'), to: attributes.text('target_branch') } : {}),
    ...(isNew || body.has('changes', 'description') ? { body: attributes.text('description') } : {}),
  })
  return { event: `${hook} ${action}`, topic, text }
}

/** Describes an update, if it changed only one thing. */
function changeOf(body: Payload, attributes: Payload): string | undefined {
  if (attributes.has('oldrev')) return `${link('added commit(s)', attributes.text('last_commit', 'url'))} to`
  const labels = labelsOf(body, 'current')
  const before = labelsOf(body, 'previous')
  const added = without(before, labels)
  const removed = without(labels, before)
  if (added.length > 0 && removed.length === 0) return `added ${namesOf(added)} to`
  if (removed.length > 0 && added.length === 0) return `removed ${namesOf(removed)} from`
  return undefined
}

function labelsOf(body: Payload, when: string): string[] {
  return body
    .list('changes', 'labels', when)
    .map((label) => label.text('title'))
    .filter((title) => title.trim() !== '')
}

function without(these: readonly string[], labels: readonly string[]): string[] {
  const known = new Set(these)
  return labels.filter((label) => !known.has(label))
}

const MAX_LABELS = 10

function namesOf(labels: readonly string[]): string {
  return labels.slice(0, MAX_LABELS).map(code).join(', ')
}

function readNote(event: GitLabEvent): Reading {
  const { body, attributes, hook, user, project } = event
  const type = attributes.text('noteable_type')
  const [url, note] = [attributes.text('url'), attributes.text('note')]
  const commented = `${link('commented', url)} on`
  const of = `${hook} ${type}`
  switch (type) {
    case 'Commit': {
      const commit = body.at('commit')
      const action = link('commented', url)
      const text = commitCommentText(user, action, commit.text('id') || 'a commit', commit.text('url'), note)
      return { event: of, topic: topicOf(project), text }
    }
    case 'MergeRequest':
    case 'Issue': {
      const kind = type === 'Issue' ? 'issue' : 'MR'
      const thing = body.at(type === 'Issue' ? 'issue' : 'merge_request')
      const on = { ...numbered(event, kind, thing), url: thing.text('url') || url }
      return {
        event: of,
        topic: topicOfNumbered(event, kind, thing),
        text: numberedText({ user, action: commented, on, body: note }),
      }
    }
    case 'Snippet': {
      const snippet = body.at('snippet')
      const on = {
        kind: 'snippet',
        number: snippet.text('id'),
        title: snippet.text('title'),
        url: snippet.text('url') || url,
      }
      const topic = numberedTopic(project, on)
      return { event: of, topic, text: numberedText({ user, action: commented, on, body: note }) }
    }
    default:
      return { unsupported: words(hook, type) }
  }
}

function readWiki({ attributes, hook, user, project }: GitLabEvent): Reading {
  const action = attributes.text('action')
  const done = lookUp(WIKI, action)
  if (done === undefined) return { unsupported: words(hook, action) }
  const page = link(attributes.text('title') || 'a page', attributes.text('url'))
  const text = statement(words(person(user), done, 'wiki page', page))
  return { event: `${hook} ${action}`, topic: topicOf(project, 'wiki pages'), text }
}
