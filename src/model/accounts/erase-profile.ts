import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { SHOWN_SETTINGS } from '../../core/shown-settings.ts'
import { deleteNetworksOf } from '../../store/attempts/network-rows.ts'
import { deleteKnownProgramsOf } from '../../store/emails/email-rows.ts'
import { deleteLoginIdentitiesOf } from '../../store/login-providers/login-provider-rows.ts'
import { NO_STATUS, readStatus } from '../../store/presence/presence-and-status-rows.ts'
import { forgetScimUser } from '../../store/scim/scim-rows.ts'
import { changeUser, findUser, type User } from '../../store/users/user-rows.ts'
import { putFieldValue } from '../profile-fields/change-field-values.ts'
import { deleteSecondFactors } from '../second-factors/change-second-factors.ts'
import { changeStatus } from '../user-status/change-status.ts'
import { emitUserChange } from '../users/visibility/emit-user-change.ts'
import { withdrawAddress } from './addresses/change-email.ts'
import { changeAvatarOf } from './avatar-of-user.ts'
import { changeUserSetting } from './change-user-setting.ts'
import { closeAccount } from './close-account.ts'
import { changeFullName } from './full-name-rules.ts'

/** Deletes what an account says of its person, and what opened it, unless that was done before. The account gets this name. */
export function eraseProfile(tx: RealmTransaction, user: User, name: string): void {
  if (user.isDeleted) return
  // A bot may wait to be closed with its owner.
  if (user.isActive) closeAccount(tx, user)
  const present = () => findUser(tx.sql, user.id)!
  for (const fieldId of Object.keys(user.profileData))
    putFieldValue(tx, present(), Number(fieldId), undefined)
  if (JSON.stringify(readStatus(tx.sql, user.id)) !== JSON.stringify(NO_STATUS)) {
    changeStatus(tx, present(), NO_STATUS)
  }
  for (const setting of SHOWN_SETTINGS) changeUserSetting(tx, present(), setting, '')
  changeFullName(tx, present(), name)
  if (user.avatarPath !== null) changeAvatarOf(tx, present(), null)
  withdrawAddress(tx, present())
  changeUser(tx.sql, user.id, { isDeleted: true, passwordHash: null })
  deleteLoginIdentitiesOf(tx.sql, user.id)
  deleteSecondFactors(tx, user.id)
  deleteKnownProgramsOf(tx.sql, user.id)
  deleteNetworksOf(tx.sql, user.id)
  forgetScimUser(tx.sql, user.id, tx.now)
  emitUserChange(tx, present(), { is_active: false, is_deleted: true })
}
