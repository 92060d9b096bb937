/**
 * The organization of a test file: its people by role, and its channels by subscribers.
 *
 *     const { realm, ann, guest, plans } = useRealm(
 *       { ann: 'member', guest: 'guest' },
 *       { channels: { plans: ['ann', 'guest'] } },
 *     )
 *
 * One organization serves all tests of the file (`useRealm`), or each test has its own (`useRealmPerTest`). A second
 * call gives a second organization: `const { owner: stranger } = useRealm()`. A test that closes, fills or counts an organization makes its
 * own with `await buildRealm(…)` and the same arguments. `usePerTest` makes new people and channels for each test in the organization of the
 * file. Hooks of tests make none of these themselves
 * (test/house/hooks.test.ts).
 */

import { beforeAll, beforeEach } from 'vitest'
import type { ParameterValue } from './api.ts'
import {
  buildChannel,
  buildUsers,
  createBot,
  createRealm,
  expectSuccess,
  type RealmOptions,
  type TestChannel,
  type TestRealm,
  type TestUser,
  type UserOptions,
} from './factories.ts'

const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

const NOBODY: Readonly<Record<never, Person>> = {}

type Role = keyof typeof ROLES

/**
 * A role, or a role with other properties of the account, or a bot of a person who is named before it. The full name is made
 * from the key unless it is given: the name of `ann` is Ann.
 */
export type Person =
  | Role
  | ({ readonly role?: Role } & Omit<UserOptions, 'role'>)
  | { readonly botOf: string; readonly name?: string }

/**
 * The subscribers, the first of whom creates the channel, or subscribers with settings. The channel's name is its key
 * unless it is given.
 */
export type Channel<Names extends string> =
  | readonly (Names | 'owner')[]
  | {
      readonly subscribers: readonly (Names | 'owner')[]
      readonly name?: string
      readonly [setting: string]: unknown
    }

export interface Facts<Names extends string, Channels extends string> extends RealmOptions {
  readonly channels?: Readonly<Record<Channels, Channel<NoInfer<Names>>>>
  /** Settings of the organization, made before it has people. */
  readonly settings?: Readonly<Record<string, ParameterValue>>
  /** Initial settings of the people's accounts. */
  readonly userDefaults?: Readonly<Record<string, ParameterValue>>
}

/** The organization, its owner (who is not among the people), and all people and channels by their keys. */
export type Organization<Names extends string, Channels extends string> = {
  readonly realm: TestRealm
  readonly owner: TestUser
} & Readonly<Record<Names, TestUser>> &
  Readonly<Record<Channels, TestChannel>>

/** Builds one organization for all tests of the file, or of the `describe` in which this is called. */
export function useRealm<Names extends string = never, Channels extends string = never>(
  people: Readonly<Record<Names, Person>> = NOBODY as Readonly<Record<Names, Person>>,
  facts: Facts<Names, Channels> = {},
): Organization<Names, Channels> {
  const { promised, fill } = promiseAll<Organization<Names, Channels>>(keysOf(people, facts.channels))
  beforeAll(async () => fill(await buildRealm(people, facts)))
  return promised
}

/** Builds an organization for each test, for tests that would affect the next. */
export function useRealmPerTest<Names extends string = never, Channels extends string = never>(
  people: Readonly<Record<Names, Person>> = NOBODY as Readonly<Record<Names, Person>>,
  facts: Facts<Names, Channels> = {},
): Organization<Names, Channels> {
  const { promised, fill } = promiseAll<Organization<Names, Channels>>(keysOf(people, facts.channels))
  beforeEach(async () => fill(await buildRealm(people, facts)))
  return promised
}

/**
 * Builds people and channels for each test in the organization of the file. Subscribers of the channels may be people of the
 * organization too. Each channel has a name of its own.
 */
export function usePerTest<
  Known extends { readonly realm: TestRealm },
  Names extends string = never,
  Channels extends string = never,
>(
  organization: Known,
  people: Readonly<Record<Names, Person>> = NOBODY as Readonly<Record<Names, Person>>,
  channels?: Readonly<Record<Channels, Channel<NoInfer<Names> | Extract<keyof Known, string>>>>,
): Readonly<Record<Names, TestUser>> & Readonly<Record<Channels, TestChannel>> {
  type Built = Readonly<Record<Names, TestUser>> & Readonly<Record<Channels, TestChannel>>
  const { promised, fill } = promiseAll<Built>([...Object.keys(people), ...Object.keys(channels ?? {})])
  beforeEach(async () => {
    const { realm } = organization
    const known = { owner: realm.owner, ...Object.fromEntries(Object.entries(organization)) }
    const users = { ...known, ...(await buildPeople(realm, people, known)) }
    fill({ ...users, ...(await buildChannels(users, channels ?? {})) })
  })
  return promised
}

/** Builds an organization for the test that calls it. */
export async function buildRealm<Names extends string = never, Channels extends string = never>(
  people: Readonly<Record<Names, Person>> = NOBODY as Readonly<Record<Names, Person>>,
  { channels, settings, userDefaults, ...options }: Facts<Names, Channels> = {},
): Promise<Organization<Names, Channels>> {
  const realm = await createRealm(options)
  if (settings) expectSuccess(await realm.owner.api.patch('/realm', settings))
  if (userDefaults) expectSuccess(await realm.owner.api.patch('/realm/user_settings_defaults', userDefaults))
  const { owner } = realm
  const users = { owner, ...(await buildPeople(realm, people, { owner })) }
  const named = Object.entries<Channel<string>>(channels ?? {}).map(([key, channel]) => [
    key,
    { name: key, ...factsOf(channel) },
  ])
  return { ...users, ...(await buildChannels(users, Object.fromEntries(named))), realm } as Organization<
    Names,
    Channels
  >
}

/** Builds accounts, and then bots, by their keys. Bots may belong to existing people (`known`). */
async function buildPeople(
  realm: TestRealm,
  people: Readonly<Record<string, Person>>,
  known: Readonly<Record<string, TestUser>>,
): Promise<Record<string, TestUser>> {
  const accounts: (UserOptions & { readonly key: string })[] = []
  const bots: { readonly key: string; readonly name: string; readonly botOf: string }[] = []
  for (const [key, person] of Object.entries(people)) {
    const name = capitalized(key)
    if (typeof person === 'string') accounts.push({ key, name, role: ROLES[person] })
    else if ('botOf' in person) bots.push({ key, name, ...person })
    else accounts.push({ key, name, ...person, role: ROLES[person.role ?? 'member'] })
  }
  const built = await buildUsers(realm, accounts)
  const users = Object.fromEntries(accounts.map(({ key }, index) => [key, built[index]!]))
  for (const { key, name, botOf } of bots) {
    users[key] = await createBot(users[botOf] ?? known[botOf]!, name)
  }
  return users
}

async function buildChannels(
  users: Readonly<Record<string, TestUser>>,
  channels: Readonly<Record<string, Channel<string>>>,
): Promise<Record<string, TestChannel>> {
  const built: Record<string, TestChannel> = {}
  for (const [key, channel] of Object.entries(channels)) {
    const { subscribers, ...settings } = factsOf(channel)
    const subscribed = subscribers.map((name) => users[name]!)
    built[key] = await buildChannel(subscribed, settings)
  }
  return built
}

function factsOf(channel: Channel<string>): Exclude<Channel<string>, readonly string[]> {
  return 'subscribers' in channel ? channel : { subscribers: channel }
}

function keysOf(people: object, channels: object = {}): string[] {
  return ['realm', 'owner', ...Object.keys(people), ...Object.keys(channels)]
}

/** Returns empty objects that tests can refer to, and the function that fills them. */
function promiseAll<Things extends object>(
  keys: readonly string[],
): { promised: Things; fill: (things: object) => void } {
  const promised: Record<string, object> = Object.fromEntries(keys.map((key) => [key, promise(key)]))
  const fill = (things: object) => {
    for (const [key, thing] of Object.entries<object>({ ...things })) {
      const target = promised[key]
      if (!target) continue
      for (const property of PROPERTIES) Reflect.deleteProperty(target, property)
      Object.assign(target, thing)
    }
    if (promised.realm) Object.assign(promised.realm, { owner: promised.owner })
  }
  return { promised: promised as Things, fill }
}

/** Names of the properties of realms, users and channels; each of these has some of them. */
const PROPERTIES = ['id', 'host', 'owner', 'anonymous', 'email', 'fullName', 'apiKey', 'api', 'name']

/** Returns an object whose properties throw until it is filled. */
function promise(key: string): object {
  const tooEarly = {
    get: () => {
      throw new Error(`${key} is there when the tests run, not when the file is loaded`)
    },
    enumerable: true,
    configurable: true,
  }
  return Object.defineProperties({}, Object.fromEntries(PROPERTIES.map((property) => [property, tooEarly])))
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
