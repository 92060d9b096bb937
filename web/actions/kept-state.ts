import { state } from '../chat.ts'
import type { ChatState } from '../state/chat-state.ts'
import { keptOf } from '../state/keep.ts'
import { type KeptState, stateOfKept } from '../state/kept.ts'
import { archived, keepMessages } from './archive.ts'
import { shownSince } from './offline.ts'
import { clearSealed, isOfOther, readSealed, writeSealed } from './sealed-store.ts'

export { answerFromArchive, archiveSize, forgetMessages } from './archive.ts'
export { clearSealed } from './sealed-store.ts'

/** The list of conversations and what belongs to it, for times without a network. The messages are in the archive. */
interface Kept {
  /** The build of the page that wrote it; another build may have another form of the state. */
  readonly build: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly state: KeptState
}

/** The name under which it is kept. */
const STATE = 'state'

/** Milliseconds after which kept data is no longer shown, since an unused session ends then. */
const MAX_AGE_MS = 14 * 24 * 60 * 60_000

/** Keeps the messages and the present state, if the browser can and may, and they do not come from there. */
export async function keepState(): Promise<void> {
  if (shownSince.value !== undefined) return
  await keepMessages()
  await writeSealed(STATE, { build: build(), at: Date.now(), state: keptOf(state) } satisfies Kept)
}

/** Returns what was kept for this session, by this build of the page. */
export async function readKept(): Promise<{ at: number; state: ChatState } | undefined> {
  const kept = (await readSealed(STATE)) as Kept | undefined
  if (kept?.build !== build()) return undefined
  if (Date.now() - kept.at > MAX_AGE_MS) {
    await clearSealed()
    return undefined
  }
  const shown = stateOfKept(kept.state)
  const newest = new Set([...shown.recent.values()].map(({ newestId }) => newestId))
  for (const message of await archived()) if (newest.has(message.id)) shown.messages.set(message.id, message)
  return { at: kept.at, state: shown }
}

/** Deletes what the session before has kept, if this one began without a log-out of that. */
export async function clearOfOther(): Promise<void> {
  if (await isOfOther(STATE)) await clearSealed()
}

/** Returns a name of this build of the page. */
function build(): string {
  // Their names have digests of all that they import.
  return [...document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]')]
    .map(({ src }) => src)
    .join()
}
