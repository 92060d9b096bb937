import * as v from 'valibot'
import { deactivateRealm } from '../../domain/realm/deactivate-realm.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { integer, json } from '../parameter-types.ts'

/** Closes the organization. Its data stays, and whoever wants it deleted is told so. Source: core-endpoints 19. */
export const deactivateRealmEndpoint = defineEndpoint({
  operation: 'deactivate-realm',
  method: 'POST',
  path: '/realm/deactivate',
  access: 'owner',
  params: { deletion_delay_days: v.optional(json(v.nullable(integer))) },
  returns: v.object({}),
  command: deactivateRealm,
})
