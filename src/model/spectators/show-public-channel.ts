import type { Command } from '../../core/command.ts'
import type { Anyone } from '../caller.ts'
import {
  type PublicChannel,
  type PublicOrganization,
  publicChannel,
  publicOrganization,
  requirePublicChannel,
} from './public-organization.ts'
import { type RecentTopics, recentPublicTopics } from './public-pages.ts'

/** Number of topics of one page, and of messages that are read for them. */
const LIMITS = { topics: 50, messages: 2_000 }

export interface ShowPublicChannelParams {
  readonly channelId: number
  /** The message before which the topics of the page are; null: from the newest on. */
  readonly before: number | null
}

export interface PublicChannelPage extends RecentTopics {
  readonly organization: PublicOrganization
  readonly channel: PublicChannel
}

/**
 * Returns a page of a web-public channel: its topics, those with the newest messages first.
 * @throws NotFoundError for any other channel, and for an unknown one.
 */
export const showPublicChannel: Command<Anyone, ShowPublicChannelParams, void, PublicChannelPage> = {
  apply(tx, { source }, { channelId, before }) {
    const channel = requirePublicChannel(tx.sql, channelId)
    return {
      organization: publicOrganization(tx, source.origin),
      channel: publicChannel(channel),
      ...recentPublicTopics(tx.sql, channel.id, { ...LIMITS, below: before ?? Number.MAX_SAFE_INTEGER }),
    }
  },
}
