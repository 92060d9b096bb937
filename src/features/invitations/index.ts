import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { acceptInvitationStep, askToJoinStep, showInvitationStep } from './accept-invitation.ts'
import {
  createInviteLinkEndpoint,
  getInvitesEndpoint,
  resendEmailInviteEndpoint,
  revokeEmailInviteEndpoint,
  revokeInviteLinkEndpoint,
} from './invitations.ts'
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
