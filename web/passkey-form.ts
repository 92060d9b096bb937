/** The script of pages of the server on which one logs in with a passkey (src/http/pages/log-in/passkey-form.ts). */

import { askForPasskey, hasPasskeys } from './api/passkeys.ts'

const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
if (form && hasPasskeys()) {
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
    field('credential').value = await askForPasskey(options)
    form.submit()
  } catch {
    refusal.hidden = false
  }
}
