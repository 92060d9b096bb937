/** Passkeys of the browser. Options from the server and answers to it are in the JSON of WebAuthn. */

/** Whether this browser has passkeys for this page. Browsers keep none for numeric addresses. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
    !/^[\d.]+$|^\[/.test(location.hostname)
  )
}

/**
 * Asks the user to choose a passkey, and returns its answer.
 * @throws DOMException when there is none, or the user does not want to
 */
export async function askForPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return JSON.stringify(await navigator.credentials.get({ publicKey }))
}

/**
 * Asks the user to make a passkey, and returns the data that the server stores.
 * @throws DOMException when there is one already, or the user does not want to
 */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return JSON.stringify(await navigator.credentials.create({ publicKey }))
}
