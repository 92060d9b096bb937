import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { invitationPath } from './invitation-parameters.ts'
import { revokeInvitation } from './manage-invitations.ts'

/** Revokes an invitation by mail. Source: docs/interface/invitations.md#manage-invitations. */
export const revokeEmailInviteEndpoint = defineEndpoint({
  operation: 'revoke-email-invite',
  method: 'DELETE',
  path: '/invites/:invite_id',
  access: 'human-member',
  params: invitationPath,
  returns: v.object({}),
  command: revokeInvitation,
  audit: ({ params }) => ({
    action: 'invitation_revoked',
    details: { invite_id: params.invite_id, is_multiuse: false },
  }),
})
