import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { presentUser } from '../../model/users/read/present-user.ts'
import { newestReceivedMessage } from '../../store/messages/flags/received-message-rows.ts'
import { user } from './user-schema.ts'

/**
 * Gets the caller's own account, and the newest message that they received (−1: none). Source:
 * docs/interface/users.md#get-a-user.
 */
export const getOwnUserEndpoint = defineEndpoint({
  operation: 'get-own-user',
  method: 'GET',
  path: '/users/me',
  access: 'user',
  params: {},
  returns: v.object({ ...user.entries, max_message_id: v.number() }),
  command: { reads: true, apply: getOwnUser },
})

function getOwnUser(tx: RealmReads, { user }: Caller): object {
  return {
    ...presentUser(user, {
      viewer: user,
      realm: tx.realm,
      clientGravatar: false,
      includeProfileData: true,
    }),
    max_message_id: newestReceivedMessage(tx.sql, user.id) ?? -1,
  }
}
