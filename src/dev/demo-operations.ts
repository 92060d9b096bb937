import { changeUser } from '../domain/users/user-rows.ts'
import { defineStep, type Operation } from '../endpoints/define-endpoint.ts'

/**
 * Makes the caller have joined when the call happens: the demo's owner is there before the clock can be
 * told, and would find the whole past to be from before the account.
 */
const joinNow = defineStep<'user', unknown, void, object>({
  operation: 'dev-join-now',
  access: 'user',
  command: {
    apply(tx, { user }) {
      changeUser(tx.sql, user.id, { joinedAt: tx.now })
      return {}
    },
  },
})

/** What the demo organization needs beside the API. Only POST /dev/run reaches it: it has no route. */
export const DEMO_OPERATIONS: readonly Operation[] = [joinNow]
