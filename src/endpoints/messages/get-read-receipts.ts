import * as v from 'valibot'
import { getReadReceipts } from '../../domain/messages/read/get-read-receipts.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Lists who has read a message. Source: docs/interface/messages.md#read-receipts. */
export const getReadReceiptsEndpoint = defineEndpoint({
  operation: 'get-read-receipts',
  method: 'GET',
  path: '/messages/:message_id/read_receipts',
  access: 'user',
  params: { message_id: pathInteger },
  returns: v.object({ user_ids: v.array(v.number()) }),
  command: getReadReceipts,
})
