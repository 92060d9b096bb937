import * as v from 'valibot'
import { getSecondFactors } from '../../domain/second-factors/get-second-factors.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { integer } from '../parameter-types.ts'

/** Lists what the caller logs in with beside the password. Parley's own. */
export const getSecondFactorsEndpoint = defineEndpoint({
  operation: 'get-second-factors',
  method: 'GET',
  path: '/second_factors',
  access: 'human',
  params: {},
  returns: v.object({
    is_required: v.boolean(),
    totp_made_at: v.nullable(integer),
    recovery_codes_left: integer,
    passkeys: v.array(
      v.object({
        id: integer,
        name: v.string(),
        is_backed_up: v.boolean(),
        made_at: integer,
        used_at: v.nullable(integer),
      }),
    ),
  }),
  command: getSecondFactors,
})
