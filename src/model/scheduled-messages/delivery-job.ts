import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'

/** The job that sends one scheduled message; its key is the message's id. */
export const DELIVER_SCHEDULED = 'deliver-scheduled-message'

/** Schedules the delivery; `dueAt` replaces any other time. */
export function scheduleDelivery(tx: RealmTransaction, id: number, dueAt: number): void {
  cancelDelivery(tx, id)
  tx.schedule({ kind: DELIVER_SCHEDULED, key: String(id), dueAt })
}

export function cancelDelivery(tx: RealmTransaction, id: number): void {
  tx.unschedule({ kind: DELIVER_SCHEDULED, key: String(id) })
}

/** Requires that a time is in the future. Both in UNIX seconds. */
export function requireFuture(dueAt: number, now: number): void {
  if (dueAt <= now) throw new BadRequestError('Scheduled delivery time must be in the future.')
}
