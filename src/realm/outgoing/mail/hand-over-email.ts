import type { OutgoingEmail } from '../../../model/emails/letter.ts'
import { pauseAddress } from '../../../model/emails/mail-limits.ts'
import { bounceLocalPart } from '../../../model/incoming-mail/mail-address.ts'
import { changeBy, suspendableChange } from '../../jobs/change-by-job.ts'
import type { Runtime } from '../../runtime.ts'
import { RefusedAddressFailure } from './email-handover.ts'

/** Sends a mail, and pauses an address that permanently takes none. Rejects as `EmailOutlet.send`. */
export async function handOverEmail(runtime: Runtime, email: OutgoingEmail): Promise<void> {
  try {
    await runtime.emails.send({ ...email, ...returnPathOf(runtime, email) })
  } catch (error) {
    if (error instanceof RefusedAddressFailure) {
      await suspendableChange(runtime, (tx) => pauseAddress(tx, email.recipient, error.message))
    }
    throw error
  }
}

function returnPathOf(runtime: Runtime, { recipient }: OutgoingEmail): Pick<OutgoingEmail, 'returnPath'> {
  const { bounceDomain } = runtime.emails
  if (bounceDomain === undefined) return {}
  const localPart = changeBy(runtime, (tx) => bounceLocalPart(tx, recipient))
  return localPart === undefined ? {} : { returnPath: `${localPart}@${bounceDomain}` }
}
