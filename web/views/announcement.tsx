import { signal } from '@preact/signals'
import { failureText } from '../texts/failure-text.ts'
import type { ToastOptions } from '../ui/toasts.tsx'

/** A toast about a finished action, or a failure that no view shows. */
export interface Announcement extends ToastOptions {
  readonly key: number
  /** Called when it disappears without an undo. */
  readonly onGone?: (() => void) | undefined
}

/** Those that are shown, the oldest first: at most one of a kind. */
export const announcements = signal<readonly Announcement[]>([])
/** The text by which screen readers announce visible changes. */
export const spoken = signal('')

let last = 0

/** Announces a finished action. `undo` undoes it; `href` leads to its subject. */
export function announce(text: string, undo?: () => Promise<unknown>, href?: string): void {
  show({ text, href, onUndo: undo && (() => void attempt(undo())) })
}

/** Announces an action that follows when the toast disappears, unless it is undone before. */
export function announceBefore(text: string, { undo, act }: { undo: () => void; act: () => void }): void {
  let isUndone = false
  const onUndo = () => {
    isUndone = true
    undo()
  }
  // The button that takes it back closes the toast first.
  show({ text, onUndo, onGone: () => setTimeout(() => isUndone || act()) })
}

/** Shows a toast in place of the one of its kind: what is done, or a failure. */
function show(toast: Omit<Announcement, 'key'>): void {
  last += 1
  const isOfItsKind = (one: Announcement) => one.isFailure === toast.isFailure
  for (const { onGone } of announcements.value.filter(isOfItsKind)) onGone?.()
  announcements.value = [...announcements.value.filter((one) => !isOfItsKind(one)), { ...toast, key: last }]
}

export function closeAnnouncement(key: number): void {
  announcements.value.find((one) => one.key === key)?.onGone?.()
  announcements.value = announcements.value.filter((one) => one.key !== key)
}

/** Attempts an action; shows the server's refusal. */
export function attempt<R>(action: Promise<R>): Promise<R | undefined> {
  return action.catch((error) => {
    show({ text: failureText(error), isFailure: true })
    return undefined
  })
}
