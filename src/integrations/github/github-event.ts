import { type Numbered, numberedTopic } from '../code-host-wording.ts'
import type { Delivery, Reading } from '../integration.ts'
import { link, person, statement, words } from '../markdown.ts'
import type { Payload } from '../payload.ts'

/** A delivery of GitHub, with the facts common to most events. */
export interface GitHubEvent {
  readonly body: Payload
  /** The action of most events: `opened`; '' without one. */
  readonly action: string
  /** The account that did it. */
  readonly user: string
  /** Name of the repository without its owner; '' for events of an organization. */
  readonly repository: string
  /** A topic for events without a repository: the organization, or another sender. */
  readonly owner: string
  /** As of a delivery. */
  takesBranch(this: void, branch: string): boolean
  /** Returns the message. By default its topic is the repository, and its event name that of the header. */
  say(this: void, text: string, topic?: string, event?: string): Reading
  /** Says what the account has done; the parts of the sentence follow its name. */
  did(this: void, ...parts: readonly string[]): Reading
  unsupported(this: void): Reading
  /** Returns an issue or a pull request as named in the text: without its title in a topic that has it. */
  numbered(this: void, kind: string, thing: Payload): Numbered
  /** Returns the topic of an issue or a pull request. */
  topicOfNumbered(this: void, kind: string, thing: Payload): string
}

/** How to read an event of the header, and the filter names of the resulting messages. */
export interface Reader {
  readonly events: readonly string[]
  read(github: GitHubEvent): Reading
}

/** The readers, by the event in the header. */
export type Readers = Readonly<Record<string, Reader>>

/** Returns a reader of an event whose filter name is GitHub's. */
export function reader(event: string, read: Reader['read']): Readers {
  return { [event]: { events: [event], read } }
}

/** Returns readers that ignore events: they are too frequent, or other events report the same. */
export function silent(...events: readonly string[]): Readers {
  return Object.fromEntries(events.map((event) => [event, { events: [], read: () => 'ignore' as const }]))
}

export function githubEvent({ body, event, takesBranch, hasOwnTopic }: Delivery): GitHubEvent {
  const action = body.text('action')
  const repository = body.text('repository', 'name')
  const owner = repository || body.text('organization', 'login') || body.text('sender', 'login') || 'GitHub'
  const user = body.text('sender', 'login') || body.text('pusher', 'name')
  const say: GitHubEvent['say'] = (text, topic = owner, name = event) => ({ event: name, topic, text })
  return {
    body,
    action,
    repository,
    owner,
    user,
    takesBranch,
    say,
    did: (...parts) => say(statement(words(person(user), ...parts))),
    unsupported: () => ({ unsupported: action === '' ? event : `${event}:${action}` }),
    numbered: (kind, thing) => ({
      kind,
      number: thing.text('number'),
      title: hasOwnTopic ? '' : thing.text('title'),
      url: thing.text('html_url'),
    }),
    topicOfNumbered: (kind, thing) =>
      numberedTopic(repository, { kind, number: thing.text('number'), title: thing.text('title') }),
  }
}

/** Returns a link to an account, a team or a repository. */
export function linkTo(thing: Payload): string {
  return link(thing.firstText('login', 'full_name', 'name'), thing.text('html_url'))
}
