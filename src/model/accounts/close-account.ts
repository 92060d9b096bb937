import { ROWS_OF_SLICE } from '../../core/budgets.ts'
import type { Continuation, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { isAdministrator } from '../../rules/roles.ts'
import { deleteZoomAccount } from '../../store/calls/zoom-account-rows.ts'
import { listChannelsAmong } from '../../store/channels/channel-rows.ts'
import { deleteClientDevicesOf } from '../../store/client-devices/client-device-rows.ts'
import { revokeOpenInvitationsOf } from '../../store/invitations/invitation-rows.ts'
import { deleteAllWebPush } from '../../store/push/push-device-rows.ts'
import { keepScimUser } from '../../store/scim/scim-rows.ts'
import { channelsOf } from '../../store/subscriptions/subscriber-rows.ts'
import { pauseSubscriptions, resumeSubscriptions } from '../../store/subscriptions/subscription-rows.ts'
import { changeUser, findUsers, listBotsOwnedBy, type User } from '../../store/users/user-rows.ts'
import { announceBotChange } from '../bots/announce-bot.ts'
import { announceExportConsent, renewExportAddresses } from '../exports/finished-exports.ts'
import { scheduleFullMembership } from '../group-changes/announce-full-members.ts'
import { emitGroupsOfDeparture, emitGroupsOfReturn } from '../group-changes/emit-groups-of-account.ts'
import { announceInvitesChanged } from '../invitations/standing-invitation.ts'
import { pruneDevices } from '../push/prune-devices.ts'
import { announceInManyChannels, announcePeers } from '../subscriptions/announce-peers.ts'
import { presentPosition } from '../subscriptions/present-subscription.ts'
import { endBrowsers, endQueues } from '../users/login/sessions.ts'
import { emitUserChange } from '../users/visibility/emit-user-change.ts'
import { strangersTo, userAudience } from '../users/visibility/visible-users.ts'
import { changeApiKey } from './login/api-key.ts'

/**
 * Rows that closing an account is counted as, in addition to its subscriptions. One account is closed in each commit, however many it has.
 */
const ROWS_OF_ACCOUNT = 400

/** Closes the account and as many of its bots as one commit does. A job closes the rest, which nobody can use meanwhile. */
export function closeWithBots(tx: RealmTransaction, user: User): void {
  const bots = openBotsOf(tx.sql, user)
  closeAccount(tx, user)
  revokeInvitationsOf(tx, user)
  endQueues(
    tx,
    bots.map(({ id }) => id),
  )
  const left = closeNext(tx, bots, ROWS_OF_SLICE - costOf(tx, user))
  if (left) tx.continueLater(closingBots, String(user.id), left)
}

/** Lists the bots of a user that are not closed. */
export function openBotsOf(sql: Sql, user: User): User[] {
  return listBotsOwnedBy(sql, user.id).filter(({ isActive }) => isActive)
}

/** Closes further bots, even if the account was reopened meanwhile. */
export const closingBots: Continuation<readonly number[]> = {
  name: 'close-bots',
  next(tx, ids, key) {
    const bots = [...findUsers(tx.sql, ids).values()]
    // Some may have been closed, or given to another owner.
    const open = bots.filter(({ isActive, botOwnerId }) => isActive && botOwnerId === Number(key))
    return closeNext(tx, open, ROWS_OF_SLICE)
  },
}

/** Closes bots while there is room for their rows. Returns the ids of the others. */
function closeNext(tx: RealmTransaction, bots: readonly User[], rows: number): number[] | undefined {
  let room = rows
  for (const [at, bot] of bots.entries()) {
    if (room <= 0) return bots.slice(at).map(({ id }) => id)
    room -= costOf(tx, bot)
    closeAccount(tx, bot)
  }
  return undefined
}

/** Returns the number of rows that an account counts for. */
function costOf({ sql }: RealmTransaction, { id }: User): number {
  return ROWS_OF_ACCOUNT + Math.min(channelsOf(sql, id).size, ROWS_OF_SLICE)
}

/** Closes one account. Subscriptions pause until it is reopened, and group rows stay: reads leave out closed accounts. */
export function closeAccount(tx: RealmTransaction, user: User): void {
  changeUser(tx.sql, user.id, { isActive: false })
  if (deleteClientDevicesOf(tx.sql, user.id).length > 0) pruneDevices(tx, user.id)
  endBrowsers(tx, user.id)
  deleteAllWebPush(tx.sql, user.id)
  deleteZoomAccount(tx.sql, user.id)
  endQueues(tx, [user.id])
  const audience = userAudience(tx, user)
  emitUserChange(tx, user, { is_active: false }, audience)
  announceBotChange(tx, user, { is_active: false })
  announceMembership(tx, user, 'peer_remove')
  emitGroupsOfDeparture(tx, user, strangersTo(tx, audience))
  pauseSubscriptions(tx.sql, user.id, presentPosition(tx))
  if (isAdministrator(user)) renewExportAddresses(tx)
}

/** Revokes the invitations of a user whose account is closed (docs/interface/users.md#close-and-open-an-account). */
function revokeInvitationsOf(tx: RealmTransaction, user: User): void {
  if (revokeOpenInvitationsOf(tx.sql, user.id, tx.now)) announceInvitesChanged(tx, user.id)
}

/**
 * Opens a closed account with a new key, since others may have learnt the old one, and notifies everybody. An identity provider that has
 * deleted it finds it again.
 */
export function openAccount(tx: RealmTransaction, user: User): void {
  changeUser(tx.sql, user.id, { isActive: true })
  keepScimUser(tx.sql, user.id)
  emitUserChange(tx, user, { is_active: true })
  announceBotChange(tx, user, { is_active: true })
  changeApiKey(tx, user)
  announceMembership(tx, user, 'peer_add')
  resumeSubscriptions(tx.sql, user.id, presentPosition(tx))
  emitGroupsOfReturn(tx, user)
  announceExportConsent(tx, user)
  scheduleFullMembership(tx, { ...user, isActive: true })
}

/**
 * Number of channels from which a few events name all of them, private ones included. With fewer channels, each private one has its own
 * event.
 */
const MANY_CHANNELS = 20

/** Notifies the peers that a closed account leaves its channels, or that a reopened one returns. */
function announceMembership(tx: RealmTransaction, user: User, op: 'peer_add' | 'peer_remove'): void {
  const channelIds = channelsOf(tx.sql, user.id).toArray()
  if (channelIds.length >= MANY_CHANNELS) {
    announceInManyChannels(tx, op, channelIds, user.id)
    return
  }
  const channels = listChannelsAmong(tx.sql, channelIds)
  announcePeers(
    tx,
    op,
    channels.map((channel) => ({ channel, userIds: [user.id] })),
  )
}
