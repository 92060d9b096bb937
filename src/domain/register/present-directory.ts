import { InBlocks, listInBlocks } from '../../core/blocks.ts'
import { inParts } from '../../core/in-parts.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { ROLES } from '../../permissions/roles.ts'
import { emailVisibilityClass, seesAllUsers } from '../../permissions/user-rules.ts'
import type { Caller } from '../caller.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { type PresentedUser, presentUser, type UserViewer } from '../users/read/present-user.ts'
import { presentInTurns } from '../users/read/users-in-turns.ts'
import { peopleIds } from '../users/user-id-rows.ts'
import { listUsersBetween } from '../users/user-rows.ts'
import { presentUnknownUser } from '../users/visibility/present-unknown-user.ts'
import { seenByGuest } from '../users/visibility/visible-users.ts'
import { items, partsOf, userBlockOf, usersInBlocks } from './users-in-blocks.ts'

export interface DirectoryOptions {
  readonly clientGravatar: boolean
  /** Whether the client needs no placeholders for people whom the caller cannot see. */
  readonly mayBeIncomplete: boolean
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
  { clientGravatar, mayBeIncomplete }: DirectoryOptions,
): Directory {
  const { user, actor } = caller
  if (seesAllUsers(actor, realmPermissions(tx.sql))) return everybody(tx, user, clientGravatar)
  const viewer = { id: user.id, role: user.role }
  const lists = tx.use(listsOfGuest, {
    mayBeIncomplete,
    as: { viewer, realm: tx.realm, clientGravatar, includeProfileData: true },
  })
  return { active: new InBlocks([lists.active]), nonActive: new InBlocks([lists.nonActive]) }
}

/** Placeholders that are made together, some 1 µs each. */
const PLACEHOLDERS_AT_A_TIME = 500

/** What a guest who does not see everybody has in place of blocks, as JSON. */
const listsOfGuest = defineReader({
  name: 'lists of users for a guest',
  key: ({ as: { viewer, clientGravatar }, mayBeIncomplete }: { as: UserViewer; mayBeIncomplete: boolean }) =>
    `${viewer.id} ${viewer.role} ${clientGravatar} ${mayBeIncomplete}`,
  *read(store, { as, mayBeIncomplete }) {
    const seen = yield* store.use(seenByGuest, as.viewer.id)
    const listed = yield* presentInTurns(store, seen, (user) => itemOf(presentUser(user, as)))
    const unknown = mayBeIncomplete ? [] : peopleIds(store.sql).filter((id) => !seen.has(id))
    for (const ids of inParts(unknown, PLACEHOLDERS_AT_A_TIME)) {
      for (const id of ids) listed.push(itemOf(presentUnknownUser(id, as.realm)))
      yield ids.length
    }
    listed.sort((one, other) => one.id - other.id)
    const listOf = (isActive: boolean) => {
      const texts = listed.filter((one) => one.isActive === isActive).map(({ text }) => text)
      return `[${texts.join('').slice(1)}]`
    }
    return { active: listOf(true), nonActive: listOf(false) }
  },
})

function itemOf(presented: PresentedUser) {
  return {
    id: presented.user_id,
    isActive: presented.is_active,
    text: items([withoutActivity(presented)]),
  }
}

function everybody(tx: RealmReads, reader: Caller['user'], clientGravatar: boolean): Directory {
  const kind = emailVisibilityClass(reader)
  const view = { realm: tx.realm, clientGravatar, includeProfileData: true }
  // No user has this id: nobody sees themselves in a block.
  const anyone = { ...view, viewer: { id: 0, role: ROLES[kind] } }
  const blocks = usersInBlocks(tx.sql, {
    kind: 'users',
    family: `users seen by ${kind}, ${clientGravatar}`,
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

/** Returns the user without `is_active`, which follows from the list that has the user. */
function withoutActivity<Presented extends { is_active: boolean }>({ is_active: _, ...user }: Presented) {
  return user
}
