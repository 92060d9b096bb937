import { connection } from './session.ts'

/** Milliseconds before the state is first kept, and between two times while the page is visible. */
const FIRST_MS = 5_000
const EVERY_MS = 60_000

/**
 * Keeps the state from time to time, and when the page is left, while it is up to date. Everything about it is imported in this one way, so that its file has been
 * loaded, and kept by the service worker, before the network is away.
 */
export function startKeeping(): void {
  const keep = () => {
    if (connection.value.kind !== 'live') return
    import('./kept-state.ts').then(({ keepState }) => keepState()).catch(() => {})
  }
  setTimeout(keep, FIRST_MS)
  setInterval(() => {
    if (document.visibilityState === 'visible') keep()
  }, EVERY_MS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep()
  })
}
