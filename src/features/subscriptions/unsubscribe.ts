import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonNames } from '../../api/parameter-types.ts'
import { principals } from './subscription-parameters.ts'
import { unsubscribe } from './unsubscribe-work.ts'

/** Ends subscriptions, one's own or others'. Source: docs/interface/subscriptions.md#unsubscribe. */
export const unsubscribeEndpoint = defineEndpoint({
  operation: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  access: 'user',
  params: { subscriptions: jsonNames, principals: v.optional(principals) },
  returns: v.object({ removed: v.array(v.string()), not_removed: v.array(v.string()) }),
  command: unsubscribe,
  audit: { because: 'Who is in a channel is shown with it.' },
})
