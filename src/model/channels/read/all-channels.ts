import { defineReader } from '../../../core/reader.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import { type Channel, listChannelsAfter } from '../../../store/channels/channel-rows.ts'

/** Channels that are read together. */
const AT_A_TIME = 100
/** Rows that take as long to read as a channel with its permissions. */
const WORK_OF_A_CHANNEL = 8

/** Every channel, archived ones included, by name. */
export const everyChannel = defineReader({
  name: 'channels',
  key: () => '',
  *read({ sql }) {
    const all: Channel[] = []
    for (;;) {
      const part = listChannelsAfter(sql, all.at(-1), AT_A_TIME)
      all.push(...part)
      if (part.length < AT_A_TIME) return all
      yield WORK_OF_A_CHANNEL * part.length
    }
  },
})

/** Lists every channel, by name, regardless of who may see it. */
export function allChannels(tx: Pick<RealmReads, 'use'>): readonly Channel[] {
  return tx.use(everyChannel, undefined)
}
