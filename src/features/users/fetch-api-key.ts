import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { verifyPassword } from '../../api/in-worker/password-hash.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { fetchApiKey, needsBrowser, wrongPassword } from '../../model/users/login/fetch-api-key.ts'
import type { FinishedLogin, LoginEnd } from '../../store/users/login/login-proof.ts'
import { fetchOwnApiKeyEndpoint } from './fetch-own-api-key.ts'
import { completeLoginStep, noteFailedLoginStep } from './login-steps.ts'

/**
 * Logs in with a password. The object counts the attempt and gives the hash, the Worker makes the slow check,
 * and the object gives the key. Source: docs/interface/login.md#with-a-password.
 */
export const fetchApiKeyEndpoint = defineEndpoint({
  operation: 'fetch-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  access: 'anyone',
  rateLimit: 'doors',
  params: { username: textUpTo(NAME_LENGTH), password: textUpTo(NAME_LENGTH) },
  returns: v.object({ api_key: v.string(), email: v.string(), user_id: v.number() }),
  command: fetchApiKey,
  audit: { because: 'Counts the attempt; complete-login or note-failed-login says what came of it.' },
  belowJson: fetchOwnApiKeyEndpoint,
  reservesPlace: true,
  async finish(check, { password }, worker) {
    if (!(await verifyPassword(password, check.hash, worker.place!))) {
      await worker.run(noteFailedLoginStep.operation, { userId: check.userId })
      throw wrongPassword()
    }
    const end: LoginEnd = { kind: 'app' }
    const finished = (await worker.run(completeLoginStep.operation, { ...check, end })) as FinishedLogin
    if (finished.kind !== 'app') throw needsBrowser()
    const { kind: _, ...login } = finished
    return login
  },
})
