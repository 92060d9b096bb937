import { composeToPeople, write } from './compose-state.ts'

/** What another app may share with the installed page, by the names in its manifest. */
const SHARED = ['title', 'text', 'url'] as const

/** Puts what another app has shared into the box of a new message, whose recipients are still to be chosen. */
export function takeShared(): void {
  const given = new URLSearchParams(location.search)
  const shared = SHARED.map((name) => given.get(name)?.trim()).filter(Boolean)
  if (shared.length === 0) return
  history.replaceState(history.state, '', location.pathname + location.hash)
  composeToPeople()
  write(shared.join('\n'))
}
