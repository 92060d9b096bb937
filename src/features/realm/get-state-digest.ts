import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, integer } from '../../api/parameter-types.ts'
import { digestOfState } from '../../model/register/digest-of-state.ts'
import { COMPARED_SECTIONS } from '../../rules/compared-state.ts'

/** Gets digests of what the caller sees, for clients that compare their own state. Source: docs/interface/register.md#the-digest-of-the-state. */
export const getStateDigestEndpoint = defineEndpoint({
  operation: 'get-state-digest',
  route: 'GET /realm/digest',
  access: 'user',
  returns: v.object({
    last_event_id: described(integer, 'The newest event that the digests take into account.'),
    sections: v.object(Object.fromEntries(COMPARED_SECTIONS.map((section) => [section, v.string()]))),
  }),
  query: (tx, caller) => ({ last_event_id: tx.lastEventId(), sections: digestOfState(tx, caller) }),
})
