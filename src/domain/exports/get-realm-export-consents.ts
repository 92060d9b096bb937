import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { usersInTurns } from '../users/read/users-in-turns.ts'
import { userSetting } from '../users/settings/user-setting-rows.ts'
import type { User } from '../users/user-rows.ts'

export interface ExportConsent {
  readonly user_id: number
  readonly consented: boolean
  readonly email_address_visibility: number
}

/**
 * Lists everybody with an open account, and whether they consent to exports of private data. Source:
 * docs/interface/administration.md#exports.
 */
export const getRealmExportConsents: ReadCommand<
  Caller,
  object,
  readonly ExportConsent[],
  { readonly export_consents: readonly ExportConsent[] }
> = {
  reads: true,
  load: ({ walks }, { sql }) => usersInTurns(walks, sql, consentsOf),
  apply: (_tx, _caller, _params, export_consents) => ({ export_consents }),
}

function consentsOf(users: readonly User[]): ExportConsent[] {
  return users
    .filter(({ isActive, botType }) => isActive && botType === null)
    .map((user) => ({
      user_id: user.id,
      consented: userSetting(user, 'allow_private_data_export'),
      email_address_visibility: userSetting(user, 'email_address_visibility'),
    }))
}
