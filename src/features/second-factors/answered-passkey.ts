import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { WorkerContext } from '../../api/define-endpoint.ts'
import { checkPasskeyAnswer } from '../../model/second-factors/in-worker/passkey-answers.ts'
import type { PasskeyAnswer } from '../../model/second-factors/passkey-facts.ts'
import { findPasskeyStep } from './log-in-steps.ts'
import type { FoundPasskey } from './log-in-with-passkey.ts'

/**
 * Checks an answer with the passkey that it names. Whether the challenge was ours is for the object to say.
 * @throws BadRequestError
 */
export async function answeredPasskey(
  answer: AuthenticationResponseJSON,
  { run, source }: Pick<WorkerContext, 'run' | 'source'>,
): Promise<PasskeyAnswer> {
  const found = (await run(findPasskeyStep.operation, { credential_id: answer.id })) as FoundPasskey
  const known = {
    credentialId: answer.id,
    publicKey: found.public_key,
    counter: found.counter,
    handle: found.handle,
  }
  return checkPasskeyAnswer(answer, known, source)
}
