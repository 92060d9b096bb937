import { state } from '../chat.ts'
import { keptOf } from '../state/keep.ts'
import { build, forgetKept, inStore, isShared, KEY, type Kept, sessionDigest, shownSince } from './offline.ts'
import { connection } from './session.ts'

/** Keeps the present state, if the browser can and may. */
async function keepState(): Promise<void> {
  const session = await sessionDigest()
  if (session === undefined || isShared.value) return
  const record: Kept = { build: build(), session, at: Date.now(), state: keptOf(state) }
  await inStore('readwrite', (kept) => kept.put(record, KEY))
  // Another tab may have ended the session, or declared the computer shared, meanwhile.
  if ((await sessionDigest()) !== session || isShared.value) await forgetKept()
}

/** The milliseconds before the state is first kept, and between two times while the page is visible. */
const FIRST_MS = 5_000
const EVERY_MS = 60_000

/** Keeps the state from time to time, and when the page is left, while it is up to date. */
export function startKeeping(): void {
  const keep = () => {
    const isLive = connection.value.kind === 'live' && shownSince.value === undefined
    if (isLive) keepState().catch(() => {})
  }
  setTimeout(keep, FIRST_MS)
  setInterval(() => {
    if (document.visibilityState === 'visible') keep()
  }, EVERY_MS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep()
  })
}
