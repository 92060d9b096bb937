import { signal } from '@preact/signals'
import { failureOf } from '../actions/call.ts'
import { t } from '../texts/texts.ts'

export interface Announcement {
  readonly text: string
  readonly isFailure: boolean
  /** Takes back what was done. */
  readonly undo?: (() => Promise<unknown>) | undefined
}

/** The line above the box, until the next action: what was done, or a failure that no view shows. */
export const announcement = signal<Announcement | undefined>(undefined)
/** The text with which screen readers announce what other people can see happen. */
export const spoken = signal('')

const SHOWN_MS = 4_000
/** What can be taken back says so for longer. */
const UNDO_SHOWN_MS = 6_000

export function announce(text: string, undo?: () => Promise<unknown>): void {
  announcement.value = { text, isFailure: false, undo }
  const shown = announcement.value
  setTimeout(
    () => {
      if (announcement.value === shown) announcement.value = undefined
    },
    undo ? UNDO_SHOWN_MS : SHOWN_MS,
  )
}

/** Attempts an action; shows the server's refusal. */
export function attempt<R>(action: Promise<R>): Promise<R | undefined> {
  return action.catch((error) => {
    announcement.value = { text: failureOf(error).text || t.noConnection, isFailure: true }
    return undefined
  })
}
