import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { enterDeadLetter } from './enter-dead-letter.ts'

/** A job that has failed too often. */
interface FailedJob {
  readonly kind: string
  readonly key: string
  readonly attempts: number
  readonly firstTriedAt: number | null
}

/** Moves a job to the dead letters, from which it can be retried. */
export function giveUpJob(
  tx: RealmTransaction,
  { kind, key, attempts, firstTriedAt }: FailedJob,
  error: string,
): void {
  enterDeadLetter(tx, {
    kind: 'job',
    description: key === '' ? kind : `${kind} ${key}`,
    firstTriedAt,
    attempts,
    error,
    payload: { kind, key },
  })
}
