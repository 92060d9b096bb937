import type { Walks } from '../../../core/command.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { maySeeUser, seesAllUsers } from '../../../permissions/user-rules.ts'
import type { Caller } from '../../caller.ts'
import { listConversationsOfUser } from '../../messages/conversation-rows.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import { usersInTurns } from '../read/users-in-turns.ts'
import type { User } from '../user-rows.ts'
import { sharersOf } from './shared-conversation-rows.ts'

/** Everybody as a guest sees them who does not see all, made in several turns. */
export interface SeenInTurns<Item> {
  /** Of what is remembered of the organization (`Remembered`) when this was made. */
  readonly epoch: number
  /** Number of the guest's direct conversations then: no event that counts tells of a new one. */
  readonly conversations: number
  readonly items: readonly Item[]
}

/** Number of times that it is made again since something of it has changed meanwhile. */
const TRIES = 3

/**
 * Presents everybody by id, closed accounts and bots too, to a guest who does not see all: for `load`. Undefined for others, and if
 * people change faster than they can be presented.
 */
export async function seenInTurns<Item>(
  walks: Walks,
  view: RealmView,
  { user, actor }: Caller,
  present: (users: readonly User[], sees: (user: User) => boolean) => readonly Item[],
): Promise<SeenInTurns<Item> | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const permissions = realmPermissions(view.sql)
    if (seesAllUsers(actor, permissions)) return undefined
    const { epoch } = view.remembered
    const conversations = listConversationsOfUser(view.sql, user.id).length
    const sharers = sharersOf(view.sql, user.id)
    const sees = ({ id, botType }: User) =>
      maySeeUser(actor, { id, isBot: botType !== null, sharesConversation: sharers.has(id) }, permissions)
    await walks.turn()
    const items = await usersInTurns(walks, view.sql, (users) => present(users, sees))
    const seen = { epoch, conversations, items }
    // What applies this would otherwise be in the same turn.
    await walks.turn()
    if (isStillSeen(view, user, seen)) return seen
  }
  return undefined
}

/** Whether nothing has changed of whom the guest sees, and how. */
export function isStillSeen(
  { sql, remembered }: Pick<RealmView, 'sql' | 'remembered'>,
  { id }: Pick<User, 'id'>,
  { epoch, conversations }: SeenInTurns<unknown>,
): boolean {
  return remembered.epoch === epoch && listConversationsOfUser(sql, id).length === conversations
}
