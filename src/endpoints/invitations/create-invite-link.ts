import * as v from 'valibot'
import { createInviteLink } from '../../domain/invitations/manage-invitations.ts'
import { ROLES } from '../../permissions/roles.ts'
import { termsOf } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { channelIds, defaults, expiry, groups, inviteAs, welcomeText } from './invitation-parameters.ts'

/** Makes a link with which anybody may join. Source: docs/interface/invitations.md#links. */
export const createInviteLinkEndpoint = defineEndpoint({
  operation: 'create-invite-link',
  method: 'POST',
  path: '/invites/multiuse',
  access: 'human-member',
  needsProof: ({ invite_as }) => invite_as === ROLES.owner,
  growsObject: true,
  params: {
    ...expiry,
    ...inviteAs,
    stream_ids: v.optional(channelIds, '[]'),
    ...groups,
    ...defaults,
    ...welcomeText,
  },
  returns: v.object({ invite_link: v.string() }),
  command: createInviteLink,
  audit: {
    whenChanged: ({ params }) => ({
      action: 'invitation_link_created',
      details: termsOf(params),
    }),
  },
})
