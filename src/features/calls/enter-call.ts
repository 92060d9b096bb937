import { defineStep } from '../../api/define-endpoint.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'

/** A person as others see them in a call. */
export interface CallGuest {
  readonly id: number
  readonly name: string
}

/** The step behind the link of a call by BigBlueButton: says who opens it. */
export const enterCallStep = defineStep({
  operation: 'enter-call',
  access: 'user',
  params: {},
  command: { reads: true, apply: guestOfCall },
  rateLimit: 'user',
  audit: 'read-only',
})

function guestOfCall(_view: RealmReads, { user }: Caller): CallGuest {
  return { id: user.id, name: user.fullName }
}
