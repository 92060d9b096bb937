import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { invitationPath } from './invitation-parameters.ts'
import { resendInvitation } from './manage-invitations.ts'

/** Sends the mail of an invitation again. Source: docs/interface/invitations.md#manage-invitations. */
export const resendEmailInviteEndpoint = defineEndpoint({
  operation: 'resend-email-invite',
  method: 'POST',
  path: '/invites/:invite_id/resend',
  access: 'human-member',
  params: invitationPath,
  returns: v.object({}),
  command: resendInvitation,
  audit: { because: 'It repeats a mail, which was recorded when it was first sent.' },
})
