import { acceptInvitation, showInvitation } from '../../domain/invitations/accept-invitation.ts'
import { defineStep } from '../define-endpoint.ts'

/** What the page behind an invitation's link asks for; the API has no such operation. */
export const showInvitationStep = defineStep({
  operation: 'show-invitation',
  access: 'anyone',
  command: showInvitation,
})

export const acceptInvitationStep = defineStep({
  operation: 'accept-invitation',
  access: 'anyone',
  command: acceptInvitation,
})
