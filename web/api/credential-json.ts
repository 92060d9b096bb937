/** The script of the server's own log-in pages has this too (passkey-form.ts): a file of its own, which imports nothing. */

/**
 * Returns what a passkey has answered, as the server reads it: the JSON of WebAuthn (`RegistrationResponseJSON`,
 * `AuthenticationResponseJSON`). The fields are read one by one, since password managers answer with objects of their own, which have the
 * fields while the browser's `toJSON` throws on them. The server needs no other field.
 * @throws TypeError without an answer
 */
export function credentialJson(credential: Credential | null): string {
  const { rawId, type, response } = credential as PublicKeyCredential
  // That of a manager may differ from the bytes, which are what has been signed.
  const id = base64Url(rawId)
  return JSON.stringify({ id, rawId: id, type, response: answerOf(response) })
}

function answerOf(response: AuthenticatorResponse) {
  const clientDataJSON = base64Url(response.clientDataJSON)
  if ('attestationObject' in response) {
    const made = response as AuthenticatorAttestationResponse
    return {
      clientDataJSON,
      attestationObject: base64Url(made.attestationObject),
      transports: transportsOf(made),
    }
  }
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  return {
    clientDataJSON,
    authenticatorData: base64Url(authenticatorData),
    signature: base64Url(signature),
    ...(userHandle ? { userHandle: base64Url(userHandle) } : {}),
  }
}

/** Only a hint: managers may lack it. */
function transportsOf(response: AuthenticatorAttestationResponse): string[] {
  try {
    return response.getTransports()
  } catch {
    return []
  }
}

function base64Url(bytes: ArrayBuffer): string {
  const chars = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(chars).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
