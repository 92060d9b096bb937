import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import { verifyRealm } from '../../model/verification/verify-realm.ts'

/**
 * Compares the organization's data in its different stores, one part per call. Not part of the public interface: `npm run verify` does the
 * same without an account.
 */
export const verifyRealmEndpoint = defineEndpoint({
  operation: 'verify-realm',
  route: 'POST /realm/verify',
  access: 'owner',
  params: {
    after: v.pipe(
      v.optional(textUpTo(20)),
      v.description(
        'The `next` of an earlier call, to continue where that call stopped. By default the check starts at the beginning.',
      ),
    ),
    repair: v.pipe(
      v.optional(jsonBoolean, 'false'),
      v.description('Whether to repair derived data that differs from what it is derived from.'),
    ),
  },
  returns: v.object({
    findings: v.array(
      v.object({ check: v.string(), what: v.string(), problem: v.string(), repaired: v.boolean() }),
    ),
    next: v.nullable(v.string()),
  }),
  command: verifyRealm,
  audit: 'step',
  repeatable: () => true,
})
