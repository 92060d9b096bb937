import type { ApiError } from '../../core/errors.ts'
import { workGate } from '../../core/work-gate.ts'
import {
  checkOwnPassword,
  noteWrongOwnPassword,
  passOwnPassword,
} from '../../domain/users/login/check-own-password.ts'
import { defineStep, type WorkerContext } from '../define-endpoint.ts'
import { verifyPassword } from './password-hash.ts'

/**
 * Checks the caller's own password, which is asked for once more, and returns the hash that it fits.
 *
 * @param refusal the text for a wrong one.
 */
export async function requireOwnPassword(
  password: string,
  worker: WorkerContext,
  refusal: () => ApiError,
): Promise<string | null> {
  const place = workGate.reserve()
  try {
    const { hash } = (await worker.run(checkOwnPasswordStep.operation, {})) as { hash: string | null }
    if (!(await verifyPassword(password, hash, place))) {
      await worker.run(noteWrongOwnPasswordStep.operation, {})
      throw refusal()
    }
    await worker.run(passOwnPasswordStep.operation, {})
    return hash
  } finally {
    place.leave()
  }
}

export const checkOwnPasswordStep = defineStep({
  operation: 'check-own-password',
  access: 'human',
  params: {},
  command: checkOwnPassword,
  audit: {
    because:
      'Counts the attempt; note-wrong-own-password or the operation that asks for it says what came of it.',
  },
})

export const noteWrongOwnPasswordStep = defineStep({
  operation: 'note-wrong-own-password',
  access: 'human',
  params: {},
  command: noteWrongOwnPassword,
  // The entry has no actor either: somebody else may have the key.
  audit: ({ actorId }) => ({
    action: 'login_failed',
    actorId: null,
    details: { user_id: actorId, is_logged_in: true },
  }),
})

export const passOwnPasswordStep = defineStep({
  operation: 'pass-own-password',
  access: 'human',
  params: {},
  command: passOwnPassword,
  audit: 'step',
})
