import * as v from 'valibot'
import {
  type CompletedLogin,
  completeLogin,
  fetchApiKey,
  noteFailedLogin,
  wrongPassword,
} from '../../domain/users/login/fetch-api-key.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'
import { entered, passwordCheck } from '../step-types.ts'
import { fetchOwnApiKeyEndpoint } from './fetch-own-api-key.ts'
import { verifyPassword } from './password-hash.ts'

/**
 * Logs in with a password. The object counts the attempt and gives the hash, the Worker makes the slow check,
 * and the object gives the key. Source: docs/interface/login.md#with-a-password.
 */
export const fetchApiKeyEndpoint = defineEndpoint({
  operation: 'fetch-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  access: 'anyone',
  params: { username: textUpTo(NAME_LENGTH), password: textUpTo(NAME_LENGTH) },
  returns: v.object({ api_key: v.string(), email: v.string(), user_id: v.number() }),
  command: fetchApiKey,
  audit: { because: 'Counts the attempt; complete-login or note-failed-login says what came of it.' },
  belowJson: fetchOwnApiKeyEndpoint,
  reservesPlace: true,
  async finish(check, { username, password }, worker) {
    if (!(await verifyPassword(password, check.hash, worker.place!))) {
      await worker.run(noteFailedLoginStep.operation, { userId: check.userId })
      throw wrongPassword()
    }
    return (await worker.run(completeLoginStep.operation, { username, ...check })) as CompletedLogin
  },
})

export const completeLoginStep = defineStep({
  operation: 'complete-login',
  access: 'anyone',
  params: { username: entered, ...passwordCheck },
  command: completeLogin,
  audit: ({ value }) => ({
    action: 'login',
    actorId: value.user_id,
    details: { user_id: value.user_id },
  }),
})

export const noteFailedLoginStep = defineStep({
  operation: 'note-failed-login',
  access: 'anyone',
  params: { userId: passwordCheck.userId },
  command: noteFailedLogin,
  // The entry has no actor, so that somebody who tries passwords displaces no entry of that account.
  audit: ({ params }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: params.userId },
  }),
})
