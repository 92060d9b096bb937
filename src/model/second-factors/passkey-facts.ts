import type { Passkey } from '../../store/second-factors/passkey-rows.ts'

/** The facts that browsers get with a challenge: the passkeys that may answer it, or that exist already. */
export interface NamedCredential {
  readonly id: string
  readonly transports: readonly string[]
}

/** Facts from which the Worker makes what a browser needs to make a passkey. */
export interface PasskeyRequest {
  readonly challenge: string
  readonly organization: string
  /** The account as the passkey knows it. */
  readonly handle: string
  readonly email: string
  readonly full_name: string
  readonly present: readonly NamedCredential[]
}

/** A new passkey, as the Worker has found it in the browser's answer. */
export interface MadePasskey
  extends Pick<
    Passkey,
    'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp' | 'isVerified'
  > {
  readonly challenge: string
}

/** The facts that a browser needs to ask for a passkey. */
export interface PasskeyQuestion {
  readonly challenge: string
  /** The passkeys that may answer; empty if any account's will do. */
  readonly credentials: readonly NamedCredential[]
}

/** An answer of a passkey that the Worker has found right. */
export interface PasskeyAnswer {
  readonly credentialId: string
  readonly challenge: string
  readonly counter: number
  readonly isBackedUp: boolean
  /** Whether the device has checked that it is its owner, by a finger, a face or a PIN. */
  readonly isVerified: boolean
}
