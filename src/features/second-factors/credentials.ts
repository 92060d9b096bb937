import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as v from 'valibot'
import { TOKEN_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import { json, listUpTo, textUpTo } from '../../api/parameter-types.ts'

/** Browsers' answers about passkeys, in the JSON of WebAuthn. Other fields are left out. */

/** Ids have at most 1,023 bytes. */
const credentialId = textUpTo(2_000)
const base64Url = textUpTo(TOKEN_LENGTH)
const names = { id: credentialId, rawId: credentialId, type: v.literal('public-key') }

/** An existing passkey, in the form for browsers. */
export const credentialDescriptor = v.object({
  type: v.literal('public-key'),
  id: v.string(),
  transports: v.array(v.string()),
})

/** The options with which browsers ask for a passkey. */
export const requestOptionsShape = v.object({
  challenge: v.string(),
  rpId: v.string(),
  allowCredentials: v.array(credentialDescriptor),
  timeout: v.number(),
  userVerification: v.literal('preferred'),
})

/** The answer of a browser that has created a passkey (`PublicKeyCredential.toJSON()`). */
export const newCredential = json(
  v.pipe(
    v.object({
      ...names,
      response: v.object({
        clientDataJSON: base64Url,
        attestationObject: base64Url,
        transports: v.optional(listUpTo(10, textUpTo(WORD_LENGTH))),
      }),
    }),
    v.transform(
      ({ response: { transports, ...response }, ...answer }): RegistrationResponseJSON => ({
        ...answer,
        response: { ...response, ...(transports ? { transports } : {}) },
        clientExtensionResults: {},
      }),
    ),
  ),
  3 * TOKEN_LENGTH,
)

/** The answer of a browser whose user has used a passkey. */
export const credentialAnswer = json(
  v.pipe(
    v.object({
      ...names,
      response: v.object({
        clientDataJSON: base64Url,
        authenticatorData: base64Url,
        signature: base64Url,
        userHandle: v.optional(v.nullable(base64Url)),
      }),
    }),
    v.transform(
      ({ response: { userHandle, ...response }, ...answer }): AuthenticationResponseJSON => ({
        ...answer,
        response: { ...response, ...(userHandle ? { userHandle } : {}) },
        clientExtensionResults: {},
      }),
    ),
  ),
  4 * TOKEN_LENGTH,
)
