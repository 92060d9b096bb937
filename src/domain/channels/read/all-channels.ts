import type { Walks } from '../../../core/command.ts'
import { madeInTurns } from '../../../core/made-in-turns.ts'
import type { MadeInTurns, RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import { CHANNELS_OF_ONE_TURN } from '../../../core/turn-budgets.ts'
import { type Channel, listChannels, listChannelsAfter, listChannelsAmong } from '../channel-rows.ts'
import { replaced } from '../visibility/visible-channels.ts'

/** Every channel, by name, made in several turns. */
export type AllChannels = MadeInTurns<readonly Channel[]>

const ROWS = 'rows of channels'

/** Lists every channel, by name, regardless of who may see it. */
export function allChannels(
  tx: RealmReads,
  { channels }: { readonly channels?: AllChannels | undefined } = {},
): readonly Channel[] {
  return tx.remember(ROWS, () => listChannels(tx.sql), channels)
}

/** Makes the same in several turns, for `load`. */
export function loadChannels(walks: Walks, view: RealmView): Promise<AllChannels> {
  const { sql } = view
  return madeInTurns<readonly Channel[]>(walks, view, ROWS, {
    async make() {
      const all: Channel[] = []
      for (let last: Channel | undefined; ; await walks.turn()) {
        const channels = listChannelsAfter(sql, last, CHANNELS_OF_ONE_TURN.channels)
        all.push(...channels)
        if (channels.length < CHANNELS_OF_ONE_TURN.channels) return all
        last = channels.at(-1)
      }
    },
    mend: (all, changed) => replaced(sql, all, ({ id }) => id, listChannelsAmong(sql, [...changed])),
  })
}
