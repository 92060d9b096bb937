import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { listUsersAbove, type Profile } from '../../store/users/user-rows.ts'

/**
 * Lists which users let administrators export their private data. Source:
 * docs/interface/administration.md#exports.
 */
export const getRealmExportConsentsEndpoint = defineEndpoint({
  operation: 'get-realm-export-consents',
  method: 'GET',
  path: '/export/realm/consents',
  access: 'administrator',
  params: {},
  returns: v.object({
    export_consents: v.array(
      v.object({ user_id: v.number(), consented: v.boolean(), email_address_visibility: v.number() }),
    ),
  }),
  command: { reads: true, apply: getRealmExportConsents },
})

interface ExportConsent {
  readonly user_id: number
  readonly consented: boolean
  readonly email_address_visibility: number
}

/**
 * Lists everybody with an open account, and whether they consent to exports of private data. Source:
 * docs/interface/administration.md#exports.
 */
function getRealmExportConsents(tx: RealmReads): { readonly export_consents: readonly ExportConsent[] } {
  return { export_consents: tx.use(consents, undefined) }
}

const USERS_AT_A_TIME = 200

const consents = defineReader({
  name: 'consents to exports',
  // Accounts change all the time, and this is only looked at.
  mayLag: true,
  key: () => '',
  *read({ sql }) {
    const found: ExportConsent[] = []
    for (let above = 0; ; ) {
      const users = listUsersAbove(sql, above, USERS_AT_A_TIME)
      found.push(...consentsOf(users))
      if (users.length < USERS_AT_A_TIME) return found
      above = users.at(-1)!.id
      yield
    }
  },
})

function consentsOf(users: readonly Profile[]): ExportConsent[] {
  return users
    .filter(({ isActive, botType }) => isActive && botType === null)
    .map((user) => ({
      user_id: user.id,
      consented: userSetting(user, 'allow_private_data_export'),
      email_address_visibility: userSetting(user, 'email_address_visibility'),
    }))
}
