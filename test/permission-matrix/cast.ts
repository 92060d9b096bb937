/**
 * The actors of the table, the destinations of messages, and the table's words for both. They do not come from the server,
 * since a test compares the table with the server's answers.
 */

/**
 * The actors; each but the last three has one account in the test's organization. The text describes the actor to a reader.
 */
export const ACTORS = {
  owner: 'the owner who founded the organization',
  administrator: 'an administrator',
  moderator: 'a moderator',
  member: 'a full member: their waiting period is over',
  newMember: 'a new member, still in the waiting period',
  guest: 'a guest who is subscribed to nothing',
  keeper: 'the member who created the channel and administers it',
  author:
    'a member, subscribed from the beginning, who wrote the message and owns the thing that the request is about',
  latecomer: 'a member, subscribed after the message was sent',
  'guest inside': 'a guest who is subscribed',
  'own bot': "the author's bot, not subscribed",
  "another's bot": "the full member's bot, not subscribed",
  'former subscriber': 'a member who was subscribed when the message was sent, and has left',
  'former guest': 'a guest who was subscribed when the message was sent, and has left',
  deactivated: 'a member who was subscribed, and has been deactivated',
  'other organization': 'the owner of another organization of the same deployment, with their own key',
  anonymous: 'a caller without a key',
  visitor:
    'a browser without an account (below `/json`, and on the routes outside the API), if deployment and organization let everybody read web-public channels',
} as const
export type Actor = keyof typeof ACTORS
/** All actors except the visitor, who needs a deployment with public reading (docs/public-reading.md). */
export const ACTOR_NAMES = (Object.keys(ACTORS) as Actor[]).filter((actor) => actor !== 'visitor')

/** Actors without an account in the organization. */
export type Stranger = 'other organization' | 'anonymous' | 'visitor'
const OUTSIDE: readonly Actor[] = ['deactivated', 'other organization', 'anonymous']
/** Actors that are not logged in with a browser: bots have none. */
export const WITHOUT_BROWSER: readonly Actor[] = [...OUTSIDE, 'own bot', "another's bot"]
/** Actors with a valid key of the organization. */
export const ACCOUNTS = ACTOR_NAMES.filter((actor) => !OUTSIDE.includes(actor))

/** Destinations that a message may have, and channels that a request may be about. `nowhere` stands for ids and names that do not exist. */
export const DESTINATIONS = {
  public: 'a public channel',
  'web-public':
    'a public channel that is marked for readers without an account, while the deployment allows none (any more)',
  shared: 'a private channel whose whole history all its subscribers may read',
  protected: 'a private channel whose messages only those may read who received them',
  archived: 'a public channel that was archived',
  nowhere: 'ids and names that do not exist',
  direct: 'a direct conversation of the author and the keeper',
  group: 'a direct conversation of the author, the keeper and the guest inside',
} as const
export type Destination = keyof typeof DESTINATIONS

/** The kinds of destinations for which a row's request is made. A row without a kind is about no destination. */
export const DESTINATIONS_OF = {
  channels: ['public', 'web-public', 'shared', 'protected', 'archived', 'nowhere'],
  conversations: ['direct', 'group'],
  messages: ['public', 'web-public', 'shared', 'protected', 'archived', 'nowhere', 'direct', 'group'],
} as const satisfies Record<string, readonly Destination[]>
export type DestinationKind = keyof typeof DESTINATIONS_OF

type Names = readonly Actor[]
const except = (names: Names, all: Names = ACCOUNTS) => all.filter((actor) => !names.includes(actor))

const GUESTS: Names = ['guest', 'guest inside', 'former guest']
const BOTS: Names = ['own bot', "another's bot"]
const MEMBERS = except(GUESTS)
const ADMINISTRATORS: Names = ['owner', 'administrator']
const SUBSCRIBED: Names = ['keeper', 'author', 'latecomer', 'guest inside']
const IN_GROUP: Names = ['keeper', 'author', 'guest inside']
/** Actors who see a public channel: everyone except guests who are not subscribed to it. */
const PUBLIC = except(['guest', 'former guest'])

/** Words for sets of actors that are the same for every destination. */
export const PEOPLE = {
  member: { who: MEMBERS, means: 'not a guest; bots are members' },
  human: { who: except(BOTS), means: 'not a bot' },
  bot: { who: BOTS, means: 'a bot' },
  'full member': {
    who: except(['newMember'], MEMBERS),
    means: 'not a guest, and past the waiting period; moderators and above have none',
  },
  moderator: { who: ['owner', 'administrator', 'moderator'], means: 'moderators and above' },
  administrator: { who: ADMINISTRATORS, means: 'administrators and owners' },
  owner: { who: ['owner'], means: 'owners' },
  'sees the author': {
    who: except(['guest', 'former guest']),
    means: 'sees that the author exists: not a guest, or a guest who shares a conversation with the author',
  },
  author: { who: ['author'], means: 'the author of the message, or the owner of the thing' },
  'own bot': { who: ['own bot'], means: "the author's bot itself" },
  nobody: { who: [], means: 'nobody' },
} as const satisfies Record<string, { who: Names; means: string }>

/** Words for sets of actors that depend on the destination. */
export const BY_DESTINATION = {
  'sees channel': {
    means: 'sees that the channel exists, its settings and its subscribers',
    public: PUBLIC,
    'web-public': ACCOUNTS,
    shared: [...SUBSCRIBED, ...ADMINISTRATORS],
    protected: [...SUBSCRIBED, ...ADMINISTRATORS],
    archived: PUBLIC,
    nowhere: [],
  },
  'reads channel': {
    means: 'may read what is sent there from now on, and may subscribe',
    public: PUBLIC,
    'web-public': ACCOUNTS,
    shared: SUBSCRIBED,
    protected: SUBSCRIBED,
    archived: PUBLIC,
    nowhere: [],
  },
  'reads message': {
    means: "may read the author's message",
    public: PUBLIC,
    'web-public': ACCOUNTS,
    shared: SUBSCRIBED,
    protected: except(['latecomer'], SUBSCRIBED),
    archived: PUBLIC,
    nowhere: [],
    direct: ['keeper', 'author'],
    group: IN_GROUP,
  },
  'received message': {
    means: 'the message was delivered to them, and they may still read it',
    public: [...except(['latecomer'], SUBSCRIBED), 'former subscriber'],
    'web-public': [...except(['latecomer'], SUBSCRIBED), 'former subscriber', 'former guest'],
    shared: except(['latecomer'], SUBSCRIBED),
    protected: except(['latecomer'], SUBSCRIBED),
    archived: [...except(['latecomer'], SUBSCRIBED), 'former subscriber'],
    nowhere: [],
    direct: ['keeper', 'author'],
    group: IN_GROUP,
  },
  subscribed: {
    means: 'subscribed to the channel',
    public: SUBSCRIBED,
    'web-public': SUBSCRIBED,
    shared: SUBSCRIBED,
    protected: SUBSCRIBED,
    archived: SUBSCRIBED,
    nowhere: [],
  },
  'has access': {
    means:
      'may address the channel: subscribed, or a bot whose owner is, or the channel is public and they see it',
    public: PUBLIC,
    'web-public': ACCOUNTS,
    shared: [...SUBSCRIBED, 'own bot'],
    protected: [...SUBSCRIBED, 'own bot'],
    archived: PUBLIC,
    nowhere: [],
    direct: ACCOUNTS,
    group: ACCOUNTS,
  },
  'knows channel': {
    means: 'sees the channel, or may address it as the bot of a subscriber',
    public: PUBLIC,
    'web-public': ACCOUNTS,
    shared: [...SUBSCRIBED, ...ADMINISTRATORS, 'own bot'],
    protected: [...SUBSCRIBED, ...ADMINISTRATORS, 'own bot'],
    archived: PUBLIC,
    nowhere: [],
    direct: ACCOUNTS,
    group: ACCOUNTS,
  },
  'administers channel': {
    means: 'administrators, owners, and those whom the channel names',
    public: [...ADMINISTRATORS, 'keeper'],
    'web-public': [...ADMINISTRATORS, 'keeper'],
    shared: [...ADMINISTRATORS, 'keeper'],
    protected: [...ADMINISTRATORS, 'keeper'],
    archived: [...ADMINISTRATORS, 'keeper'],
    nowhere: [],
  },
} as const satisfies Record<string, { means: string } & Partial<Record<Destination, Names>>>

/** Facts about a destination that do not depend on the caller. */
export const OF_DESTINATION = {
  'in use': { means: 'the channel is not archived', not: ['archived'] },
  'there is one': { means: 'the thing exists', not: ['nowhere'] },
  'there is none': {
    means: 'the thing does not exist',
    not: ['public', 'web-public', 'shared', 'protected', 'archived', 'direct', 'group'],
  },
  'in no private channel': { means: 'the channel is not private', not: ['shared', 'protected'] },
  'open to the web': {
    means: 'everybody may read what is there, if that is allowed',
    not: ['public', 'shared', 'protected', 'archived', 'nowhere', 'direct', 'group'],
  },
  'in a channel': { means: 'the message is in a channel', not: ['direct', 'group'] },
} as const satisfies Record<string, { means: string; not: readonly Destination[] }>

/** Returns whether a word of the table is true of an actor at a destination. Throws for a word that is not defined. */
export function isTrueOf(word: string, actor: Actor, destination: Destination | undefined): boolean {
  const plain = (PEOPLE as Record<string, { who: Names }>)[word]
  if (plain) return plain.who.includes(actor)
  const fact = (OF_DESTINATION as Record<string, { not: readonly Destination[] }>)[word]
  if (fact && destination) return !fact.not.includes(destination)
  const who =
    destination &&
    (BY_DESTINATION as Record<string, Partial<Record<Destination, Names>>>)[word]?.[destination]
  if (!who) throw new Error(`"${word}" means nothing at ${destination ?? 'no destination'}`)
  return who.includes(actor)
}
