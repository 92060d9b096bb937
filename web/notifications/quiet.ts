import { signal } from '@preact/signals'
import { NEVER_QUIET, type Quiet } from '../state/quiet.ts'
import { readStored, store } from '../ui/stored.ts'

/** The pauses of this browser's notifications, which it stores itself. */
export const quiet = signal<Quiet>({ ...NEVER_QUIET, ...readStored<Quiet>('quiet') })

export function setQuiet(changes: Partial<Quiet>): void {
  quiet.value = { ...quiet.value, ...changes }
  store('quiet', quiet.value)
}

window.addEventListener('storage', ({ key }) => {
  if (key === 'quiet') quiet.value = { ...NEVER_QUIET, ...readStored<Quiet>('quiet') }
})
