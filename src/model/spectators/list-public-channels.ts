import type { Command } from '../../core/command.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { webPublicChannelIds } from '../../store/channels/public-channel-rows.ts'
import type { Anyone } from '../anyone.ts'
import {
  type PublicChannel,
  type PublicOrganization,
  publicChannel,
  publicOrganization,
} from './public-organization.ts'

const CHANNELS_OF_A_PAGE = 100

export interface PublicChannels {
  readonly organization: PublicOrganization
  readonly channels: readonly PublicChannel[]
  /** The id above which the next page begins; null on the last. */
  readonly next: number | null
}

/** Lists a page of the web-public channels, by id. `after`: only those with a higher one. */
export const listPublicChannels: Command<Anyone, { readonly after: number }, void, PublicChannels> = {
  apply(tx, { source }, { after }) {
    const ids = webPublicChannelIds(tx.sql, { above: after, limit: CHANNELS_OF_A_PAGE + 1 })
    const shown = ids.slice(0, CHANNELS_OF_A_PAGE)
    return {
      organization: publicOrganization(tx, source.origin),
      channels: shown.map((id) => publicChannel(findChannel(tx.sql, id)!)),
      next: ids.length > shown.length ? shown.at(-1)! : null,
    }
  },
}
