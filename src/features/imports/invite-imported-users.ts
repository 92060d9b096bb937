import * as v from 'valibot'
import { changesIn } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, integer, json } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { beginInvitingImported } from '../../model/imports/invite-imported.ts'
import { isMethodOn, presentExternalMethods } from '../../model/login-providers/login-methods.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'

/**
 * Mails users of imported accounts who have not logged in yet how they do that, a few every half minute: a link to set a password, or where
 * passwords are off the log-in page. Source: docs/interface/administration.md#imports.
 */
export const inviteImportedUsersEndpoint = defineEndpoint({
  operation: 'invite-imported-users',
  route: 'POST /imports/invitations',
  access: 'owner',
  // Some of them may be more than members.
  needsProof: true,
  params: {
    user_group_id: described(
      v.optional(json(integer)),
      'Only the members of this group, and of its subgroups, are mailed. If absent, everybody is.',
    ),
  },
  returns: v.object({}),
  apply(tx, { source }, { user_group_id: groupId }): object {
    if (!isMethodOn(tx.sql, 'Email') && presentExternalMethods(tx.sql, source).length === 0) {
      throw new BadRequestError('Password authentication is disabled in this organization')
    }
    if (groupId !== undefined && findGroup(tx.sql, groupId)?.isDeactivated !== false) {
      throw new BadRequestError('Invalid user group')
    }
    beginInvitingImported(tx, groupId)
    return {}
  },
  audit: ({ params }) => ({ action: 'imported_users_invited', details: changesIn(params) }),
})
