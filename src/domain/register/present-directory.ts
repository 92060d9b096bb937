import { InBlocks, listInBlocks } from '../../core/blocks.ts'
import type { Walks } from '../../core/command.ts'
import { type RealmReads, type RealmView, StaleError } from '../../core/realm-transaction.ts'
import { ROLES } from '../../permissions/roles.ts'
import { emailVisibilityClass, seesAllUsers } from '../../permissions/user-rules.ts'
import type { Caller } from '../caller.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { openPersonOf } from '../users/open-person-rows.ts'
import { presentUser } from '../users/read/present-user.ts'
import { listUsersBetween, type User } from '../users/user-rows.ts'
import { presentUnknownUser } from '../users/visibility/present-unknown-user.ts'
import { type SeenInTurns, seenInTurns, seenNow } from '../users/visibility/seen-in-turns.ts'
import { isFetched, type ListedPerson, type SnapshotOptions } from './snapshot.ts'
import { items, partsOf, userBlockOf, usersInBlocks } from './users-in-blocks.ts'

export interface DirectoryOptions {
  readonly clientGravatar: boolean
  /** Whether the client needs no placeholders for people whom the caller cannot see. */
  readonly mayBeIncomplete: boolean
}

/** Whom a guest sees who does not see everybody. */
export type LoadedDirectory = SeenInTurns<ListedPerson>

/** Parts of the snapshot that show people: all of them go by the same walk through everybody. */
const PEOPLE_FETCHED = ['realm_user', 'user_status', 'presence']

function fetchesPeople(types: SnapshotOptions['types']): boolean {
  return PEOPLE_FETCHED.some((type) => isFetched({ types }, type))
}

/** Finds whom a guest sees who does not see everybody, and makes their lists, in several turns: for `load`. */
export async function loadDirectory(
  walks: Walks,
  view: RealmView,
  caller: Caller,
  types: SnapshotOptions['types'],
  options: DirectoryOptions,
): Promise<LoadedDirectory | undefined> {
  if (!fetchesPeople(types)) return undefined
  const isListed = isFetched({ types }, 'realm_user')
  return seenInTurns(walks, view, caller, (user, isSeen) => {
    if (!isSeen && (!isListed || options.mayBeIncomplete)) return undefined
    const { id, isActive } = user
    const person = isSeen && isActive && user.botType === null ? openPersonOf(user) : undefined
    if (!isListed) return { id, isActive, isSeen, person, text: '' }
    const presented = asGuestSees(view, caller, options, user, isSeen)
    return { id, isActive: presented.is_active, isSeen, person, text: items([withoutActivity(presented)]) }
  })
}

/** Returns the ids of those with open accounts whom the guest saw. */
export function peopleSeenIn({ items }: LoadedDirectory): number[] {
  return [...items.values()].flatMap((one) => (one?.isActive && one.isSeen ? [one.id] : []))
}

/**
 * Returns by id whom the caller sees now, and those with placeholders: for `SnapshotOptions`. Undefined where all are seen, or none asked for.
 * @throws StaleError where `loaded` is no longer right, or there is none
 */
export function peopleNow(
  tx: RealmReads,
  caller: Caller,
  types: SnapshotOptions['types'],
  loaded: LoadedDirectory | undefined,
): SnapshotOptions['people'] {
  if (!fetchesPeople(types) || seesAllUsers(caller.actor, realmPermissions(tx.sql))) return undefined
  return seenNow(tx, caller, loaded)
}

/**
 * Returns those people where the caller does not see all, else undefined.
 * @throws StaleError where they are not known
 */
export function peopleSeenBy(
  tx: RealmReads,
  caller: Caller,
  { people }: Pick<SnapshotOptions, 'people'>,
): readonly ListedPerson[] | undefined {
  if (seesAllUsers(caller.actor, realmPermissions(tx.sql))) return undefined
  if (!people) throw new StaleError()
  return people
}

/** Lists of users by id. */
interface Directory {
  readonly active: InBlocks
  readonly nonActive: InBlocks
}

/**
 * Returns all users as the caller sees them. What all viewers of a class see is in blocks; a guest who does
 * not see everybody has lists of their own.
 */
export function presentDirectory(
  tx: RealmReads,
  caller: Caller,
  options: DirectoryOptions & Pick<SnapshotOptions, 'people'>,
): Directory {
  const people = peopleSeenBy(tx, caller, options)
  if (!people) return everybody(tx, caller, options)
  return {
    active: listOfTexts(people.filter(({ isActive }) => isActive)),
    nonActive: listOfTexts(people.filter(({ isActive }) => !isActive)),
  }
}

function everybody(tx: RealmReads, { user: reader }: Caller, options: DirectoryOptions): Directory {
  const kind = emailVisibilityClass(reader)
  const view = { realm: tx.realm, clientGravatar: options.clientGravatar, includeProfileData: true }
  // No user has this id: nobody sees themselves in a block.
  const anyone = { ...view, viewer: { id: 0, role: ROLES[kind] } }
  const blocks = usersInBlocks(tx.sql, {
    kind: 'users',
    family: `users seen by ${kind}, ${options.clientGravatar}`,
    make(first, last) {
      const users = listUsersBetween(tx.sql, first, last).map((user) => presentUser(user, anyone))
      return [
        items(users.filter(({ is_active }) => is_active).map(withoutActivity)),
        items(users.filter(({ is_active }) => !is_active).map(withoutActivity)),
      ]
    },
  })
  const own = items([withoutActivity(presentUser(reader, { ...view, viewer: reader }))])
  const seen = items([withoutActivity(presentUser(reader, anyone))])
  const active = partsOf(blocks, 0).map((part) =>
    own !== seen && part.block.number === userBlockOf(reader.id) ? { ...part, instead: own } : part,
  )
  return { active: listInBlocks(active), nonActive: listInBlocks(partsOf(blocks, 1)) }
}

function asGuestSees(
  { realm }: Pick<RealmReads, 'realm'>,
  { user: viewer }: Caller,
  { clientGravatar }: DirectoryOptions,
  user: User,
  isSeen: boolean,
) {
  return isSeen
    ? presentUser(user, { realm, clientGravatar, includeProfileData: true, viewer })
    : presentUnknownUser(user.id, realm)
}

function listOfTexts(presented: readonly { readonly text: string }[]): InBlocks {
  const texts = presented.map(({ text }) => text).join('')
  return new InBlocks([`[${texts.slice(1)}]`])
}

/** Returns the user without `is_active`, which follows from the list that has the user. */
function withoutActivity<Presented extends { is_active: boolean }>({ is_active: _, ...user }: Presented) {
  return user
}
