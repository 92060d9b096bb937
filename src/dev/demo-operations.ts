import * as v from 'valibot'
import { defineStep, type Operation } from '../api/define-endpoint.ts'
import { digest, entered } from '../api/step-types.ts'
import { createAccount } from '../model/accounts/create-user.ts'
import { renewChannelStatistics } from '../model/channels/activity/channel-statistics.ts'
import { changeUser } from '../store/users/user-rows.ts'
import { devLogInStep, devPeopleStep } from './log-in.ts'

/**
 * Sets the caller's joining date, and the creation date of the first channels, to the current time: both are made before the time can be
 * set, and the owner would otherwise see the whole history as from before the account.
 */
const beginNow = defineStep({
  operation: 'dev-begin-now',
  access: 'user',
  audit: { because: 'It is deployed nowhere.' },
  apply(tx, { user }) {
    changeUser(tx.sql, user.id, { joinedAt: tx.now })
    tx.sql.run(`UPDATE channel SET created_at = ?`, Math.floor(tx.now))
  },
})

/** Computes the channels' traffic now, which a job would do tomorrow. */
const renewStatistics = defineStep({
  operation: 'dev-renew-statistics',
  access: 'user',
  audit: { because: 'It is deployed nowhere.' },
  apply(tx) {
    renewChannelStatistics(tx)
  },
})

/** Makes an account as POST /users does, but sends no mail. */
const createUser = defineStep({
  operation: 'dev-create-user',
  access: 'user',
  params: { email: entered, password: entered, full_name: entered, password_hash: v.optional(digest) },
  audit: { because: 'It is deployed nowhere.' },
  apply(tx, caller, params) {
    return { user_id: createAccount(tx, caller, params).id }
  },
})

/** Operations for the demo organization, and for logging in to it, in addition to the API. None has a route. */
export const DEMO_OPERATIONS: readonly Operation[] = [
  beginNow,
  renewStatistics,
  createUser,
  devLogInStep,
  devPeopleStep,
]
