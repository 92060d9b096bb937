import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { ChannelMember } from '../../imports/neutral.ts'
import { maySubscribeOthers } from '../../rules/channel-rules.ts'
import { insufficientPermission } from '../../rules/roles.ts'
import { type AuditDetails, insertAuditEntry } from '../../store/audit-log/audit-entry-rows.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { noteAdded } from '../../store/imports/imported-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { type ChosenSettings, writeChosenSettings } from '../../store/subscriptions/subscription-rows.ts'
import { activeUsers } from '../../store/users/account-set-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import { normaliseColor } from '../subscriptions/colors.ts'
import { joinAndAnnounce } from '../subscriptions/join-and-announce.ts'
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES, noticeSubscribed } from '../subscriptions/notice-subscribed.ts'
import { NOT_ALLOWED } from './import-rights.ts'
import type { ImportWork } from './import-work.ts'

/**
 * Subscribes people to a channel that was here before, as many as one commit takes, as if the owner who imports did it by a request: with its
 * rule, its events and its notices. Returns whether all are subscribed.
 */
export function subscribeMore(
  tx: RealmTransaction,
  work: ImportWork,
  channel: Channel,
  members: ReadonlyMap<number, ChannelMember>,
  isFirst: boolean,
): boolean {
  const { owner, imported, tally } = work
  const coming = activeUsers(tx.sql)
    .and(IdSet.of([...members.keys()]))
    .andNot(subscribersOf(tx.sql, channel.id))
    .toArray()
  const mayAdd = maySubscribeOthers(owner.actor, channel, realmPermissions(tx.sql))
  const allowed = mayAdd ? coming : coming.filter((id) => id === owner.user.id)
  if (allowed.length < coming.length)
    tally.problem(NOT_ALLOWED, `subscribers of ${channel.name}: ${insufficientPermission().message}`)
  const next = allowed.slice(0, CHANGES_OF_COMMIT)
  const joinings = joinAndAnnounce(tx, [{ channel, userIds: next }], owner.user.id)
  const userIds = joinings.flatMap((joining) => joining.userIds)
  const added = userIds.map((userId) => ({ userId, of: [channel.id] }))
  noteAdded(tx.sql, { id: imported.id, sourceId: work.sourceId }, 'subscription', added)
  chooseSettings(tx, channel, nobodys(tx, userIds), members)
  tally.count('written', 'subscriptions', userIds.length)
  if (isFirst || userIds.length > 0) log(tx, work, channel, userIds)
  if (isFirst && allowed.length <= MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) notify(tx, work, channel, userIds)
  return next.length === allowed.length
}

/** Returns those of the users to whose accounts nobody has logged in: they have nothing to be notified by, and no settings of their own. */
function nobodys({ sql }: RealmTransaction, userIds: readonly number[]): number[] {
  const users = [...findUsers(sql, userIds).values()]
  return users.filter(({ awaitsLogin }) => awaitsLogin).map(({ id }) => id)
}

function notify(
  tx: RealmTransaction,
  { owner }: ImportWork,
  channel: Channel,
  userIds: readonly number[],
): void {
  const absent = new Set(nobodys(tx, userIds))
  const present = userIds.filter((id) => !absent.has(id))
  noticeSubscribed(tx, { by: owner, created: [], origin: tx.origin }, [{ channel, userIds: present }])
}

/** Notes in the audit log that an import writes into a channel that was here, and whom it subscribes. */
function log(
  tx: RealmTransaction,
  { imported, owner }: ImportWork,
  { id }: Channel,
  userIds: readonly number[],
): void {
  const who: AuditDetails = userIds.length <= NAMED_IN_LOG ? { user_ids: userIds } : { users: userIds.length }
  insertAuditEntry(tx.sql, {
    at: tx.now,
    action: 'import_changed',
    actorId: owner.user.id,
    address: null,
    details: { import_id: imported.id, stream_id: id, ...who },
  })
}

/** Users whom an entry of the audit log names. */
const NAMED_IN_LOG = 100

/** Gives new subscriptions the settings that they have at the source. */
export function chooseSettings(
  tx: RealmTransaction,
  channel: Channel,
  userIds: readonly number[],
  members: ReadonlyMap<number, ChannelMember>,
): void {
  const chosen = userIds.map((userId): ChosenSettings => {
    const { color = '', muted, pinned, notifications = {} } = members.get(userId)!
    const {
      desktop = null,
      audible = null,
      push = null,
      email = null,
      wildcard_mentions = null,
    } = notifications
    return {
      userId,
      color: normaliseColor(color) ?? null,
      isMuted: muted === true,
      isPinned: pinned === true,
      notifications: [desktop, audible, push, email, wildcard_mentions],
    }
  })
  writeChosenSettings(
    tx.sql,
    channel.id,
    chosen.filter(
      ({ color, isMuted, isPinned, notifications }) =>
        color !== null || isMuted || isPinned || notifications.some((one) => one !== null),
    ),
  )
}
