import { USERS_MENDED_AT_ONCE } from '../../../core/budgets.ts'
import type { Walks } from '../../../core/command.ts'
import { type RealmView, StaleError } from '../../../core/realm-transaction.ts'
import { maySeeUser, seesAllUsers } from '../../../permissions/user-rules.ts'
import type { Caller } from '../../caller.ts'
import { conversationIdsOfUser, membersOfConversations } from '../../messages/conversation-rows.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import { usersInTurns } from '../read/users-in-turns.ts'
import { findUsers, type User } from '../user-rows.ts'
import { sharersOf } from './shared-conversation-rows.ts'
import { visibleUsers } from './visible-users.ts'

/** Presents one user, whom the guest sees or not; undefined where that is nothing. */
type Present<Item> = (user: User, isSeen: boolean) => Item | undefined

/** Everybody as a guest sees them who does not see all, made in several turns. */
export interface SeenInTurns<Item> {
  /** Of what is remembered of the organization (`Remembered`) when this was made. */
  readonly epoch: number
  /** The guest's direct conversations then: no event that counts tells of a new one. */
  readonly conversations: Conversations
  /** By the ids of all, ascending. */
  readonly items: ReadonlyMap<number, Item | undefined>
  readonly present: Present<Item>
}

/** How many conversations somebody has, and the newest: a further one has a higher id. */
interface Conversations {
  readonly count: number
  readonly newest: number
}

type View = Pick<RealmView, 'sql' | 'remembered'>

/** Number of times that all is made again, or mended in turns, since something of it has changed meanwhile. */
const TRIES = 3

/**
 * Presents everybody by id, closed accounts and bots too, to a guest who does not see all: for `load`. Undefined for others. What has
 * changed since is presented again by `seenNow`.
 */
export async function seenInTurns<Item>(
  walks: Walks,
  view: View,
  caller: Caller,
  present: Present<Item>,
): Promise<SeenInTurns<Item> | undefined> {
  let seen = await presentAll(walks, view, caller, present)
  for (let tries = 1; seen && tries < TRIES; tries += 1) {
    const changed = changedSince(view, caller.user, seen)
    if (changed && changed.length <= USERS_MENDED_AT_ONCE) break
    seen = changed
      ? await mendedInTurns(walks, view, caller, seen, changed)
      : await presentAll(walks, view, caller, present)
  }
  return seen
}

async function presentAll<Item>(
  walks: Walks,
  view: View,
  { user, actor }: Caller,
  present: Present<Item>,
): Promise<SeenInTurns<Item> | undefined> {
  const { sql, remembered } = view
  const permissions = realmPermissions(sql)
  if (seesAllUsers(actor, permissions)) return undefined
  const began = { epoch: remembered.epoch, conversations: conversationsOf(sql, user) }
  const sharers = sharersOf(sql, user.id)
  const sees = ({ id, botType }: User) =>
    maySeeUser(actor, { id, isBot: botType !== null, sharesConversation: sharers.has(id) }, permissions)
  await walks.turn()
  const items = await usersInTurns(walks, sql, (users) =>
    users.map((one) => [one.id, present(one, sees(one))] as const),
  )
  // What applies this would otherwise be in the same turn.
  await walks.turn()
  return { ...began, items: new Map(items), present }
}

async function mendedInTurns<Item>(
  walks: Walks,
  view: View,
  caller: Caller,
  seen: SeenInTurns<Item>,
  changed: readonly number[],
): Promise<SeenInTurns<Item>> {
  const began = { epoch: view.remembered.epoch, conversations: conversationsOf(view.sql, caller.user) }
  let items = seen.items
  for (let at = 0; at < changed.length; at += USERS_MENDED_AT_ONCE) {
    await walks.turn()
    items = mended(view, caller, { ...seen, items }, changed.slice(at, at + USERS_MENDED_AT_ONCE))
  }
  return { ...seen, ...began, items }
}

/** Returns all with these, ascending, as they are now. */
function mended<Item>(
  view: View,
  caller: Caller,
  { items, present }: SeenInTurns<Item>,
  changed: readonly number[],
): ReadonlyMap<number, Item | undefined> {
  if (changed.length === 0) return items
  const users = [...findUsers(view.sql, changed).values()]
    .filter(({ isSystemBot }) => !isSystemBot)
    .sort((a, b) => a.id - b.id)
  const visible = new Set(visibleUsers(view, caller, users))
  // New accounts have higher ids than all others.
  return new Map([...items, ...users.map((one) => [one.id, present(one, visible.has(one))] as const)])
}

/**
 * Returns everybody as the guest sees them now, of whom few have changed since.
 * @throws StaleError where more have changed than one turn presents again, or what the guest sees of everybody
 */
export function seenNow<Item>(view: View, caller: Caller, seen: SeenInTurns<Item> | undefined): Item[] {
  const changed = seen && changedSince(view, caller.user, seen)
  if (!changed || changed.length > USERS_MENDED_AT_ONCE) throw new StaleError()
  // The guest may be in a group by now whose members see all.
  if (seesAllUsers(caller.actor, realmPermissions(view.sql))) throw new StaleError()
  return [...mended(view, caller, seen, changed).values()].filter((item) => item !== undefined)
}

/** Returns whom the guest may see in another way since, ascending; undefined where it may be anybody. */
function changedSince(
  { sql, remembered }: View,
  { id }: Pick<User, 'id'>,
  { epoch, conversations }: SeenInTurns<unknown>,
): number[] | undefined {
  const changed = remembered.usersChangedSince(epoch)
  // Everybody looks different to a guest with another role, or in other channels.
  if (!changed || changed.has(id)) return undefined
  const all = conversationIdsOfUser(sql, id)
  const further = all.filter((one) => one > conversations.newest)
  // One that a verification has repaired is not among them.
  if (all.length !== conversations.count + further.length) return undefined
  const partners = [...membersOfConversations(sql, further).values()].flat().filter((member) => member !== id)
  return [...new Set([...changed, ...partners])].sort((a, b) => a - b)
}

function conversationsOf(sql: RealmView['sql'], { id }: Pick<User, 'id'>): Conversations {
  const all = conversationIdsOfUser(sql, id)
  return { count: all.length, newest: all.at(-1) ?? 0 }
}
