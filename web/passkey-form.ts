/** The script of pages of the server on which one logs in with a passkey (src/http/pages/log-in/other-ways.ts). */

// It imports only what imports nothing: other modules of the page would load the whole page (vite.config.ts).

import { credentialJson } from './api/credential-json.ts'

const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
const hasPasskeys =
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  // Browsers store no passkeys for numeric addresses.
  !/^[\d.]+$|^\[/.test(location.hostname)
if (form && hasPasskeys) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void answer(form)
  })
}

/** Asks for a passkey, and posts its answer as the form, so that the browser follows wherever the log-in leads. */
async function answer(form: HTMLFormElement): Promise<void> {
  const refusal = form.querySelector<HTMLElement>('.refusal')!
  const field = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)!
  refusal.hidden = true
  try {
    const body = new URLSearchParams({ ticket: field('ticket').value })
    const response = await fetch(form.dataset.passkey!, { method: 'POST', body })
    const { options } = (await response.json()) as { options: PublicKeyCredentialRequestOptionsJSON }
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    field('credential').value = credentialJson(await navigator.credentials.get({ publicKey }))
    form.submit()
  } catch {
    refusal.hidden = false
  }
}
