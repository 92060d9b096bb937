import { inParts } from '../../core/in-parts.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmIdentity, RealmReads } from '../../core/realm-transaction.ts'
import {
  InPieces,
  itemsAsText,
  itemsOf,
  listOf,
  type Section,
  sectionOf,
  withItem,
} from '../../core/sections.ts'
import { ROLES } from '../../rules/roles.ts'
import { emailVisibilityClass, seesAllUsers } from '../../rules/user-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { people } from '../../store/users/account-set-rows.ts'
import { listUsersOfBlock, userBlocks } from '../../store/users/user-block-rows.ts'
import { blockOfUser } from '../../store/users/user-subjects.ts'
import type { Caller } from '../caller.ts'
import { type PresentedUser, presentUser, type UserViewer } from '../users/read/present-user.ts'
import { presentUsers } from '../users/read/present-users.ts'
import { presentUnknownUser } from '../users/visibility/present-unknown-user.ts'
import { seenByGuest } from '../users/visibility/visible-users.ts'

export interface DirectoryOptions {
  readonly clientGravatar: boolean
  /** Whether the client needs no placeholders for people whom the caller cannot see. */
  readonly mayBeIncomplete: boolean
}

/** Lists of users by id. */
interface Directory {
  readonly active: InPieces
  readonly nonActive: InPieces
}

/**
 * Returns all users as the caller sees them. The parts that all viewers of a class see are sections; a guest who does
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
  return { active: new InPieces([lists.active]), nonActive: new InPieces([lists.nonActive]) }
}

/** Placeholders that are made together, some 1 µs each. */
const PLACEHOLDERS_AT_A_TIME = 500

/** The lists of a guest who does not see everybody, in place of sections, as JSON. */
const listsOfGuest = defineReader({
  name: 'lists of users for a guest',
  key: ({ as: { viewer, clientGravatar }, mayBeIncomplete }: { as: UserViewer; mayBeIncomplete: boolean }) =>
    `${viewer.id} ${viewer.role} ${clientGravatar} ${mayBeIncomplete}`,
  *read(store, { as, mayBeIncomplete }) {
    const seen = yield* store.use(seenByGuest, as.viewer.id)
    const listed = yield* presentUsers(store, seen, (user) => itemOf(presentUser(user, as)))
    const unknown = mayBeIncomplete ? [] : people(store.sql).andNot(seen).toArray()
    for (const ids of inParts(unknown, PLACEHOLDERS_AT_A_TIME)) {
      for (const id of ids) listed.push(itemOf(presentUnknownUser(id, as.realm)))
      yield ids.length
    }
    listed.sort((one, other) => one.id - other.id)
    const textOf = (isActive: boolean) => {
      const texts = listed.filter((one) => one.isActive === isActive).map(({ text }) => text)
      return `[${texts.join('').slice(1)}]`
    }
    return { active: textOf(true), nonActive: textOf(false) }
  },
})

function itemOf(presented: PresentedUser) {
  return {
    id: presented.user_id,
    isActive: presented.is_active,
    text: itemsAsText([withoutActivity(presented)]),
  }
}

function everybody(tx: RealmReads, reader: Caller['user'], clientGravatar: boolean): Directory {
  const asked = { viewers: emailVisibilityClass(reader), clientGravatar, realm: tx.realm }
  const blocks = userBlocks(tx.sql).map((block) => ({ ...asked, block }))
  const sections = tx.useAll(usersSeen, blocks)
  const view = { realm: tx.realm, clientGravatar, includeProfileData: true }
  const own = itemsAsText([withoutActivity(presentUser(reader, { ...view, viewer: reader }))])
  // Only the reader sees this of themselves.
  const start = own.slice(0, own.indexOf(',', 1) + 1)
  const replaced = { start, next: start.slice(0, start.indexOf(':')), instead: own }
  const home = keyOfUsers({ ...asked, block: blockOfUser(reader.id) })
  const active = Array.from(itemsOf(sections, 0), (range) =>
    range.section.key === home ? withItem(range, replaced) : range,
  )
  return { active: listOf(active), nonActive: listOf(itemsOf(sections, 1)) }
}

interface UsersOfBlock {
  readonly block: number
  /** Stand for all whose addresses the same people see. */
  readonly viewers: ReturnType<typeof emailVisibilityClass>
  readonly clientGravatar: boolean
  readonly realm: RealmIdentity
}

function keyOfUsers({ block, viewers, clientGravatar }: UsersOfBlock): string {
  return `users ${block} ${viewers} ${clientGravatar}`
}

/** The users of a block: those with open accounts, and the others. */
const usersSeen = defineReader({
  name: 'users seen',
  key: (asked: UsersOfBlock) => `${keyOfUsers(asked)} ${asked.realm.host}`,
  *read({ sql }, asked): Generator<undefined, Section> {
    const { viewers, clientGravatar, realm, block } = asked
    // No user has this id: nobody sees themselves in a section.
    const viewer = { id: 0, role: ROLES[viewers] }
    const users = listUsersOfBlock(sql, block)
    yield
    const presented = users.map((user) =>
      presentUser(user, { realm, clientGravatar, includeProfileData: true, viewer }),
    )
    return sectionOf(keyOfUsers(asked), [
      itemsAsText(presented.filter(({ is_active }) => is_active).map(withoutActivity)),
      itemsAsText(presented.filter(({ is_active }) => !is_active).map(withoutActivity)),
    ])
  },
})

/** Returns the user without `is_active`, which follows from the list that has the user. */
function withoutActivity<Presented extends { is_active: boolean }>({ is_active: _, ...user }: Presented) {
  return user
}
