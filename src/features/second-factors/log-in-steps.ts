import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { TOKEN_LENGTH } from '../../api/input-limits.ts'
import { auditOfLogin, loginEnd } from '../../api/own-password.ts'
import { integer, nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import { digest, entered } from '../../api/step-types.ts'
import {
  beginTotpAtLogin,
  checkLoginCode,
  finishLoginWithCode,
  showSecondFactor,
} from '../../model/second-factors/log-in-with-code.ts'
import { beginPasskeyLogin, findPasskeyOfAnswer, finishPasskeyLogin } from './log-in-with-passkey.ts'

const ticket = digest
const token = textUpTo(TOKEN_LENGTH)

export const showSecondFactorStep = defineStep({
  operation: 'show-second-factor',
  access: 'anyone',
  params: { ticket },
  apply: showSecondFactor,
  audit: 'read-only',
})

export const beginTotpAtLoginStep = defineStep({
  operation: 'begin-totp-at-login',
  access: 'anyone',
  params: { ticket, secret: token },
  apply: beginTotpAtLogin,
  audit: 'step',
})

export const checkLoginCodeStep = defineStep({
  operation: 'check-login-code',
  access: 'anyone',
  params: { ticket },
  apply: checkLoginCode,
  audit: { because: 'Counts the code; finish-login-with-code records the outcome.' },
})

export const finishLoginWithCodeStep = defineStep({
  operation: 'finish-login-with-code',
  access: 'anyone',
  params: { ticket, code: entered, step: v.nullable(integer), end: loginEnd },
  apply: finishLoginWithCode,
  audit: ({ value, ...change }) => {
    const { user_id } = value
    // The entry has no actor, like that of a wrong password.
    if (value.kind === 'wrong code') {
      return { action: 'login_failed', actorId: null, details: { user_id, wrong: 'code' } }
    }
    const isNew = value.recovery_codes.length > 0
    const added = {
      action: 'second_factor_added',
      actorId: user_id,
      details: { user_id, kind: 'totp' },
    } as const
    const login = auditOfLogin('password+code')({ ...change, value })
    return [...(isNew ? [added] : []), ...(login ? [login] : [])]
  },
})

export const beginPasskeyLoginStep = defineStep({
  operation: 'begin-passkey-login',
  access: 'anyone',
  params: { ticket: v.nullable(ticket) },
  apply: beginPasskeyLogin,
  rateLimit: 'doors',
  audit: 'step',
})

export const findPasskeyStep = defineStep({
  operation: 'find-passkey',
  access: 'anyone',
  params: { credential_id: token },
  apply: findPasskeyOfAnswer,
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
    ticket: v.nullable(ticket),
    end: loginEnd,
  },
  apply: finishPasskeyLogin,
  audit: ({ params, ...change }) =>
    auditOfLogin(params.ticket === null ? 'passkey' : 'password+passkey')({ params, ...change }),
})
