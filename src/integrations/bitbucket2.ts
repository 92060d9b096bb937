import {
  commitCommentText,
  type Numbered,
  numberedText,
  numberedTopic,
  pushText,
  SUBJECT_LENGTH,
  shortSha,
  tagText,
  topicOf,
} from './code-host-wording.ts'
import { type Delivery, defineIntegration, type Reading, type WebhookMessage } from './integration.ts'
import { inWords, link, person, quote, statement, words } from './markdown.ts'
import type { Payload } from './payload.ts'
import { signedInHex } from './signatures.ts'

/** A delivery of Bitbucket, with the facts common to most events. */
interface BitbucketEvent {
  readonly delivery: Delivery
  readonly body: Payload
  readonly user: string
  readonly repository: string
}

/** What happened to a pull request, in words. */
const PULL_REQUESTS: Readonly<Record<string, string>> = {
  'pullrequest:created': 'created',
  'pullrequest:updated': 'updated',
  'pullrequest:approved': 'approved',
  'pullrequest:unapproved': 'unapproved',
  'pullrequest:changes_request_created': 'requested changes on',
  'pullrequest:changes_request_removed': 'withdrew the requested changes on',
  'pullrequest:fulfilled': 'merged',
  'pullrequest:rejected': 'rejected',
}

const COMMENTS: Readonly<Record<string, string>> = {
  'pullrequest:comment_created': '',
  'pullrequest:comment_updated': 'updated',
  'pullrequest:comment_deleted': 'deleted',
}

const EVENTS = [
  'push',
  'repo:fork',
  'repo:updated',
  'repo:commit_comment_created',
  'repo:commit_status_created',
  'repo:commit_status_updated',
  'issue:created',
  'issue:updated',
  'issue:comment_created',
  ...Object.keys(PULL_REQUESTS),
  ...Object.keys(COMMENTS),
]

/** Posts of Bitbucket Cloud. Source: docs/interface/webhooks.md#services. */
export const bitbucket2 = defineIntegration({
  name: 'bitbucket2',
  displayName: 'Bitbucket',
  events: EVENTS,
  eventHeader: 'X-Event-Key',
  options: ['branches'],
  deliveryId: ({ header }) => header('X-Request-UUID'),
  ...signedInHex('X-Hub-Signature', 'sha256='),
  read(delivery): Reading {
    const { body, event } = delivery
    const bitbucket = {
      delivery,
      body,
      user: nameOf(body.at('actor')),
      repository: body.at('repository').firstText('name', 'full_name'),
    }
    if (Object.hasOwn(PULL_REQUESTS, event)) return readPullRequest(bitbucket, PULL_REQUESTS[event]!)
    if (Object.hasOwn(COMMENTS, event))
      return readComment(bitbucket, 'PR', body.at('pullrequest'), COMMENTS[event]!)
    switch (event) {
      case 'repo:push':
        return readPush(bitbucket)
      case 'issue:created':
      case 'issue:updated':
        return readIssue(bitbucket, event)
      case 'issue:comment_created':
        return readComment(bitbucket, 'issue', body.at('issue'), '')
      case 'repo:commit_comment_created':
        return readCommitComment(bitbucket)
      case 'repo:commit_status_created':
      case 'repo:commit_status_updated':
        return readStatus(bitbucket)
      case 'repo:fork': {
        const text = statement(
          words(person(bitbucket.user), 'forked the repository into', linkTo(body.at('fork')) || 'another'),
        )
        return { event, topic: topicOf(bitbucket.repository), text }
      }
      case 'repo:updated': {
        const text = statement(
          words(person(bitbucket.user), 'changed the repository', linkTo(body.at('repository'))),
        )
        return { event, topic: topicOf(bitbucket.repository), text }
      }
      default:
        return { unsupported: event }
    }
  },
})

function nameOf(account: Payload): string {
  return account.firstText('display_name', 'nickname', 'username')
}

function linkTo(repository: Payload): string {
  return link(repository.firstText('full_name', 'name'), addressOf(repository))
}

function addressOf(thing: Payload): string {
  return thing.text('links', 'html', 'href')
}

/** Limit of the branches and tags of a push that are looked at. */
const MAX_CHANGES = 50

/** One push may change several branches and tags: each becomes a message in its own topic. */
function readPush({ delivery, body, user, repository }: BitbucketEvent): Reading {
  const changes = body.firstItems(MAX_CHANGES, 'push', 'changes')
  const messages = changes.flatMap((change): WebhookMessage[] => {
    const isDeleted = change.isTrue('closed') || !change.has('new')
    const ref = isDeleted ? change.at('old') : change.at('new')
    const name = ref.text('name')
    if (ref.text('type').endsWith('tag')) {
      const text = () =>
        tagText(user, isDeleted ? 'removed' : 'pushed', name, isDeleted ? '' : addressOf(ref))
      return [{ event: 'push', topic: topicOf(repository), text }]
    }
    if (!delivery.takesBranch(name)) return []
    const text = () => branchPushText(user, name, change, isDeleted)
    return [{ event: 'push', topic: topicOf(repository, name), text }]
  })
  if (messages.length === 0) return 'ignore'
  return { messages, unread: body.count('push', 'changes') - changes.length }
}

function branchPushText(user: string, branch: string, change: Payload, isDeleted: boolean): string {
  const total = change.count('commits')
  return pushText({
    user,
    branch,
    url: change.text('links', 'html', 'href') || addressOf(change.at(isDeleted ? 'old' : 'new')),
    commits: {
      // Newest first.
      list: change.list('commits').toReversed(),
      author: (commit) =>
        nameOf(commit.at('author', 'user')) || commit.text('author', 'raw').split('<', 1)[0]!.trim(),
      read: (commit) => ({
        sha: commit.text('hash'),
        url: addressOf(commit),
        message: commit.textUpTo(SUBJECT_LENGTH, 'message'),
      }),
    },
    total: change.isTrue('truncated') ? total + 1 : total,
    isForced: change.isTrue('forced') && !isDeleted,
    isDeleted,
    head: change.text('new', 'target', 'hash'),
  })
}

function numbered({ delivery }: BitbucketEvent, kind: string, thing: Payload): Numbered {
  const title = delivery.hasOwnTopic ? '' : thing.text('title')
  return { kind, number: thing.text('id'), title, url: addressOf(thing) }
}

function topicOfNumbered({ repository }: BitbucketEvent, kind: string, thing: Payload): string {
  return numberedTopic(repository, { kind, number: thing.text('id'), title: thing.text('title') })
}

function readPullRequest(bitbucket: BitbucketEvent, action: string): Reading {
  const { delivery, body, user } = bitbucket
  const pull = body.at('pullrequest')
  const isNew = delivery.event === 'pullrequest:created'
  const text = numberedText({
    user,
    action,
    on: numbered(bitbucket, 'PR', pull),
    ...(isNew
      ? {
          assignees: pull.list('reviewers').map(nameOf),
          from: pull.text('source', 'branch', 'name'),
          to: pull.text('destination', 'branch', 'name'),
          body: pull.text('description'),
        }
      : {}),
    ...(delivery.event === 'pullrequest:rejected' ? { body: pull.text('reason') } : {}),
  })
  return { event: delivery.event, topic: topicOfNumbered(bitbucket, 'PR', pull), text }
}

function readComment(bitbucket: BitbucketEvent, kind: string, thing: Payload, changed: string): Reading {
  const { delivery, body, user } = bitbucket
  const url = addressOf(body.at('comment'))
  const text = numberedText({
    user,
    action: changed === '' ? `${link('commented', url)} on` : `${changed} a ${link('comment', url)} on`,
    on: numbered(bitbucket, kind, thing),
    body: changed === 'deleted' ? '' : body.text('comment', 'content', 'raw'),
  })
  return { event: delivery.event, topic: topicOfNumbered(bitbucket, kind, thing), text }
}

function readIssue(bitbucket: BitbucketEvent, event: string): Reading {
  const { body, user } = bitbucket
  const issue = body.at('issue')
  const isNew = event === 'issue:created'
  const status = body.text('changes', 'status', 'new')
  const text = numberedText({
    user,
    action: isNew ? 'created' : 'updated',
    on: numbered(bitbucket, 'issue', issue),
    assignees: [nameOf(issue.at('assignee'))],
    ...(isNew || status === '' ? {} : { more: `to ${inWords(status)}` }),
    ...(isNew ? { body: issue.text('content', 'raw') } : {}),
  })
  return { event, topic: topicOfNumbered(bitbucket, 'issue', issue), text }
}

function readCommitComment({ delivery, body, user, repository }: BitbucketEvent): Reading {
  const [commit, comment] = [body.at('commit'), body.at('comment')]
  const action = link('commented', addressOf(comment))
  const sha = commit.text('hash') || 'a commit'
  const text = commitCommentText(user, action, sha, addressOf(commit), comment.text('content', 'raw'))
  return { event: delivery.event, topic: topicOf(repository), text }
}

function readStatus({ delivery, body, repository }: BitbucketEvent): Reading {
  const status = body.at('commit_status')
  const name = link(status.firstText('name', 'key') || 'A check', status.text('url'))
  const sha = status.text('commit', 'hash')
  const commit = link(shortSha(sha), addressOf(status.at('commit')))
  const state = inWords(status.text('state').toLowerCase()) || 'unknown'
  const text = statement(
    words(name, 'has the status', state, commit && `for ${commit}`),
    quote(status.text('description')),
  )
  return { event: delivery.event, topic: topicOf(repository), text }
}
