import { flush, state } from '../chat.ts'
import { learnPresences } from '../state/users.ts'
import type { Presence } from '../state/wire.ts'
import { call } from './call.ts'
import { connection } from './session.ts'

/**
 * A quarter more than the server asks for: each report is a request (docs/performance.md#the-free-plan), and one may still be lost before
 * others see the user as offline.
 */
const MS_OF_A_SECOND = 1_250

const ACTIVE_MS = 5 * 60_000

let lastInput = Date.now()

export function startPings(): void {
  for (const name of ['keydown', 'pointerdown', 'wheel'] as const) {
    window.addEventListener(
      name,
      () => {
        lastInput = Date.now()
      },
      // Keys of an input method stop here.
      { passive: true, capture: true },
    )
  }
  const report = () => {
    if (connection.value.kind === 'live') ping(Date.now() - lastInput < ACTIVE_MS).catch(() => {})
  }
  report()
  setInterval(report, state.server.server_presence_ping_interval_seconds * MS_OF_A_SECOND)
}

/**
 * Reports the user's presence to the server, and fetches that of others. A user without recent input is idle.
 */
async function ping(isActive: boolean): Promise<void> {
  const { presences } = await call('POST', '/users/me/presence', {
    status: isActive ? 'active' : 'idle',
    ping_only: false,
    new_user_input: isActive,
    slim_presence: true,
  })
  if (presences) {
    learnPresences(state, presences as Record<string, Presence>)
    flush()
  }
}
