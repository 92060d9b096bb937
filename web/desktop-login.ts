/** The script of the two pages by which a user logs in to the desktop app with another browser (src/http/pages/log-in/desktop-page.ts). */

/** A key of the desktop app, and the text for the user to copy, encrypted with it. */
interface ClipboardDecrypter {
  readonly key: Uint8Array
  readonly pasted: Promise<string>
}

/** The bridge that Zulip's desktop app offers these pages. */
interface ElectronBridge {
  decrypt_clipboard?(version: 1): ClipboardDecrypter
}

const NONCE_BYTES = 12
/** The path at which the app begins its session. */
const END_PATH = '/accounts/login/subdomain'

const open = document.querySelector<HTMLAnchorElement>('#open')
if (open) void logInToApp(open)
document.querySelector('#copy')?.addEventListener('click', copyToken)

/** In the app: waits for the token that the other browser shows, and starts the session with it. */
async function logInToApp(link: HTMLAnchorElement): Promise<void> {
  const { electron_bridge: bridge } = window as { electron_bridge?: ElectronBridge }
  const { key, pasted } = bridge?.decrypt_clipboard?.(1) ?? (await decryptByHand())
  const start = new URL(location.href)
  const next = start.searchParams.get('next') ?? ''
  start.searchParams.delete('next')
  start.searchParams.set('desktop_flow_otp', toHex(key))
  link.href = start.href
  const end = new URL(`${END_PATH}/${encodeURIComponent(await pasted)}`, location.origin)
  end.searchParams.set('next', next)
  location.href = end.href
}

/** Without the app's bridge: makes a key, and reads what a user pastes into the field. */
async function decryptByHand(): Promise<ClipboardDecrypter> {
  const aes = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['decrypt'])
  const byHand = document.querySelector<HTMLElement>('#by-hand')!
  byHand.hidden = false
  const pasted = new Promise<string>((resolve) => {
    byHand.addEventListener('submit', async (event) => {
      event.preventDefault()
      const entered = String(new FormData(event.target as HTMLFormElement).get('pasted')).trim()
      const token = await decrypt(aes, entered)
      document.querySelector<HTMLElement>('#refusal')!.hidden = token !== undefined
      if (token !== undefined) resolve(token)
    })
  })
  return { key: new Uint8Array(await crypto.subtle.exportKey('raw', aes)), pasted }
}

/** Decrypts hex of the nonce and the ciphertext; undefined if it was encrypted with another key. */
async function decrypt(key: CryptoKey, entered: string): Promise<string | undefined> {
  const bytes = Uint8Array.from(entered.match(/[\da-f]{2}/gi) ?? [], (byte) => Number.parseInt(byte, 16))
  const iv = bytes.slice(0, NONCE_BYTES)
  try {
    const decrypted = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(NONCE_BYTES))
    return new TextDecoder().decode(decrypted)
  } catch {
    return undefined
  }
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** In the other browser: copies the text that only the app can read. */
async function copyToken(): Promise<void> {
  const token = document.querySelector<HTMLInputElement>('#token')!
  token.select()
  await navigator.clipboard.writeText(token.value)
  document.querySelector<HTMLElement>('#copied')!.hidden = false
}

export {}
