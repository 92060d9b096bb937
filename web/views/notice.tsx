import { signal } from '@preact/signals'
import { failureOf } from '../actions/call.ts'
import { t } from '../texts/texts.ts'

/** A line above the box, until the next action, about a failure without a place of its own. */
export const notice = signal<{ readonly text: string; readonly isFailure: boolean } | undefined>(undefined)
/** The text with which screen readers announce what other people can see happen. */
export const spoken = signal('')

export function announce(text: string): void {
  notice.value = { text, isFailure: false }
  const shown = notice.value
  setTimeout(() => {
    if (notice.value === shown) notice.value = undefined
  }, 4_000)
}

/** Attempts an action; shows the server's refusal. */
export function attempt<R>(action: Promise<R>): Promise<R | undefined> {
  return action.catch((error) => {
    notice.value = { text: failureOf(error).text || t.noConnection, isFailure: true }
    return undefined
  })
}
