import { state } from '../chat.ts'
import type { UserStatus } from '../state/wire.ts'
import { readStored, store } from '../ui/stored.ts'
import { call } from './call.ts'
import type { EmojiChoice } from './reactions.ts'

/** A status that this browser clears, since the server stores no end for it. */
interface Expiring {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
  readonly emoji: string
}

/** Each account of this browser has its own. */
const keyOf = (user: number) => `status expiry ${user}`

/** Sets text and emoji together. `until`: milliseconds since 1970 at which this browser clears them; undefined: never. */
export async function setWholeStatus(
  text: string,
  emoji: EmojiChoice | undefined,
  until?: number,
): Promise<void> {
  await call('POST', '/users/me/status', { status_text: text, ...(emoji ?? { emoji_name: '' }) })
  if (until === undefined) localStorage.removeItem(keyOf(state.me))
  else store(keyOf(state.me), { at: until, text, emoji: emoji?.emoji_code ?? '' } satisfies Expiring)
}

/** Returns when the present status ends; undefined if this browser does not know of an end. */
export function statusExpiry(): number | undefined {
  const expiring = readStored<Expiring>(keyOf(state.me))
  return expiring && isStill(expiring, state.statuses.get(state.me)) ? expiring.at : undefined
}

/** Clears the status if its time has passed, and it is still the one that was to end. */
export async function clearExpiredStatus(): Promise<void> {
  const at = statusExpiry()
  if (at !== undefined && at <= Date.now()) await setWholeStatus('', undefined)
}

function isStill({ text, emoji }: Expiring, status: UserStatus | undefined): boolean {
  return (status?.status_text ?? '') === text && (status?.emoji_code ?? '') === emoji
}
