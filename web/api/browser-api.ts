/** The parts of the browser that the page uses; tests replace them. */
export interface BrowserApi {
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Milliseconds. */
  now(): number
  /** Resolves after this number of milliseconds, or when the signal is aborted, whichever is first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Returns a random number from 0 to 1. */
  random(): number
  /**
   * The token that proves that a change comes from our own page: the cookie `__Host-csrftoken`, or over plain http `csrftoken`; '' without
   * a session.
   */
  csrfToken(): string
  /** Returns a unique text. */
  newId(): string
  /** False when the browser knows that there is no network. */
  isOnline(): boolean
}

/** Returns those of the browser. `cookies`: reads `document.cookie`. */
export function realBrowserApi(cookies: () => string, isOnline: () => boolean): BrowserApi {
  return {
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    wait: waitFor,
    random: () => Math.random(),
    csrfToken: () => cookieIn(cookies(), '__Host-csrftoken') ?? cookieIn(cookies(), 'csrftoken') ?? '',
    newId: () => crypto.randomUUID(),
    isOnline,
  }
}

function cookieIn(cookies: string, name: string): string | undefined {
  const found = cookies.split(/;\s*/).find((cookie) => cookie.startsWith(`${name}=`))
  return found?.slice(name.length + 1)
}

export function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}

const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 30_000

/**
 * Returns milliseconds to wait before try number `attempt`, counted from 1: doubled each time, and random.
 */
export function backoff(attempt: number, random: () => number): number {
  const max = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(attempt, 10))
  return Math.round(max / 2 + (max / 2) * random())
}
