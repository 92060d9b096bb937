import { CHANNELS_MENDED_AT_ONCE } from './budgets.ts'
import type { Walks } from './command.ts'
import { type MadeInTurns, type RealmView, type Remembered, StaleError } from './realm-transaction.ts'

/** Number of times that a value is made again, or mended in turns, since something of it has changed meanwhile. */
const TRIES = 3

/** How a value that consists of what many channels have is made. */
export interface Making<Value> {
  /** Makes it, in several turns. */
  make(): Promise<Value>
  /** Returns it with these channels as they are now, some CHANNELS_MENDED_AT_ONCE. */
  mend(value: Value, channelIds: ReadonlySet<number>): Value
}

/** Makes a value for `remember` in several turns, for `load`; or takes what is remembered. */
export function madeInTurns<Value>(
  walks: Walks,
  { remembered }: RealmView,
  key: string,
  making: Making<Value>,
): Promise<MadeInTurns<Value>> {
  const known = remembered.find(key)
  const first = known === undefined ? undefined : { epoch: remembered.epoch, value: known as Value }
  return followed(walks, remembered, making, first)
}

/** Makes a value that is remembered nowhere in the same way. What has changed since is mended by `upToDate`. */
export async function followed<Value>(
  walks: Walks,
  remembered: Remembered,
  making: Making<Value>,
  first?: Pick<MadeInTurns<Value>, 'epoch' | 'value'>,
): Promise<MadeInTurns<Value>> {
  const made = async () => {
    const { epoch } = remembered
    return { epoch, value: await making.make() }
  }
  let last = first ?? (await made())
  for (let tries = 1; tries < TRIES; tries += 1) {
    const changed = remembered.channelsChangedSince(last.epoch)
    if (changed && changed.size <= CHANNELS_MENDED_AT_ONCE) break
    last = changed ? await mended(walks, remembered, making, last.value, [...changed]) : await made()
  }
  return { ...last, mend: making.mend }
}

async function mended<Value>(
  walks: Walks,
  remembered: Remembered,
  { mend }: Making<Value>,
  before: Value,
  channelIds: readonly number[],
): Promise<Pick<MadeInTurns<Value>, 'epoch' | 'value'>> {
  const { epoch } = remembered
  let value = before
  for (let at = 0; at < channelIds.length; at += CHANNELS_MENDED_AT_ONCE) {
    await walks.turn()
    value = mend(value, new Set(channelIds.slice(at, at + CHANNELS_MENDED_AT_ONCE)))
  }
  return { epoch, value }
}

/**
 * Returns the value as it is now: the few channels that have changed since are read again.
 * @throws StaleError where that is more than one turn does
 */
export function upToDate<Value>(
  remembered: Pick<Remembered, 'channelsChangedSince'>,
  { epoch, value, mend }: MadeInTurns<Value>,
): Value {
  const changed = remembered.channelsChangedSince(epoch)
  if (!changed || changed.size > CHANNELS_MENDED_AT_ONCE) throw new StaleError()
  return changed.size === 0 ? value : mend(value, changed)
}
