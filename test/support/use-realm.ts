/**
 * The organization of a test file: its people by role, and its channels by subscribers.
 *
 *     const { realm, ann, guest, plans } = useRealm(
 *       { ann: 'member', guest: 'guest' },
 *       { channels: { plans: ['ann', 'guest'] } },
 *     )
 *
 * One organization serves all tests of the file (`useRealm`), or each test has its own (`useRealmPerTest`). A second
 * call gives a second organization: `const { owner: stranger } = useRealm()`. A test that needs one to itself, since it
 * closes it, fills it or counts in it, says `await buildRealm(…)` with the same arguments.
 */

import { beforeAll, beforeEach } from 'vitest'
import type { ParameterValue } from './api.ts'
import {
  buildChannel,
  buildUsers,
  expectSuccess,
  foundRealm,
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
 * A role, or a role with other properties of the account. The full name is made from the key unless it is given: `ann` is
 * called Ann.
 */
export type Person = Role | ({ readonly role?: Role } & Omit<UserOptions, 'role'>)

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
  /** Settings that the people's accounts begin with. */
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
  const { organization, fill } = promisedOrganization(people, facts)
  beforeAll(fill)
  return organization
}

/** Builds an organization for each test, where a test changes what the next one would find. */
export function useRealmPerTest<Names extends string = never, Channels extends string = never>(
  people: Readonly<Record<Names, Person>> = NOBODY as Readonly<Record<Names, Person>>,
  facts: Facts<Names, Channels> = {},
): Organization<Names, Channels> {
  const { organization, fill } = promisedOrganization(people, facts)
  beforeEach(fill)
  return organization
}

/** Builds an organization for the test that calls it. */
export async function buildRealm<Names extends string = never, Channels extends string = never>(
  people: Readonly<Record<Names, Person>> = NOBODY as Readonly<Record<Names, Person>>,
  { channels, userDefaults, ...options }: Facts<Names, Channels> = {},
): Promise<Organization<Names, Channels>> {
  const realm = await foundRealm(options)
  if (userDefaults) expectSuccess(await realm.owner.api.patch('/realm/user_settings_defaults', userDefaults))
  const users: Record<string, TestUser> = { owner: realm.owner }
  const accounts = Object.entries<Person>(people).map(([key, person]) => {
    const { role = 'member', ...more } = typeof person === 'string' ? { role: person } : person
    return { name: capitalized(key), ...more, role: ROLES[role] }
  })
  const built = await buildUsers(realm, accounts)
  Object.keys(people).forEach((key, index) => {
    users[key] = built[index]!
  })
  const open: Record<string, TestChannel> = {}
  for (const [key, channel] of Object.entries<Channel<Names>>(channels ?? {})) {
    const { subscribers, ...settings } = 'subscribers' in channel ? channel : { subscribers: channel }
    const subscribed = subscribers.map((name) => users[name]!)
    open[key] = await buildChannel(subscribed, { name: key, ...settings })
  }
  return { ...users, ...open, realm } as unknown as Organization<Names, Channels>
}

/** Returns objects that tests can refer to before the organization exists, and the function that fills them. */
function promisedOrganization<Names extends string, Channels extends string>(
  people: Readonly<Record<Names, Person>>,
  facts: Facts<Names, Channels>,
): { organization: Organization<Names, Channels>; fill: () => Promise<void> } {
  const promised: Record<string, object> = { realm: promise('realm'), owner: promise('owner') }
  for (const key of [...Object.keys(people), ...Object.keys(facts.channels ?? {})])
    promised[key] = promise(key)
  const fill = async () => {
    const built = await buildRealm(people, facts)
    for (const [key, thing] of Object.entries<object>(built)) {
      const target = promised[key]!
      for (const property of PROPERTIES) Reflect.deleteProperty(target, property)
      Object.assign(target, thing)
    }
    Object.assign(promised.realm!, { owner: promised.owner })
  }
  return { organization: promised as unknown as Organization<Names, Channels>, fill }
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
