/**
 * Topics and texts for code hosts: the same for all of them, and as on the public server, so that people moving from there recognize
 * them. Missing parts are left out of a sentence.
 */
import {
  andMore,
  bullets,
  code,
  count,
  enumeration,
  firstLine,
  inLines,
  link,
  oneLine,
  person,
  plain,
  quote,
  statement,
  words,
} from './markdown.ts'
import type { Payload } from './payload.ts'

/** Limit of the commits listed in a message. */
const MAX_COMMITS = 20
/** Limit of the committers named. */
const MAX_COMMITTERS = 3
/** Limit of the assignees looked at, of whom `enumeration` names the first. */
const MAX_ASSIGNEES = 20
/** Limit of the beginning of a commit's message in which its first line is. */
export const SUBJECT_LENGTH = 1_000
const SHORT_SHA = 7

export interface Commit {
  readonly sha: string
  readonly url: string
  readonly message: string
}

/** The commits of a payload, oldest first. All of their authors are counted, but only the first commits are read further. */
export interface Commits {
  readonly list: readonly Payload[]
  author(this: void, commit: Payload): string
  read(this: void, commit: Payload): Commit
}

/** A numbered thing with a title that people discuss: an issue, or a proposed change. */
export interface Numbered {
  /** `PR`, `MR`, `issue`. */
  readonly kind: string
  /** '' without one. */
  readonly number: string
  /** '' if the text should not repeat it. */
  readonly title: string
  readonly url: string
}

// Topics

/** Returns a topic of the non-empty parts: `repository / branch`. */
export function topicOf(...parts: readonly string[]): string {
  return parts
    .map((part) => oneLine(part))
    .filter((part) => part !== '')
    .join(' / ')
}

export function numberedTopic(repository: string, { kind, number, title }: Omit<Numbered, 'url'>): string {
  return topicOf(repository, words(kind, number && `#${number}`, oneLine(title)))
}

export function releaseTopic(repository: string, tag: string, title: string): string {
  return topicOf(repository, words(tag, title === tag ? '' : title))
}

// Branches

/** Returns the name of a branch or tag: `main` of `refs/heads/main`. */
export function nameOfRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '')
}

export function isTag(ref: string): boolean {
  return ref.startsWith('refs/tags/')
}

export function shortSha(sha: string): string {
  return sha.slice(0, SHORT_SHA)
}

// Pushes

export interface Push {
  readonly user: string
  readonly branch: string
  /** The address of the comparison; '' without one. */
  readonly url: string
  readonly commits: Commits
  /** The number of all commits, which may exceed those in the payload. */
  readonly total?: number
  readonly isForced?: boolean
  readonly isDeleted?: boolean
  /** Id of the newest commit. */
  readonly head: string
}

/** Reads a commit with the keys that most code hosts have. */
export function readCommit(commit: Payload): Commit {
  return {
    sha: commit.text('id'),
    url: commit.text('url'),
    message: commit.textUpTo(SUBJECT_LENGTH, 'message'),
  }
}

export function pushText(push: Push): string {
  const { user, branch, url, commits } = push
  const who = person(user)
  if (push.isDeleted) return statement(words(who, link('deleted', url), 'the branch', plain(branch)))
  if (push.isForced) {
    const text = words(who, link('force pushed', url), branch && `to branch ${plain(branch)}`)
    return words(`${text}.`, push.head && `Head is now ${plain(shortSha(push.head))}.`)
  }
  const total = Math.max(push.total ?? 0, commits.list.length)
  if (total === 0) return statement(words(who, link('pushed', url), 'the branch', plain(branch)))
  const text = words(who, link('pushed', url), count(total, 'commit'), branch && `to branch ${plain(branch)}`)
  return `${words(`${text}.`, committersOf(user, commits))}\n\n${listed(commits, total)}`.trim()
}

/** Names the committers, unless the pusher made all commits. */
function committersOf(user: string, { list, author }: Commits): string {
  const byName = Map.groupBy(list, author)
  const counted = Array.from(byName, ([name, { length }]) => ({ name, commits: length })).sort(
    (a, b) => b.commits - a.commits || (a.name < b.name ? -1 : 1),
  )
  if (counted.every(({ name }) => name === user || name === '')) return ''
  const others = counted.slice(MAX_COMMITTERS).reduce((sum, one) => sum + one.commits, 0)
  const shown = counted.slice(0, MAX_COMMITTERS).map((one) => `${person(one.name)} (${one.commits})`)
  return `Commits by ${enumeration(others > 0 ? [...shown, `others (${others})`] : shown)}.`
}

function listed({ list, read }: Commits, total: number): string {
  const shown = list.slice(0, MAX_COMMITS)
  const items = shown.map((commit) => {
    const { message, sha, url } = read(commit)
    const subject = plain(firstLine(message))
    const id = link(shortSha(sha), url)
    return words(subject || 'no message', id && `(${id})`)
  })
  const more = total - shown.length
  return inLines(
    bullets(items),
    more > 0 ? andMore(`and ${more} more commit(s)`, `[and ${more} more commit(s)]`) : '',
  )
}

/** `action`: pushed, removed. */
export function tagText(user: string, action: string, tag: string, url = ''): string {
  return statement(words(person(user), action, 'tag', link(tag, url)))
}

/** `action`: created, deleted. */
export function branchText(user: string, action: string, kind: string, name: string): string {
  return statement(words(person(user), action, kind, plain(name)))
}

// Changes and issues

/** Returns the link to a numbered thing, as its name. */
export function linkToNumbered({ kind, number, title, url }: Numbered): string {
  return link(words(kind, number && `#${number}`, oneLine(title)), url)
}

export interface NumberedChange {
  readonly user: string
  /** Markdown: the action, placed before the thing: `opened`, `added the bug label to`. */
  readonly action: string
  readonly on: Numbered
  readonly assignees?: readonly string[]
  /** The branches of a proposed change. */
  readonly from?: string
  readonly to?: string
  /** Further words, in Markdown, at the end of the sentence. */
  readonly more?: string
  /** The written text, in Markdown. */
  readonly body?: string
}

export function numberedText({
  user,
  action,
  on,
  assignees = [],
  from,
  to,
  more = '',
  body = '',
}: NumberedChange): string {
  const assigned = enumeration(
    assignees
      .filter((name) => name !== '')
      .slice(0, MAX_ASSIGNEES)
      .map(plain),
  )
  return statement(
    words(
      person(user),
      action,
      linkToNumbered(on),
      assigned && `(assigned to ${assigned})`,
      from && to ? `from ${code(from)} to ${code(to)}` : '',
      more,
    ),
    quote(body),
  )
}

/** Returns the words for an action on a comment, as an action of `numberedText`. */
export function commentAction(action: string, url: string, comment = 'comment'): string {
  if (action === 'created') return `${link('commented', url)} on`
  return `${plain(action) || 'changed'} a ${link(comment, url)} on`
}

export function commitCommentText(
  user: string,
  action: string,
  sha: string,
  url: string,
  body: string,
): string {
  return statement(words(person(user), action, 'on', link(shortSha(sha), url)), quote(body))
}

// Others

export function releaseText(user: string, action: string, name: string, url: string, tag: string): string {
  return statement(
    words(person(user), plain(action), 'release', link(name || tag, url), tag && `for tag ${plain(tag)}`),
  )
}

export function setUpText(integration: string, user = ''): string {
  return statement(
    words(integration, 'webhook has been successfully configured', user && `by ${plain(user)}`),
  )
}
