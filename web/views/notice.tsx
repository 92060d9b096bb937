import { signal } from '@preact/signals'
import { failureOf } from '../actions/call.ts'
import { t } from '../texts/texts.ts'

/** A line above the box, until something else is done: of what has failed and has no place of its own. */
export const notice = signal<{ readonly text: string; readonly isFailure: boolean } | undefined>(undefined)
/** The words by which screen readers announce what one sees happen. */
export const spoken = signal('')

export function announce(text: string): void {
  notice.value = { text, isFailure: false }
  const shown = notice.value
  setTimeout(() => {
    if (notice.value === shown) notice.value = undefined
  }, 4_000)
}

/** Attempts an action; the server's refusal is shown. */
export function attempt<R>(action: Promise<R>): Promise<R | undefined> {
  return action.catch((error) => {
    notice.value = { text: failureOf(error).text || t.noConnection, isFailure: true }
    return undefined
  })
}
