/** Passkeys of the browser. Options come from the server in the JSON of WebAuthn, and so do answers go back. */

/** Whether this browser has passkeys for this page. Browsers keep none for numeric addresses. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
    !/^[\d.]+$|^\[/.test(location.hostname)
  )
}

/**
 * Has the user choose a passkey, and returns its answer.
 * @throws DOMException when there is none, or the user does not want to
 */
export async function askForPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return JSON.stringify(await navigator.credentials.get({ publicKey }))
}

/**
 * Has the user make a passkey, and returns what the server stores of it.
 * @throws DOMException when there is one already, or the user does not want to
 */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return JSON.stringify(await navigator.credentials.create({ publicKey }))
}
