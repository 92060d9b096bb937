import * as v from 'valibot'
import { getInvitations } from '../../domain/invitations/manage-invitations.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** Open invitations: all for administrators, one's own for others. Source: core-endpoints 17. */
export const getInvitesEndpoint = defineEndpoint({
  operation: 'get-invites',
  method: 'GET',
  path: '/invites',
  access: 'member',
  params: {},
  returns: v.object({ invites: v.array(v.looseObject({ id: v.number(), is_multiuse: v.boolean() })) }),
  command: getInvitations,
})
