import * as v from 'valibot'
import { acceptInvitation, showInvitation } from '../../domain/invitations/accept-invitation.ts'
import { askToJoin } from '../../domain/invitations/ask-to-join.ts'
import { defineStep } from '../define-endpoint.ts'
import { digest, entered, inAddress } from '../step-types.ts'

/** The step behind the page of an invitation's link; the API has no such operation. */
export const showInvitationStep = defineStep({
  operation: 'show-invitation',
  access: 'anyone',
  params: { secret: inAddress },
  command: showInvitation,
  audit: 'read-only',
})

/** The step behind the page of an invitation link, where an address is entered that has to be confirmed. */
export const askToJoinStep = defineStep({
  operation: 'ask-to-join',
  access: 'anyone',
  params: { secret: inAddress, email: entered, language: v.optional(entered) },
  command: askToJoin,
  audit: { because: 'Sends mail, which has limits of its own; accept-invitation says what came of it.' },
})

export const acceptInvitationStep = defineStep({
  operation: 'accept-invitation',
  access: 'anyone',
  params: {
    secret: inAddress,
    email: entered,
    full_name: entered,
    password: entered,
    password_hash: v.optional(digest),
    language: v.optional(entered),
  },
  command: acceptInvitation,
  audit: ({ value }) => ({
    action: 'user_joined',
    actorId: value.user_id,
    details: { user_id: value.user_id },
  }),
})
