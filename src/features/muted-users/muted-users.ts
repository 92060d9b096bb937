import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import { inCommits } from '../../core/in-commits.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads, RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { markOwnRead } from '../../model/editing/change-flag.ts'
import type { Viewer } from '../../model/messages/read/message-access.ts'
import { ownRecords } from '../../model/narrows/candidate-set.ts'
import { compileNarrow } from '../../model/narrows/compile-narrow.ts'
import { presently } from '../../model/narrows/find-window.ts'
import { MatchingMessages } from '../../model/narrows/matching-messages.ts'
import { RowLimit } from '../../model/narrows/message-window.ts'
import type { NarrowTerm } from '../../model/narrows/narrow-terms.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import type { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { findMessages, type IndexedMessage, newestMessageId } from '../../store/messages/message-rows.ts'
import {
  deleteMutedUser,
  insertMutedUser,
  isMutedBy,
  listMutedUsers,
} from '../../store/muted-users/muted-user-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

/**
 * Mutes a user, including bots and closed accounts: their messages become read, and so will later ones. Thousands are marked as read in
 * commits before the mute. Source: docs/interface/users.md#muted-users.
 */
export const muteUserEndpoint = defineEndpoint({
  operation: 'mute-user',
  route: 'POST /users/me/muted_users/:muted_user_id',
  access: 'user',
  params: { muted_user_id: pathInteger },
  command: {
    commits: ({ muted_user_id: senderId }) =>
      inCommits<Caller, number>((tx, caller, above = 0) => muteNext(tx, caller, { senderId, above })),
  },
  audit: 'own',
})

/** Unmutes a user; read messages stay read. Source: docs/interface/users.md#muted-users. */
export const unmuteUserEndpoint = defineEndpoint({
  operation: 'unmute-user',
  route: 'DELETE /users/me/muted_users/:muted_user_id',
  access: 'user',
  params: { muted_user_id: pathInteger },
  apply(tx, { user }, { muted_user_id }) {
    const muted = requireOther(tx, user, muted_user_id, 'User is not muted')
    if (!isMutedBy(tx.sql, muted.id, user.id)) throw new BadRequestError('User is not muted')
    deleteMutedUser(tx.sql, user.id, muted.id, {
      newestMessageId: newestMessageId(tx.sql),
      readFloor: user.readFloor,
    })
    announce(tx, user)
  },
  audit: 'own',
})

interface UnreadPart {
  readonly senderId: number
  readonly above: number
}

interface AskedUnread extends UnreadPart {
  readonly view: RealmView
  readonly viewer: Viewer
}

/** Ids of the next messages, how far they are complete, and the newest message at that time. The caller checks each again. */
const foundUnread = defineReader({
  name: 'unread messages of a sender',
  allowStale: true,
  largeState: true,
  key: ({ viewer: { user }, senderId, above }: AskedUnread) => JSON.stringify([user.id, senderId, above]),
  *read({ sql }, { senderId, above, ...asked }) {
    const { view, viewer } = presently(sql, asked)
    const newest = newestMessageId(sql)
    const ids: number[] = []
    const from = { from: above, direction: 1, wanted: ENTRIES_AT_ONCE } as const
    const walk = unreadOf(view, viewer, senderId).matching.walk(from)
    const visit = ({ id }: IndexedMessage) => ids.push(id) < ENTRIES_AT_ONCE
    const end = yield* new RowLimit(sql).run(walk.run(visit))
    return { ids, reached: end === 'finished' ? undefined : walk.reached, newest }
  },
})

/** Returns the next messages above an id. */
function nextUnreadOfSender(view: RealmReads, viewer: Viewer, { senderId, above }: UnreadPart) {
  const found = view.use(foundUnread, { view, viewer, senderId, above })
  const newest = newestMessageId(view.sql)
  const upTo = found.reached === undefined ? Math.min(newest, found.newest + ENTRIES_AT_ONCE) : 0
  // Messages that arrived since are few, while a new walk would start in each of thousands of channels.
  const ids = new Set(found.ids)
  for (let id = found.newest + 1; id <= upTo; id += 1) ids.add(id)
  const among = [...ids]
  const { matching, read } = unreadOf(view, viewer, senderId, among)
  return {
    messages: matching.among(findMessages(view.sql, among)),
    read,
    reached: found.reached ?? (upTo < newest ? upTo : undefined),
  }
}

/** `among`: the only messages to consider. */
function unreadOf(
  view: RealmView,
  viewer: Viewer,
  senderId: number,
  among?: readonly number[],
): { readonly matching: MatchingMessages; readonly read: ReadSet } {
  const terms: NarrowTerm[] = [
    { operator: 'sender', operand: senderId, negated: false },
    { operator: 'is', operand: 'unread', negated: false },
  ]
  const plan = compileNarrow(view, viewer, terms, among)
  return {
    matching: new MatchingMessages(view, viewer, plan, ownRecords(view, viewer)),
    read: plan.facts.readSet(),
  }
}

/**
 * Marks the next messages as read, and with the last ones mutes their sender. Returns the id up to which they are read, if some are left.
 */
function muteNext(tx: RealmTransaction, caller: Caller, part: UnreadPart): number | undefined {
  const { user } = caller
  const muted = requireOther(tx, user, part.senderId, 'Cannot mute self')
  if (isMutedBy(tx.sql, muted.id, user.id)) throw new BadRequestError('User already muted')
  const { messages, read, reached } = nextUnreadOfSender(tx, caller, part)
  if (reached === undefined) {
    withinQuota(tx, caller, 'mutedUsers', () =>
      insertMutedUser(tx.sql, user.id, { id: muted.id, timestamp: tx.now }, newestMessageId(tx.sql)),
    )
  } else {
    requireRoom(tx, caller)
  }
  if (messages.length > 0) markOwnRead(tx, caller, messages, read)
  if (reached === undefined) announce(tx, user)
  return reached
}

/** @throws BadRequestError as the last commit of the mute would */
function requireRoom(tx: RealmTransaction, caller: Caller): void {
  withinQuota(tx, caller, 'mutedUsers', () => {}, caller.user.id, 1)
}

function requireOther(tx: RealmReads, user: User, id: number, refusal: string): User {
  if (id === user.id) throw new BadRequestError(refusal)
  const other = findUser(tx.sql, id)
  if (!other) throw new BadRequestError('No such user')
  return other
}

function announce(tx: RealmTransaction, user: User): void {
  tx.emit({ type: 'muted_users', muted_users: listMutedUsers(tx.sql, user.id) }, toUsers(user.id))
}
