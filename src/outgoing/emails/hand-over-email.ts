import type { OutgoingEmail } from '../../model/emails/letter.ts'
import { pauseAddress } from '../../model/emails/mail-limits.ts'
import { bounceLocalPart } from '../../model/incoming-mail/mail-address.ts'
import { RefusedAddressFailure } from './email-handover.ts'
import type { EmailRuntime } from './email-sender.ts'

/** Sends a mail, and pauses an address that permanently takes none. Rejects as `EmailOutlet.send`. */
export async function handOverEmail(runtime: EmailRuntime, email: OutgoingEmail): Promise<void> {
  try {
    await runtime.emails.send({ ...email, ...returnPathOf(runtime, email) })
  } catch (error) {
    if (error instanceof RefusedAddressFailure) {
      await runtime.suspendableChange((tx) => pauseAddress(tx, email.recipient, error.message))
    }
    throw error
  }
}

function returnPathOf(
  runtime: EmailRuntime,
  { recipient }: OutgoingEmail,
): Pick<OutgoingEmail, 'returnPath'> {
  const { bounceDomain } = runtime.emails
  if (bounceDomain === undefined) return {}
  const localPart = runtime.change((tx) => bounceLocalPart(tx, recipient))
  return localPart === undefined ? {} : { returnPath: `${localPart}@${bounceDomain}` }
}
