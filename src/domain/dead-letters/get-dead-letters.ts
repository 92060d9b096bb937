import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { type DeadLetter, listDeadLetters } from './dead-letter-rows.ts'

/** A dead letter for owners. Times in UNIX seconds. */
interface PresentedDeadLetter {
  readonly id: number
  readonly kind: string
  readonly description: string
  readonly first_attempt: number
  readonly last_attempt: number
  readonly attempts: number
  readonly error: string
}

interface DeadLettersAnswer {
  readonly dead_letters: readonly PresentedDeadLetter[]
}

/** Gets the sends and jobs that the organization has given up, newest first. */
export const getDeadLetters: ReadCommand<Caller, object, void, DeadLettersAnswer> = {
  reads: true,
  apply: (tx) => ({ dead_letters: listDeadLetters(tx.sql, tx.now).map(present) }),
}

function present(letter: DeadLetter): PresentedDeadLetter {
  return {
    id: letter.id,
    kind: letter.kind,
    description: letter.description,
    first_attempt: letter.firstTriedAt,
    last_attempt: letter.lastTriedAt,
    attempts: letter.attempts,
    error: letter.error,
  }
}
