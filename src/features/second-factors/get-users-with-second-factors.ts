import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { listUsersWithPasskey } from '../../store/second-factors/passkey-rows.ts'
import { listUsersWithTotp } from '../../store/second-factors/totp-rows.ts'

/** Lists who has a second factor, for administrators, who wait until everybody has one before they require it. Parley's own. */
export const getUsersWithSecondFactorsEndpoint = defineEndpoint({
  operation: 'get-users-with-second-factors',
  method: 'GET',
  path: '/second_factors/users',
  access: 'administrator',
  params: {},
  returns: v.object({ user_ids: v.array(v.number()) }),
  command: { reads: true, apply: getUsersWithSecondFactors },
})

function getUsersWithSecondFactors({ sql }: RealmReads): { user_ids: number[] } {
  const ids = new Set([...listUsersWithTotp(sql), ...listUsersWithPasskey(sql)])
  return { user_ids: [...ids].sort((a, b) => a - b) }
}
