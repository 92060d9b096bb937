import { signal } from '@preact/signals'
import { failureOf } from '../actions/call.ts'
import { t } from '../texts/texts.ts'
import type { ToastOptions } from '../ui/toasts.tsx'

/** A toast: what was done, or a failure that no view shows. */
export interface Announcement extends ToastOptions {
  readonly key: number
}

/** Those that are shown, the oldest first. */
export const announcements = signal<readonly Announcement[]>([])
/** The text with which screen readers announce what other people can see happen. */
export const spoken = signal('')

/** Number shown at once: an older one gives way. */
const MAX_SHOWN = 3
let last = 0

/** Says what was done. `undo` takes it back; `href` leads to it. */
export function announce(text: string, undo?: () => Promise<unknown>, href?: string): void {
  show({ text, href, onUndo: undo && (() => void attempt(undo())) })
}

function show(toast: ToastOptions): void {
  last += 1
  announcements.value = [...announcements.value, { ...toast, key: last }].slice(-MAX_SHOWN)
}

export function closeAnnouncement(key: number): void {
  announcements.value = announcements.value.filter((one) => one.key !== key)
}

/** Attempts an action; shows the server's refusal. */
export function attempt<R>(action: Promise<R>): Promise<R | undefined> {
  return action.catch((error) => {
    show({ text: failureOf(error).text || t.noConnection, isFailure: true })
    return undefined
  })
}
