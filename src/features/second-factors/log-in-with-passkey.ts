import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { TOKEN_LENGTH } from '../../api/input-limits.ts'
import { auditOfLogin, loginEnd } from '../../api/own-password.ts'
import { nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import { digest } from '../../api/step-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { requirePasswordLogin } from '../../model/accounts/login/fetch-api-key.ts'
import { finishLogin } from '../../model/accounts/login/finish-login.ts'
import {
  type PasskeyAnswer,
  type PasskeyQuestion,
  unusablePasskey,
} from '../../model/second-factors/in-worker/passkey-answers.ts'
import { findPasskey, notePasskeyUse } from '../../store/second-factors/second-factor-rows.ts'
import { deleteLoginTicket, type FinishedLogin } from '../../store/users/login/login-ticket-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { requireTicket } from './log-in-with-code.ts'
import { handleOf, namedCredentials, newChallenge, requireChallenge } from './passkeys.ts'

const token = textUpTo(TOKEN_LENGTH)

/** Begins a log-in with a passkey: without a name, or with the ticket of a user who has entered the password. */
export const beginPasskeyLoginStep = defineStep({
  operation: 'begin-passkey-login',
  access: 'anyone',
  params: { ticket: v.nullable(digest) },
  apply(tx, _anyone, { ticket }): PasskeyQuestion {
    // Passkeys replace passwords, so they are refused if everyone logs in with a provider.
    requirePasswordLogin(tx.sql)
    if (ticket === null) return { challenge: newChallenge(tx, 'log in', null), credentials: [] }
    const { user } = requireTicket(tx, { ticket })
    return {
      challenge: newChallenge(tx, 'second factor', user.id),
      credentials: namedCredentials(tx, user.id),
    }
  },
  rateLimit: 'doors',
  audit: 'step',
})

export const findPasskeyStep = defineStep({
  operation: 'find-passkey',
  access: 'anyone',
  params: { credential_id: token },
  apply(tx, _anyone, { credential_id }): FoundPasskey {
    const passkey = findPasskey(tx.sql, credential_id)
    if (!passkey) throw unusablePasskey()
    return { public_key: passkey.publicKey, counter: passkey.counter, handle: handleOf(passkey.userId) }
  },
  rateLimit: 'doors',
  audit: 'read-only',
})

export const finishPasskeyLoginStep = defineStep({
  operation: 'finish-passkey-login',
  access: 'anyone',
  params: {
    answer: v.strictObject({
      credentialId: token,
      challenge: token,
      counter: nonNegativeInteger,
      isBackedUp: v.boolean(),
      isVerified: v.boolean(),
    }),
    ticket: v.nullable(digest),
    end: loginEnd,
  },
  apply(tx, { source }, { answer, ticket, end }): FinishedLogin {
    requirePasswordLogin(tx.sql)
    if (ticket === null) {
      const user = usePasskey(tx, answer, 'log in')
      // Someone who found a key could log in with it: alone it is enough only if it verifies its owner.
      if (!answer.isVerified) {
        throw new BadRequestError(
          'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.',
        )
      }
      return finishLogin(tx, user, { source, end, proof: { method: 'passkey' } })
    }
    const { user, digest, address } = requireTicket(tx, { ticket })
    usePasskey(tx, answer, 'second factor', user)
    deleteLoginTicket(tx.sql, digest)
    return finishLogin(tx, user, { source, end, proof: { method: 'password+passkey', address } })
  },
  audit: ({ params, ...change }) =>
    auditOfLogin(params.ticket === null ? 'passkey' : 'password+passkey')({ params, ...change }),
})

/** A passkey in the form in which the Worker checks an answer. It never leaves the Worker. */
export interface FoundPasskey {
  readonly public_key: string
  readonly counter: number
  readonly handle: string
}

/** Uses up a valid answer, and returns the passkey's owner. `owner`: who it must be. @throws BadRequestError */
export function usePasskey(
  tx: RealmTransaction,
  answer: PasskeyAnswer,
  purpose: 'log in' | 'second factor' | 'prove',
  owner?: User,
): User {
  requireChallenge(tx, answer.challenge, purpose, owner?.id ?? null)
  const passkey = findPasskey(tx.sql, answer.credentialId)
  const user = passkey && findUser(tx.sql, passkey.userId)
  if (!user || (owner && user.id !== owner.id) || !isNewer(answer, passkey)) {
    throw unusablePasskey()
  }
  notePasskeyUse(tx.sql, passkey.id, answer, tx.now)
  return user
}

/** Whether the passkey's counter has risen, if it counts: otherwise there is a copy of it. */
function isNewer({ counter }: PasskeyAnswer, known: { readonly counter: number }): boolean {
  return counter > known.counter || (counter === 0 && known.counter === 0)
}
