import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { BadRequestError } from '../../../core/errors.ts'
import { parseJson } from '../../../core/json.ts'
import type { Passkey } from '../../../store/second-factors/second-factor-rows.ts'

/** The refusal for anything wrong with a passkey or its answer: strangers do not learn what. */
export function unusablePasskey(): BadRequestError {
  return new BadRequestError('This passkey does not fit. Try again, or use another way.')
}

/** Loads the library when a passkey is first used, so that no start of the Worker waits for it. */
const library = () => import('@simplewebauthn/server')

/** The site for which an organization's passkeys are valid. */
interface Site {
  /** The origin of its pages. */
  readonly origin: string
}

/** Accepted algorithms, the preferred one first: EdDSA, ES256, RS256 (COSE). */
const ALGORITHMS = [-8, -7, -257]
const TIMEOUT_MS = 5 * 60 * 1000

/** Returns a browser's options for a new passkey (`PublicKeyCredentialCreationOptionsJSON`). */
export function creationOptions(request: PasskeyRequest, { origin }: Site) {
  return {
    challenge: request.challenge,
    rp: { id: passkeySiteOf(origin), name: request.organization },
    user: { id: request.handle, name: request.email, displayName: request.full_name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: TIMEOUT_MS,
    attestation: 'none' as const,
    excludeCredentials: request.present.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'preferred' as const,
    },
  }
}

/** Returns a browser's options to ask for a passkey (`PublicKeyCredentialRequestOptionsJSON`). */
export function requestOptions({ challenge, credentials }: PasskeyQuestion, { origin }: Site) {
  return {
    challenge,
    rpId: passkeySiteOf(origin),
    allowCredentials: credentials.map(descriptorOf),
    timeout: TIMEOUT_MS,
    userVerification: 'preferred' as const,
  }
}

function descriptorOf({ id, transports }: NamedCredential) {
  return { type: 'public-key' as const, id, transports }
}

/**
 * Verifies a browser's answer with a new passkey, and returns the passkey. Only the object knows whether the challenge is its own.
 * @throws BadRequestError
 */
export async function checkNewPasskey(
  answer: RegistrationResponseJSON,
  { origin }: Site,
): Promise<MadePasskey> {
  const { verifyRegistrationResponse } = await library()
  const challenge = challengeOf(answer)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: passkeySiteOf(origin),
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse)
  if (!verified) throw unusablePasskey()
  const { credential, credentialBackedUp, userVerified } = registrationInfo
  return {
    challenge,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    isBackedUp: credentialBackedUp,
    isVerified: userVerified,
  }
}

/** The facts about a passkey with which its answers are checked. */
interface KnownPasskey extends Pick<Passkey, 'credentialId' | 'publicKey' | 'counter'> {
  /** The name by which it knows its account. */
  readonly handle: string
}

/**
 * Verifies the answer of a passkey. Only the object knows whether the challenge is its own.
 * @throws BadRequestError also when its counter went back, which means that there is a copy
 */
export async function checkPasskeyAnswer(
  answer: AuthenticationResponseJSON,
  known: KnownPasskey,
  { origin }: Site,
): Promise<PasskeyAnswer> {
  const { userHandle } = answer.response
  if (userHandle !== undefined && userHandle !== known.handle) throw unusablePasskey()
  const { verifyAuthenticationResponse } = await library()
  const challenge = challengeOf(answer)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: passkeySiteOf(origin),
    credential: {
      id: known.credentialId,
      publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
      counter: known.counter,
    },
    requireUserVerification: false,
  }).catch(refuse)
  if (!verified) throw unusablePasskey()
  const { newCounter, credentialBackedUp, userVerified } = authenticationInfo
  return {
    credentialId: known.credentialId,
    challenge,
    counter: newCounter,
    isBackedUp: credentialBackedUp,
    isVerified: userVerified,
  }
}

/** Returns the host for which browsers store the passkeys (`rpId`). */
function passkeySiteOf(origin: string): string {
  return new URL(origin).hostname
}

/** Returns the challenge to which the answer belongs. */
function challengeOf({ response }: RegistrationResponseJSON | AuthenticationResponseJSON): string {
  try {
    const data: unknown = parseJson(Buffer.from(response.clientDataJSON, 'base64url').toString())
    const challenge = typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : ''
    return String(challenge)
  } catch {
    throw unusablePasskey()
  }
}

function refuse(): never {
  throw unusablePasskey()
}

/** A passkey that browsers get with a challenge, since it may answer, or exists already. */
export interface NamedCredential {
  readonly id: string
  readonly transports: readonly string[]
}

/** The facts from which the Worker makes a browser's options for a new passkey. */
export interface PasskeyRequest {
  readonly challenge: string
  readonly organization: string
  readonly handle: string
  readonly email: string
  readonly full_name: string
  readonly present: readonly NamedCredential[]
}

/** A new passkey, which the Worker has found in the browser's answer. */
export interface MadePasskey
  extends Pick<
    Passkey,
    'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp' | 'isVerified'
  > {
  readonly challenge: string
}

/** The facts that a browser needs to ask for an existing passkey. */
export interface PasskeyQuestion {
  readonly challenge: string
  /** The passkeys that may answer; empty if any account's will do. */
  readonly credentials: readonly NamedCredential[]
}

/** An answer of a passkey that the Worker has verified. */
export type PasskeyAnswer = Omit<MadePasskey, 'publicKey' | 'transports'>
