import {
  commentAction,
  type Numbered,
  numberedText,
  numberedTopic,
  pushText,
  SUBJECT_LENGTH,
  setUpText,
  tagText,
  topicOf,
} from './code-host-wording.ts'
import { type Delivery, defineIntegration, type Reading, type WebhookMessage } from './integration.ts'
import { link, person, statement, words } from './markdown.ts'
import type { Payload } from './payload.ts'
import { signedInHex } from './signatures.ts'

/** A delivery of Bitbucket Data Center, with the facts common to most events. */
interface DataCenterEvent {
  readonly delivery: Delivery
  readonly body: Payload
  readonly user: string
  readonly repository: string
}

/** What happened to a pull request, in words. */
const PULL_REQUESTS: Readonly<Record<string, string>> = {
  'pr:opened': 'created',
  'pr:from_ref_updated': 'added commit(s) to',
  'pr:modified': 'updated',
  'pr:reviewer:updated': 'changed the reviewers of',
  'pr:reviewer:approved': 'approved',
  'pr:reviewer:unapproved': 'unapproved',
  'pr:reviewer:needs_work': 'requested changes on',
  'pr:reviewer:changes_requested': 'requested changes on',
  'pr:merged': 'merged',
  'pr:declined': 'declined',
  'pr:deleted': 'deleted',
}
const COMMENTS: Readonly<Record<string, string>> = {
  'pr:comment:added': 'created',
  'pr:comment:edited': 'edited',
  'pr:comment:deleted': 'deleted',
  'repo:comment:added': 'created',
  'repo:comment:edited': 'edited',
  'repo:comment:deleted': 'deleted',
}
/** The test of a connection. */
const PING = 'diagnostics:ping'

/** Posts of Bitbucket Data Center and Server. Source: docs/interface/webhooks.md#services. */
export const bitbucket3 = defineIntegration({
  name: 'bitbucket3',
  displayName: 'Bitbucket Data Center',
  events: [
    'repo:refs_changed',
    'repo:forked',
    'repo:modified',
    ...Object.keys(PULL_REQUESTS),
    ...Object.keys(COMMENTS),
    PING,
  ],
  eventHeader: 'X-Event-Key',
  options: ['branches'],
  deliveryId: ({ header }) => header('X-Request-Id'),
  ...signedInHex('X-Hub-Signature', 'sha256='),
  read(delivery): Reading {
    const { body, event } = delivery
    const repository = body.has('repository')
      ? body.at('repository')
      : body.at('pullRequest', 'toRef', 'repository')
    const about = {
      delivery,
      body,
      user: body.at('actor').firstText('displayName', 'name'),
      repository: repository.firstText('name', 'slug'),
    }
    if (event === PING) return { event, topic: '', text: setUpText('Bitbucket Data Center') }
    if (event === 'repo:refs_changed') return readPush(about)
    if (Object.hasOwn(PULL_REQUESTS, event)) return readPullRequest(about, PULL_REQUESTS[event]!)
    if (Object.hasOwn(COMMENTS, event)) return readComment(about, COMMENTS[event]!)
    if (event === 'repo:forked' || event === 'repo:modified') {
      const done = event === 'repo:forked' ? 'forked the repository into' : 'changed the repository'
      const named = linkTo(body.at(event === 'repo:forked' ? 'repository' : 'new')) || 'another'
      return {
        event,
        topic: topicOf(about.repository),
        text: statement(words(person(about.user), done, named)),
      }
    }
    return event === 'mirror:repo_synchronized' ? 'ignore' : { unsupported: event }
  },
})

function linkTo(repository: Payload): string {
  return link(repository.firstText('name', 'slug'), addressOf(repository))
}

/** Limit of the branches and tags of a push that are looked at. */
const MAX_CHANGES = 50

/** One push may change several branches and tags: each becomes a message in its own topic. */
function readPush({ delivery, body, user, repository }: DataCenterEvent): Reading {
  const changes = body.firstItems(MAX_CHANGES, 'changes')
  // The address of the repository ends in its list of files.
  const home = addressOf(body.at('repository')).replace(/\/browse$/, '')
  const messages = changes.flatMap((change): WebhookMessage[] => {
    const name = change.text('ref', 'displayId')
    const isDeleted = change.text('type') === 'DELETE'
    const event = delivery.event
    if (change.text('ref', 'type') === 'TAG') {
      return [
        { event, topic: topicOf(repository), text: tagText(user, isDeleted ? 'removed' : 'pushed', name) },
      ]
    }
    if (!delivery.takesBranch(name)) return []
    // Commits are those of the whole push.
    const isOnly = body.count('changes') === 1
    const list = isOnly ? body.list('commits').toReversed() : []
    const compared = `${home}/compare/commits?targetBranch=${change.text('fromHash')}&sourceBranch=${change.text('toHash')}`
    const text = () =>
      pushText({
        user,
        branch: name,
        url: home && (change.text('type') === 'UPDATE' ? compared : `${home}/commits`),
        commits: {
          list,
          author: (commit) => commit.at('author').firstText('displayName', 'name'),
          read: (commit) => ({
            sha: commit.text('id'),
            url: home && `${home}/commits/${commit.text('id')}`,
            message: commit.textUpTo(SUBJECT_LENGTH, 'message'),
          }),
        },
        isDeleted,
        head: change.text('toHash'),
      })
    return [{ event, topic: topicOf(repository, name), text }]
  })
  if (messages.length === 0) return 'ignore'
  return { messages, unread: body.count('changes') - changes.length }
}

function addressOf(thing: Payload): string {
  return thing.text('links', 'self', 0, 'href')
}

function numbered({ delivery, body }: DataCenterEvent): Numbered {
  const pull = body.at('pullRequest')
  const title = delivery.hasOwnTopic ? '' : pull.text('title')
  return { kind: 'PR', number: pull.text('id'), title, url: addressOf(pull) }
}

function topicOfPull({ body, repository }: DataCenterEvent): string {
  const pull = body.at('pullRequest')
  return numberedTopic(repository, { kind: 'PR', number: pull.text('id'), title: pull.text('title') })
}

/** Limit of the reviewers looked at. */
const MAX_REVIEWERS = 20

function readPullRequest(about: DataCenterEvent, action: string): Reading {
  const { delivery, body, user } = about
  const { event } = delivery
  const pull = body.at('pullRequest')
  const isNew = event === 'pr:opened'
  const text = numberedText({
    user,
    action,
    on: numbered(about),
    ...(isNew
      ? {
          assignees: pull
            .firstItems(MAX_REVIEWERS, 'reviewers')
            .map((one) => one.at('user').firstText('displayName', 'name')),
          from: pull.text('fromRef', 'displayId'),
          to: pull.text('toRef', 'displayId'),
          body: pull.text('description'),
        }
      : {}),
    ...(event === 'pr:modified' && body.has('previousDescription') ? { body: pull.text('description') } : {}),
  })
  return { event, topic: topicOfPull(about), text }
}

function readComment(about: DataCenterEvent, done: string): Reading {
  const { delivery, body, user, repository } = about
  const { event } = delivery
  const said = done === 'deleted' ? '' : body.text('comment', 'text')
  const url = addressOf(body.at('comment'))
  if (event.startsWith('pr:')) {
    const text = numberedText({ user, action: commentAction(done, url), on: numbered(about), body: said })
    return { event, topic: topicOfPull(about), text }
  }
  const on = { kind: 'commit', number: '', title: body.text('commit').slice(0, 7), url: '' }
  const text = numberedText({ user, action: commentAction(done, url), on, body: said })
  return { event, topic: topicOf(repository), text }
}
