import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { invitationPath } from './invitation-parameters.ts'
import { revokeInviteLink } from './manage-invitations.ts'

/** Revokes an invitation link. Source: docs/interface/invitations.md#links. */
export const revokeInviteLinkEndpoint = defineEndpoint({
  operation: 'revoke-invite-link',
  method: 'DELETE',
  path: '/invites/multiuse/:invite_id',
  access: 'human-member',
  params: invitationPath,
  returns: v.object({}),
  command: revokeInviteLink,
  audit: ({ params }) => ({
    action: 'invitation_revoked',
    details: { invite_id: params.invite_id, is_multiuse: true },
  }),
})
