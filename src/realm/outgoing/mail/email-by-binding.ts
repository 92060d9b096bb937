import { FinalFailure } from '../lane-work.ts'
import { LANES } from '../lanes.ts'
import { type EmailHandover, headersOf, RefusedAddressFailure, senderOf } from './email-handover.ts'

export interface BindingEnvironment {
  /** Cloudflare's own mail service: `[[send_email]]` in wrangler.toml. */
  readonly SEND_EMAIL?: { send(mail: EmailMessageBuilder): Promise<unknown> }
}

/**
 * Codes of the service for errors of the mail itself. With others the mail is not at fault, or not for good.
 */
const FINAL_CODES: ReadonlySet<string> = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_CONTENT_TOO_LARGE',
  'E_RECIPIENT_NOT_ALLOWED',
])
/** The address has bounced before, or its owner has complained. */
const REFUSED_ADDRESS_CODE = 'E_RECIPIENT_SUPPRESSED'

/** Sends a mail by the binding. The service writes Message-ID and Date itself, and accepts no others. */
export async function sendByBinding(env: BindingEnvironment, handover: EmailHandover): Promise<void> {
  const { email } = handover
  const { name, address } = senderOf(handover)
  // The binding takes Reply-To as a field of its own.
  const { 'Reply-To': replyTo, ...headers } = headersOf(email)
  const sending = env.SEND_EMAIL!.send({
    from: name === '' ? address : { name, email: address },
    to: email.recipient,
    subject: email.subject,
    text: email.text,
    ...(email.html === undefined ? {} : { html: email.html }),
    ...(replyTo === undefined ? {} : { replyTo }),
    headers,
  })
  try {
    await inTime(sending)
  } catch (error) {
    throw failureOf(error)
  }
}

async function inTime(sending: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeUp = new Promise<never>((_, reject) => {
    const ms = LANES.mail.callTimeoutMs
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1_000} seconds`)), ms)
  })
  try {
    await Promise.race([sending, timeUp])
  } finally {
    clearTimeout(timer)
  }
}

function failureOf(error: unknown): Error {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const said = `Cloudflare’s mail service did not take it: ${[code, message].filter(Boolean).join(' ')}`
  if (code === REFUSED_ADDRESS_CODE) return new RefusedAddressFailure(said)
  return FINAL_CODES.has(String(code)) ? new FinalFailure(said) : new Error(said)
}
