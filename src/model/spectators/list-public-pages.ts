import type { Command } from '../../core/command.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { webPublicChannelIds } from '../../store/channels/public-channel-rows.ts'
import type { Anyone } from '../anyone.ts'
import { type PublicChannel, publicChannel } from './public-organization.ts'
import { type PublicTopic, recentPublicTopics } from './recent-public-topics.ts'

/**
 * Limits of channels and of messages that are read, in all channels together. A sitemap may have 50,000
 * addresses.
 */
const LIMITS = { channels: 1_000, messages: 5_000 }

export interface PublicPages {
  readonly channels: readonly (PublicChannel & { readonly topics: readonly PublicTopic[] })[]
}

/**
 * Lists the web-public channels, with their newest topics, where search engines begin. Older ones are linked
 * from page to page.
 */
export const listPublicPages: Command<Anyone, object, void, PublicPages> = {
  apply({ sql }) {
    const ids = webPublicChannelIds(sql, { above: 0, limit: LIMITS.channels })
    const share = Math.ceil(LIMITS.messages / ids.length)
    return {
      channels: ids.map((id) => ({
        ...publicChannel(findChannel(sql, id)!),
        topics: recentPublicTopics(sql, id, {
          below: Number.MAX_SAFE_INTEGER,
          topics: share,
          messages: share,
        }).topics,
      })),
    }
  },
}
