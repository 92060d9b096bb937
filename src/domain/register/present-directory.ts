import { InBlocks, listInBlocks } from '../../core/blocks.ts'
import type { Walks } from '../../core/command.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import { ROLES } from '../../permissions/roles.ts'
import { emailVisibilityClass, seesAllUsers } from '../../permissions/user-rules.ts'
import type { Caller } from '../caller.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { type PresentedUser, presentUser } from '../users/read/present-user.ts'
import { listUsersBetween, type User } from '../users/user-rows.ts'
import { presentUnknownUser } from '../users/visibility/present-unknown-user.ts'
import { type SeenInTurns, seenInTurns, seenNow } from '../users/visibility/seen-in-turns.ts'
import { items, partsOf, userBlockOf, usersInBlocks } from './users-in-blocks.ts'

export interface DirectoryOptions {
  readonly clientGravatar: boolean
  /** Whether the client needs no placeholders for people whom the caller cannot see. */
  readonly mayBeIncomplete: boolean
}

/** The lists of a guest who does not see everybody, as items in JSON with a comma before each. */
export type LoadedDirectory = SeenInTurns<{ readonly isActive: boolean; readonly text: string }>

/** Makes the lists of a guest who does not see everybody in several turns: for `load`. */
export function loadDirectory(
  walks: Walks,
  view: RealmView,
  caller: Caller,
  options: DirectoryOptions,
): Promise<LoadedDirectory | undefined> {
  return seenInTurns(walks, view, caller, (user, isSeen) => {
    const presented = asGuestSees(view, caller, options, user, isSeen)
    return presented && { isActive: presented.is_active, text: items([withoutActivity(presented)]) }
  })
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
  { loaded, ...options }: DirectoryOptions & { readonly loaded: LoadedDirectory | undefined },
): Directory {
  if (seesAllUsers(caller.actor, realmPermissions(tx.sql))) return everybody(tx, caller, options)
  const seen = seenNow(tx, caller, loaded)
  return {
    active: listOfTexts(seen.filter(({ isActive }) => isActive)),
    nonActive: listOfTexts(seen.filter(({ isActive }) => !isActive)),
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
  { clientGravatar, mayBeIncomplete }: DirectoryOptions,
  user: User,
  isSeen: boolean,
): PresentedUser | undefined {
  if (isSeen) return presentUser(user, { realm, clientGravatar, includeProfileData: true, viewer })
  return mayBeIncomplete ? undefined : presentUnknownUser(user.id, realm)
}

function listOfTexts(presented: readonly { readonly text: string }[]): InBlocks {
  const texts = presented.map(({ text }) => text).join('')
  return new InBlocks([`[${texts.slice(1)}]`])
}

/** Returns the user without `is_active`, which follows from the list that has the user. */
function withoutActivity<Presented extends { is_active: boolean }>({ is_active: _, ...user }: Presented) {
  return user
}
