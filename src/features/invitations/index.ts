import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { acceptInvitationStep, askToJoinStep, showInvitationStep } from './accept-invitation.ts'
import { createInviteLinkEndpoint } from './create-invite-link.ts'
import { getInvitesEndpoint } from './get-invites.ts'
import { resendEmailInviteEndpoint } from './resend-email-invite.ts'
import { revokeEmailInviteEndpoint } from './revoke-email-invite.ts'
import { revokeInviteLinkEndpoint } from './revoke-invite-link.ts'
import { sendInvitesEndpoint } from './send-invites.ts'

export const INVITATION_ENDPOINTS: readonly Endpoint[] = [
  createInviteLinkEndpoint,
  getInvitesEndpoint,
  resendEmailInviteEndpoint,
  revokeEmailInviteEndpoint,
  revokeInviteLinkEndpoint,
  sendInvitesEndpoint,
]

export const INVITATION_STEPS: readonly Operation[] = [
  acceptInvitationStep,
  askToJoinStep,
  showInvitationStep,
]
