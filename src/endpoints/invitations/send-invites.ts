import * as v from 'valibot'
import { ApiError } from '../../core/errors.ts'
import { sendInvitations } from '../../domain/invitations/send-invitations.ts'
import { ROLES } from '../../permissions/roles.ts'
import { termsOf } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { ADDRESSES_LENGTH } from '../input-limits.ts'
import { jsonBoolean, textUpTo } from '../parameter-types.ts'
import { channelIds, defaults, expiry, groups, inviteAs, welcomeText } from './invitation-parameters.ts'

/** Invites people by mail. Source: docs/interface/invitations.md#invite-by-mail. */
export const sendInvitesEndpoint = defineEndpoint({
  operation: 'send-invites',
  method: 'POST',
  path: '/invites',
  access: 'human-member',
  needsProof: ({ invite_as }) => invite_as === ROLES.owner,
  growsObject: true,
  params: {
    invitee_emails: v.optional(textUpTo(ADDRESSES_LENGTH)),
    ...expiry,
    ...inviteAs,
    notify_referrer_on_join: v.optional(jsonBoolean, 'true'),
    stream_ids: channelIds,
    ...groups,
    ...defaults,
    ...welcomeText,
  },
  returns: v.object({}),
  command: sendInvitations,
  audit: {
    whenChanged: ({ params }) => ({
      action: 'invitations_sent',
      details: {
        addresses: String(params.invitee_emails ?? '')
          .split(/[\s,]+/)
          .filter(Boolean).length,
        ...termsOf(params),
      },
    }),
  },
  /** Some were invited, others could not be: an error to the client, but sent invitations stay. */
  async finish({ failure }) {
    if (failure) throw ApiError.fromWire(failure)
    return {}
  },
})
