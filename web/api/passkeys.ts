import { credentialJson } from './credential-json.ts'

/** Passkeys of the browser. Options from the server and answers to it are in the JSON of WebAuthn. */

/** Whether this browser has passkeys for this page. Browsers keep none for numeric addresses. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
    !/^[\d.]+$|^\[/.test(location.hostname)
  )
}

/** Thrown when there is no answer of a passkey: the user has none here or does not want to, or the browser or password manager fails. */
export class NoPasskeyError extends Error {}

/**
 * Asks the user to choose a passkey, and returns its answer.
 * @throws NoPasskeyError
 */
export function askForPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<string> {
  return answered(() => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    return navigator.credentials.get({ publicKey })
  })
}

/**
 * Asks the user to make a passkey, and returns the data that the server stores.
 * @throws NoPasskeyError also when there is one already
 */
export function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<string> {
  return answered(() => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    return navigator.credentials.create({ publicKey })
  })
}

/** Password managers throw errors of any type. */
async function answered(ask: () => Promise<Credential | null>): Promise<string> {
  try {
    return credentialJson(await ask())
  } catch (cause) {
    throw new NoPasskeyError('no passkey', { cause })
  }
}
