import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { type DeadLetter, listDeadLetters } from '../../store/dead-letters/dead-letter-rows.ts'

/**
 * Lists what the organization has given up sending or doing: mail, calls of webhooks, notifications on devices, previews of websites, its
 * own jobs. Parley's own.
 */
export const getDeadLettersEndpoint = defineEndpoint({
  operation: 'get-dead-letters',
  method: 'GET',
  path: '/dead_letters',
  access: 'owner',
  params: {},
  returns: v.object({
    dead_letters: v.array(
      v.object({
        id: v.number(),
        kind: v.string(),
        description: v.string(),
        first_attempt: v.number(),
        last_attempt: v.number(),
        attempts: v.number(),
        error: v.string(),
      }),
    ),
  }),
  command: { reads: true, apply: getDeadLetters },
})

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
function getDeadLetters(tx: RealmReads): DeadLettersAnswer {
  return { dead_letters: listDeadLetters(tx.sql, tx.now).map(present) }
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
