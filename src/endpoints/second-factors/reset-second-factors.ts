import * as v from 'valibot'
import { resetSecondFactors } from '../../domain/second-factors/reset-second-factors.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Takes the second factors of somebody away who has lost them. Parley's own. */
export const resetSecondFactorsEndpoint = defineEndpoint({
  operation: 'reset-second-factors',
  method: 'DELETE',
  path: '/users/:user_id/second_factors',
  access: 'administrator',
  needsProof: true,
  params: { user_id: pathInteger },
  returns: v.object({}),
  command: resetSecondFactors,
  audit: ({ params }) => ({ action: 'second_factors_reset', details: { user_id: params.user_id } }),
})
