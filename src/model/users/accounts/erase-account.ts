import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { BETWEEN_COMMITS_SECONDS } from '../../../core/time.ts'
import { deleteKnownProgramsOf } from '../../../store/emails/email-rows.ts'
import { deleteLoginIdentitiesOf } from '../../../store/login-providers/login-provider-rows.ts'
import { newestMessageId } from '../../../store/messages/message-rows.ts'
import { deleteMeta, type MetaKey, readMetaJson, writeMeta } from '../../../store/meta-rows.ts'
import { NO_STATUS, readStatus } from '../../../store/presence/presence-and-status-rows.ts'
import { forgetScimUser } from '../../../store/scim/scim-rows.ts'
import { changeUser, findUser, type User } from '../../../store/users/user-rows.ts'
import { deleteMessagesOf } from '../../messages/edit/delete-messages.ts'
import { putFieldValue } from '../../profile-fields/change-field-values.ts'
import { deleteSecondFactors } from '../../second-factors/change-second-factors.ts'
import { changeStatus } from '../../user-status/change-status.ts'
import { withdrawAddress } from '../addresses/change-email.ts'
import { changeAvatarOf } from '../profile/avatar-of-user.ts'
import { changeFullName } from '../profile/full-name-rules.ts'
import { changeUserSetting } from '../settings/change-user-setting.ts'
import { emitUserChange } from '../visibility/emit-user-change.ts'
import { closeAccount } from './close-account.ts'

/** The data to delete with a closed account. Source: docs/interface/users.md#close-and-open-an-account. */
export interface ErasureActions {
  readonly delete_profile: boolean
  readonly delete_public_channel_messages: boolean
  readonly delete_private_channel_messages: boolean
  readonly delete_direct_messages: boolean
}

/** The data that is still to be deleted. */
interface Erasure {
  readonly actions: ErasureActions
  /** The closed account, then its bots. The first one is being erased. */
  readonly accounts: readonly number[]
  /** The first account's messages above this id are left; those after `upTo` were sent after the request. */
  readonly above: number
  readonly upTo: number
}

const NAME_OF_DELETED = 'Deleted user'

/** Deletes the requested data of a just closed account and its bots: the profile at once, the rest commit by commit. */
export function erase(
  tx: RealmTransaction,
  user: User,
  bots: readonly User[],
  actions: ErasureActions,
): void {
  if (Object.values(actions).every((isWanted) => !isWanted)) return
  const accounts = [user.id, ...bots.map(({ id }) => id)]
  const upTo = newestMessageId(tx.sql)
  // The account may have been reopened while an earlier erasure was under way.
  const former = openErasure(tx, user.id)?.actions
  const isOpen = eraseNext(tx, user.id, { actions: either(actions, former), accounts, above: 0, upTo })
  if (isOpen) tx.finishLater({ kind: 'erase-account', key: String(user.id), next: continueErasure })
  else tx.unschedule({ kind: 'erase-account', key: String(user.id) })
}

/** Makes the next commit of an erasure, if one is open. */
export function continueErasure(tx: RealmTransaction, key: string): number | undefined {
  const erasure = openErasure(tx, Number(key))
  return erasure && eraseNext(tx, Number(key), erasure) ? tx.now + BETWEEN_COMMITS_SECONDS : undefined
}

/** Returns whether anything is left. */
function eraseNext(tx: RealmTransaction, userId: number, erasure: Erasure): boolean {
  const { actions, accounts, above, upTo } = erasure
  const [id, ...others] = accounts
  const user = id === undefined ? undefined : findUser(tx.sql, id)
  if (user && actions.delete_profile) eraseProfile(tx, user)
  const places = {
    inPublicChannels: actions.delete_public_channel_messages,
    inPrivateChannels: actions.delete_private_channel_messages,
    inConversations: actions.delete_direct_messages,
  }
  const reached = user && deleteMessagesOf(tx, user.id, places, { above, upTo })
  const next = reached === undefined ? { accounts: others, above: 0 } : { accounts, above: reached }
  if (next.accounts.length > 0) {
    writeMeta(tx.sql, keyOf(userId), JSON.stringify({ actions, upTo, ...next } satisfies Erasure))
    return true
  }
  deleteMeta(tx.sql, keyOf(userId))
  return false
}

/** Deletes personal data and credentials of a closed account. */
function eraseProfile(tx: RealmTransaction, user: User): void {
  if (user.isDeleted) return
  // A bot may wait to be closed with its owner.
  if (user.isActive) closeAccount(tx, user)
  const present = () => findUser(tx.sql, user.id)!
  for (const fieldId of Object.keys(user.profileData))
    putFieldValue(tx, present(), Number(fieldId), undefined)
  if (JSON.stringify(readStatus(tx.sql, user.id)) !== JSON.stringify(NO_STATUS)) {
    changeStatus(tx, present(), NO_STATUS)
  }
  changeUserSetting(tx, present(), 'timezone', '')
  changeFullName(tx, present(), NAME_OF_DELETED)
  if (user.avatarPath !== null) changeAvatarOf(tx, present(), null)
  withdrawAddress(tx, present())
  changeUser(tx.sql, user.id, { isDeleted: true, passwordHash: null })
  deleteLoginIdentitiesOf(tx.sql, user.id)
  deleteSecondFactors(tx, user.id)
  deleteKnownProgramsOf(tx.sql, user.id)
  forgetScimUser(tx.sql, user.id, tx.now)
  emitUserChange(tx, present(), { is_active: false, is_deleted: true })
}

function openErasure({ sql }: RealmTransaction, userId: number): Erasure | undefined {
  return readMetaJson(sql, keyOf(userId))
}

function either(a: ErasureActions, b: ErasureActions = a): ErasureActions {
  return {
    delete_profile: a.delete_profile || b.delete_profile,
    delete_public_channel_messages: a.delete_public_channel_messages || b.delete_public_channel_messages,
    delete_private_channel_messages: a.delete_private_channel_messages || b.delete_private_channel_messages,
    delete_direct_messages: a.delete_direct_messages || b.delete_direct_messages,
  }
}

function keyOf(userId: number): MetaKey {
  return `erasing:${userId}`
}
