import { state } from '../chat.ts'
import { store } from '../ui/stored.ts'
import { isShared, SHARED_KEY, setKeptMessages } from './offline.ts'

export function setShared(isOn: boolean): void {
  isShared.value = isOn
  store(SHARED_KEY, { isOn })
  if (isOn) forgetKept().catch(() => {})
}

async function forgetKept(): Promise<void> {
  await (await import('./kept-state.ts')).clearSealed()
}

/** Changes how many messages this browser keeps; with none, it keeps nothing else either. */
export async function changeKeptMessages(limit: number): Promise<void> {
  setKeptMessages(limit)
  if (limit === 0) await forgetKept()
  else await (await import('./kept-state.ts')).keepState()
}

/** Deletes the user's kept data at log-out; on a shared computer also drafts and choices. */
export async function forgetAtLogOut(): Promise<void> {
  if (isShared.value) {
    localStorage.clear()
    store(SHARED_KEY, { isOn: true })
  }
  await forgetKept().catch(() => {})
}

/** What is kept of each account, by the beginning of its key, before the account's id. */
const OF_ACCOUNTS = /^(?:draft|edit|unsent|status expiry) (\d+)(?: |$)/

/**
 * Deletes what the session before has kept, if this one began without a log-out of that; on a shared computer also what other accounts
 * have written.
 */
export async function forgetOthers(): Promise<void> {
  if (isShared.value) {
    for (const key of Object.keys(localStorage)) {
      const account = OF_ACCOUNTS.exec(key)?.[1]
      if (account !== undefined && Number(account) !== state.me) localStorage.removeItem(key)
    }
  }
  await (await import('./kept-state.ts')).clearOfOther()
}
