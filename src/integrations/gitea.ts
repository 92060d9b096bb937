import {
  branchText,
  isBranchLeftOut,
  isTag,
  nameOfRef,
  numberedText,
  numberedTopic,
  pushText,
  releaseText,
  releaseTopic,
  tagText,
  topicOf,
} from './code-host-wording.ts'
import { type Delivery, defineIntegration, type Integration, type Reading } from './integration.ts'
import { code, inWords, link, person, statement, words } from './markdown.ts'
import { lookUp, type Payload } from './payload.ts'
import { signedInHex } from './signatures.ts'

/** A delivery of Gitea or one of its relatives, with what all events have. */
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
    // Gitea and its relatives differ in which of the two they send.
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
  if (isBranchLeftOut(name, delivery.options.branches)) return 'ignore'
  const text = pushText({
    user,
    branch: name,
    url: body.firstText('compare_url', 'compare'),
    commits: body.list('commits').map((commit) => ({
      author: commit.at('author').firstText('username', 'name'),
      sha: commit.text('id'),
      url: commit.text('url'),
      message: commit.text('message'),
    })),
    total: body.number('total_commits') ?? 0,
    isDeleted: /^0+$/.test(body.text('after')),
    head: body.text('after'),
  })
  return say(text, topicOf(repository, name))
}

function readRef({ body, user, say }: GiteaEvent, done: string): Reading {
  return say(branchText(user, done, inWords(body.text('ref_type')) || 'branch', nameOfRef(body.text('ref'))))
}

/** Actions that are said in other words, or that come by the dozen. */
const ACTIONS: Readonly<Record<string, string>> = {
  synchronized: 'updated',
  label_updated: 'changed the labels of',
  label_cleared: 'removed all labels from',
  milestoned: 'added a milestone to',
  demilestoned: 'removed the milestone from',
  review_requested: 'requested a review of',
  review_request_removed: 'withdrew the request for a review of',
}

function readNumbered(
  { delivery, body, user, action, repository, say }: GiteaEvent,
  kind: string,
  thing: Payload,
): Reading {
  const [number, title] = [body.text('number') || thing.text('number'), thing.text('title')]
  const isClosed = action === 'closed' && kind === 'PR'
  const done = isClosed
    ? thing.isTrue('merged')
      ? 'merged'
      : 'closed without merge'
    : (lookUp(ACTIONS, action) ?? (inWords(action) || 'changed'))
  const isNew = action === 'opened'
  const assignees = thing.list('assignees').map(nameOf)
  const text = numberedText({
    user,
    action: done,
    on: { kind, number, title: delivery.hasOwnTopic ? '' : title, url: thing.text('html_url') },
    ...(isNew || action === 'assigned' ? { assignees } : {}),
    ...(isNew ? { from: thing.text('head', 'ref'), to: thing.text('base', 'ref') } : {}),
    ...(isNew || action === 'edited' ? { body: thing.text('body') } : {}),
  })
  return say(text, numberedTopic(repository, { kind, number, title }))
}

function readComment({ delivery, body, user, action, repository, say }: GiteaEvent): Reading {
  const isPull = body.isTrue('is_pull') || body.has('issue', 'pull_request') || !body.has('issue')
  const kind = isPull ? 'PR' : 'issue'
  const thing = body.has('issue') ? body.at('issue') : body.at('pull_request')
  const [number, title] = [thing.text('number'), thing.text('title')]
  const url = body.text('comment', 'html_url')
  const done =
    action === 'created' || action === ''
      ? `${link('commented', url)} on`
      : `${inWords(action)} a ${link('comment', url)} on`
  const text = numberedText({
    user,
    action: done,
    on: { kind, number, title: delivery.hasOwnTopic ? '' : title, url: thing.text('html_url') },
    body: action === 'deleted' ? '' : body.text('comment', 'body'),
  })
  return say(text, numberedTopic(repository, { kind, number, title }))
}

function readReview({ delivery, body, user, repository, say }: GiteaEvent, done: string): Reading {
  const pull = body.at('pull_request')
  const [number, title] = [body.text('number') || pull.text('number'), pull.text('title')]
  const text = numberedText({
    user,
    action: done,
    on: { kind: 'PR', number, title: delivery.hasOwnTopic ? '' : title, url: pull.text('html_url') },
    body: body.text('review', 'content'),
  })
  return say(text, numberedTopic(repository, { kind: 'PR', number, title }))
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
