import { signal } from '@preact/signals'
import { failureOf } from '../actions/call.ts'
import { t } from '../texts/texts.ts'

/** The line above the box, until the next action: what was done, or a failure that no view shows. */
export const announcement = signal<{ readonly text: string; readonly isFailure: boolean } | undefined>(
  undefined,
)
/** The text with which screen readers announce what other people can see happen. */
export const spoken = signal('')

export function announce(text: string): void {
  announcement.value = { text, isFailure: false }
  const shown = announcement.value
  setTimeout(() => {
    if (announcement.value === shown) announcement.value = undefined
  }, 4_000)
}

/** Attempts an action; shows the server's refusal. */
export function attempt<R>(action: Promise<R>): Promise<R | undefined> {
  return action.catch((error) => {
    announcement.value = { text: failureOf(error).text || t.noConnection, isFailure: true }
    return undefined
  })
}
