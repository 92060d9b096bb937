import type { Passkey } from '../../store/second-factors/passkey-rows.ts'

/** A passkey that browsers get with a challenge, since it may answer, or exists already. */
export interface NamedCredential {
  readonly id: string
  readonly transports: readonly string[]
}

/** The facts from which the Worker makes a browser's options for a new passkey. */
export interface PasskeyRequest {
  readonly challenge: string
  readonly organization: string
  /** The account as the passkey knows it. */
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
