const PAD = /^[0-9a-f]{64}$/i

/**
 * Whether a text is 64 hex digits: as long as an API key of 32 characters (docs/interface/login.md#in-a-browser-for-an-app), and as a key
 * of the desktop app.
 */
export function isOneTimePad(pad: string): boolean {
  return PAD.test(pad)
}

/**
 * Returns the key's ASCII XORed with the pad, as hex: on its way through the browser and the operating system
 * only the app that made the pad can read it. Source: docs/interface/login.md#in-a-browser-for-an-app.
 */
export function encryptWithPad(apiKey: string, pad: string): string {
  return [...apiKey]
    .map((char, index) => char.charCodeAt(0) ^ Number.parseInt(pad.slice(2 * index, 2 * index + 2), 16))
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
