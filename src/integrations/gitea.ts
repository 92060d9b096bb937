import {
  branchText,
  isTag,
  type NumberedChange,
  nameOfRef,
  numberedText,
  numberedTopic,
  pushText,
  readCommit,
  releaseText,
  releaseTopic,
  tagText,
  topicOf,
} from './code-host-wording.ts'
import { type Delivery, defineIntegration, type Integration, type Reading } from './integration.ts'
import { code, inWords, link, person, statement, words } from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { signedInHex } from './signatures.ts'

/** A delivery of Gitea or a relative, with the facts common to all events. */
interface GiteaEvent {
  readonly delivery: Delivery
  readonly body: Payload
  readonly action: string
  readonly user: string
  readonly repository: string
  say(this: void, text: string, topic?: string): Reading
}

const READERS: Readonly<Record<string, (event: GiteaEvent) => Reading>> = {
  push: readPush,
  create: (event) => readRef(event, 'created'),
  delete: (event) => readRef(event, 'deleted'),
  pull_request: (event) => readNumbered(event, 'PR', event.body.at('pull_request')),
  issues: (event) => readNumbered(event, 'issue', event.body.at('issue')),
  issue_comment: readComment,
  pull_request_comment: readComment,
  pull_request_approved: (event) => readReview(event, 'approved'),
  pull_request_rejected: (event) => readReview(event, 'requested changes on'),
  release: readRelease,
  fork: ({ body, user, say }) =>
    say(statement(words(person(user), 'forked', linkToRepository(body.at('forkee'))))),
  repository: ({ body, user, action, say }) =>
    say(
      statement(
        words(
          person(user),
          inWords(action) || 'changed',
          'the repository',
          linkToRepository(body.at('repository')),
        ),
      ),
    ),
  wiki: ({ body, user, action, repository, say }) =>
    say(
      statement(words(person(user), inWords(action) || 'changed', 'the wiki page', code(body.text('page')))),
      topicOf(repository, 'wiki pages'),
    ),
}

const signedLikeGitHub = signedInHex('X-Hub-Signature-256', 'sha256=')

const giteaLike = (name: string, displayName: string, header: string): Integration => {
  const signed = signedInHex(`X-${header}-Signature`)
  return defineIntegration({
    name,
    displayName,
    events: Object.keys(READERS),
    eventHeader: `X-${header}-Event`,
    options: ['branches'],
    deliveryId: (delivery) => delivery.header(`X-${header}-Delivery`),
    // Gitea and its relatives differ in which of the two headers they send.
    verify: (delivery, secret) =>
      signed.verify(delivery, secret) || signedLikeGitHub.verify(delivery, secret),
    sign: signed.sign,
    read: (delivery) => read(delivery),
  })
}

/** Posts of Gitea, Forgejo and Gogs. Source: docs/interface/webhooks.md#services. */
export const gitea = giteaLike('gitea', 'Gitea', 'Gitea')
export const forgejo = giteaLike('forgejo', 'Forgejo', 'Forgejo')
export const gogs = giteaLike('gogs', 'Gogs', 'Gogs')

function read(delivery: Delivery): Reading {
  const { body, event } = delivery
  const reader = lookUp(READERS, event)
  const repository = body.text('repository', 'name')
  const topic = repository || body.text('organization', 'username')
  return (
    reader?.({
      delivery,
      body,
      action: body.text('action'),
      user: nameOf(body.at('sender')) || nameOf(body.at('pusher')),
      repository,
      say: (text, own = topic) => ({ event, topic: own, text }),
    }) ?? { unsupported: event }
  )
}

function nameOf(account: Payload): string {
  return account.firstText('username', 'login', 'full_name')
}

function linkToRepository(repository: Payload): string {
  return link(repository.firstText('full_name', 'name'), repository.text('html_url'))
}

function readPush({ delivery, body, user, repository, say }: GiteaEvent): Reading {
  const ref = body.text('ref')
  const name = nameOfRef(ref)
  if (isTag(ref)) return say(tagText(user, 'pushed', name))
  if (!delivery.takesBranch(name)) return 'ignore'
  const text = pushText({
    user,
    branch: name,
    url: body.firstText('compare_url', 'compare'),
    commits: {
      list: body.list('commits'),
      author: (commit) => commit.at('author').firstText('username', 'name'),
      read: readCommit,
    },
    total: Math.max(body.number('total_commits') ?? 0, body.count('commits')),
    isDeleted: /^0+$/.test(body.text('after')),
    head: body.text('after'),
  })
  return say(text, topicOf(repository, name))
}

function readRef({ body, user, say }: GiteaEvent, done: string): Reading {
  return say(branchText(user, done, inWords(body.text('ref_type')) || 'branch', nameOfRef(body.text('ref'))))
}

/** Actions with other words, or too frequent for messages. */
const ACTIONS: Readonly<Record<string, string>> = {
  synchronized: 'updated',
  label_updated: 'changed the labels of',
  label_cleared: 'removed all labels from',
  milestoned: 'added a milestone to',
  demilestoned: 'removed the milestone from',
  review_requested: 'requested a review of',
  review_request_removed: 'withdrew the request for a review of',
}

/** Reports an action on an issue or a pull request, in its own topic. */
function sayOn(
  { delivery, body, user, repository, say }: GiteaEvent,
  kind: string,
  thing: Payload,
  change: Omit<NumberedChange, 'user' | 'on'>,
): Reading {
  const [number, title] = [thing.text('number') || body.text('number'), thing.text('title')]
  const on = { kind, number, title: delivery.hasOwnTopic ? '' : title, url: thing.text('html_url') }
  return say(numberedText({ ...change, user, on }), numberedTopic(repository, { kind, number, title }))
}

function readNumbered(event: GiteaEvent, kind: string, thing: Payload): Reading {
  const { action } = event
  const isClosed = action === 'closed' && kind === 'PR'
  const done = isClosed
    ? thing.isTrue('merged')
      ? 'merged'
      : 'closed without merge'
    : (lookUp(ACTIONS, action) ?? (inWords(action) || 'changed'))
  const isNew = action === 'opened'
  const assignees = thing.list('assignees').map(nameOf)
  return sayOn(event, kind, thing, {
    action: done,
    ...(isNew || action === 'assigned' ? { assignees } : {}),
    ...(isNew ? { from: thing.text('head', 'ref'), to: thing.text('base', 'ref') } : {}),
    ...(isNew || action === 'edited' ? { body: thing.text('body') } : {}),
  })
}

function readComment(event: GiteaEvent): Reading {
  const { body, action } = event
  const isPull = body.isTrue('is_pull') || body.has('issue', 'pull_request') || !body.has('issue')
  const kind = isPull ? 'PR' : 'issue'
  const thing = body.has('issue') ? body.at('issue') : body.at('pull_request')
  const url = body.text('comment', 'html_url')
  const done =
    action === 'created' || action === ''
      ? `${link('commented', url)} on`
      : `${inWords(action)} a ${link('comment', url)} on`
  return sayOn(event, kind, thing, {
    action: done,
    body: action === 'deleted' ? '' : body.text('comment', 'body'),
  })
}

function readReview(event: GiteaEvent, action: string): Reading {
  const { body } = event
  return sayOn(event, 'PR', body.at('pull_request'), { action, body: body.text('review', 'content') })
}

function readRelease({ body, user, action, repository, say }: GiteaEvent): Reading {
  const release = body.at('release')
  const [name, tag] = [release.text('name'), release.text('tag_name')]
  const text = releaseText(
    user,
    inWords(action) || 'changed',
    name,
    release.firstText('html_url', 'url'),
    tag,
  )
  return say(text, releaseTopic(repository, tag, name))
}
