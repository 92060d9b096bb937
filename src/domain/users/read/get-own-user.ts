import type { ReadCommand } from '../../../core/command.ts'
import type { Caller } from '../../caller.ts'
import { newestReceivedMessage } from '../../messages/flags/received-message-rows.ts'
import { presentUser } from './present-user.ts'

/**
 * Gets the caller's own account, and the newest message that they received (−1: none). Source:
 * docs/interface/users.md#get-a-user.
 */
export const getOwnUser: ReadCommand<Caller, unknown, void, object> = {
  reads: true,
  apply(tx, { user }) {
    return {
      ...presentUser(user, {
        viewer: user,
        realm: tx.realm,
        clientGravatar: false,
        includeProfileData: true,
      }),
      max_message_id: newestReceivedMessage(tx.sql, user.id) ?? -1,
    }
  },
}
