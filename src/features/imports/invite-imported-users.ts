import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { BadRequestError } from '../../core/errors.ts'
import { beginInvitingImported } from '../../model/imports/invite-imported.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'

/**
 * Mails users of imported accounts who have not logged in yet a link to set a password, a few every half minute. Source:
 * docs/interface/administration.md#imports.
 */
export const inviteImportedUsersEndpoint = defineEndpoint({
  operation: 'invite-imported-users',
  route: 'POST /imports/invitations',
  access: 'owner',
  // Some of them may be more than members.
  needsProof: true,
  params: {},
  returns: v.object({}),
  apply(tx): object {
    if (realmProperty(tx.sql, 'authentication_methods').Email !== true) {
      throw new BadRequestError('Password authentication is disabled in this organization')
    }
    beginInvitingImported(tx)
    return {}
  },
  audit: () => ({ action: 'imported_users_invited', details: {} }),
})
