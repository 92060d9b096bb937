import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { ROLE_VALUES } from '../../rules/roles.ts'
import { getInvitations } from './manage-invitations.ts'

const terms = {
  id: v.number(),
  invited_by_user_id: v.number(),
  invited: v.pipe(v.number(), v.description('UNIX seconds.')),
  expiry_date: v.nullable(v.pipe(v.number(), v.description('UNIX seconds; null if it never expires.'))),
  invited_as: v.picklist(ROLE_VALUES),
  welcome_message_custom_text: v.nullable(v.string()),
}

/** A link for anybody, or a mail to one address. Each kind has its own ids. */
const invitation = v.variant('is_multiuse', [
  v.object({ ...terms, is_multiuse: v.literal(true), link_url: v.string() }),
  v.object({
    ...terms,
    is_multiuse: v.literal(false),
    email: v.string(),
    notify_referrer_on_join: v.boolean(),
  }),
])

/**
 * Lists open invitations: all for administrators, one's own for others. Source:
 * docs/interface/invitations.md#manage-invitations.
 */
export const getInvitesEndpoint = defineEndpoint({
  operation: 'get-invites',
  method: 'GET',
  path: '/invites',
  access: 'member',
  params: {},
  largeAnswer: true,
  returns: v.object({ invites: v.array(invitation) }),
  command: getInvitations,
})
