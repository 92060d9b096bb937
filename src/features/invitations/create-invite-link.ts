import * as v from 'valibot'
import { termsOf } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { ROLES } from '../../rules/roles.ts'
import { channelIds, defaults, expiry, groups, inviteAs, welcomeText } from './invitation-parameters.ts'
import { createInviteLink } from './manage-invitations.ts'

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
