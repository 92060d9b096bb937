import type { RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { NO_ALERT_WORDS } from '../../../markdown/alert-words.ts'
import type { MarkdownLookups } from '../../../markdown/render.ts'
import { mayAccessChannelContent, mayAccessChannelMetadata } from '../../../rules/channel-rules.ts'
import { mayReadMessage } from '../../../rules/message-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../rules/topic-rules.ts'
import { findChannel, findChannelByName } from '../../../store/channels/channel-rows.ts'
import { findCustomEmojiNamed } from '../../../store/emoji/custom-emoji-rows.ts'
import { EXTRA_EMOJI_NAME } from '../../../store/emoji/emoji-lookup.ts'
import { ABOVE_ALL } from '../../../store/messages/channel-topic-rows.ts'
import { messagesOfTopicBelow, newestMessageOfTopic } from '../../../store/messages/message-rows.ts'
import { findTopic } from '../../../store/messages/topic-rows.ts'
import { listLinkifiers } from '../../../store/realm/realm-list-rows.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import { findGroupNamed } from '../../../store/user-groups/user-group-rows.ts'
import { userSetting } from '../../../store/users/settings/user-setting-rows.ts'
import { findUser, findUsersNamed, type User } from '../../../store/users/user-rows.ts'
import { externalAddress } from '../../external-content/external-address.ts'
import { firstUses } from '../../realm/linkifiers-and-playgrounds.ts'
import { EXTRA_EMOJI_PATH } from '../../server/version.ts'
import { seesUser, visibleUsers } from '../../users/visibility/visible-users.ts'
import { accessReader, type Viewer } from '../read/message-access.ts'

/** The author of a text, which names only what they may know of. */
export type Author = Viewer

/** The sources of the lookups. Without `use`, everything is read in this turn. */
export type LookupView = Pick<RealmView, 'now' | 'sql' | 'proxiesPictures'> & Partial<Pick<RealmReads, 'use'>>

/** Returns lookups for rendering a text of `author`, of people and channels that the author may know of. */
export function markdownLookups(view: LookupView, author: Author, origin: string): MarkdownLookups {
  const { sql } = view
  return {
    ...peopleLookups({ sql }, author),
    groupNamed(name) {
      const group = findGroupNamed(sql, name)
      return group && { id: group.id, name: group.name, isDeactivated: group.isDeactivated }
    },
    channelNamed(name) {
      const channel = findChannelByName(sql, name)
      if (!channel) return undefined
      const subscribed = isSubscribed(sql, channel.id, author.user.id)
      return mayAccessChannelMetadata(author.actor, channel, subscribed) ? channel : undefined
    },
    newestInTopic: newestReadable(view, author),
    customEmoji: (name) => pictureOf(sql, name),
    linkifiers: listLinkifiers(sql),
    alertWords: NO_ALERT_WORDS,
    realmUrl: origin,
    translateEmoticons: userSetting(author.user, 'translate_emoticons'),
    now: view.now,
    inlineImagePreview: realmProperty(sql, 'inline_image_preview'),
    ...(view.proxiesPictures() ? { externalPicture: (address) => externalAddress(view, address) } : {}),
    defaultCodeBlockLanguage: realmProperty(sql, 'default_code_block_language'),
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
    ...(view.use ? { noteFirstUses: (uses) => view.use!(firstUses, uses) } : {}),
  }
}

/** Returns lookups of the users whom a text of `author` can mention: those whom the author sees. */
export function peopleLookups(
  { sql }: Pick<RealmView, 'sql'>,
  author: Author,
): Pick<MarkdownLookups, 'usersNamed' | 'userById'> {
  return {
    usersNamed: (fullName) => visibleUsers({ sql }, author, findUsersNamed(sql, fullName)).map(mentionable),
    userById(id) {
      const user = findUser(sql, id)
      return user && seesUser({ sql }, author, user) ? mentionable(user) : undefined
    },
  }
}

/** Messages that the links of a text look at where the history is protected: usually one a link. */
const LOOKED_AT = 500
/** The same for one link. */
const LOOKED_AT_FOR_ONE = 100

/** Returns a function that finds the newest message of a topic that the author may read. */
function newestReadable(
  { sql }: Pick<RealmView, 'sql'>,
  { user, actor }: Author,
): NonNullable<MarkdownLookups['newestInTopic']> {
  const access = accessReader({ sql }, { user, actor })
  let left = LOOKED_AT
  return (channelId, name) => {
    const channel = findChannel(sql, channelId)
    const topic = findTopic(sql, channelId, name)
    if (!channel || !topic) return undefined
    if (!mayAccessChannelContent(actor, channel, isSubscribed(sql, channelId, user.id))) return undefined
    if (channel.historyPublicToSubscribers) return newestMessageOfTopic(sql, topic.id)
    const messages = messagesOfTopicBelow(sql, topic.id, ABOVE_ALL, Math.min(left, LOOKED_AT_FOR_ONE))
    const found = messages.findIndex((message) => mayReadMessage(actor, access(message)))
    left -= found < 0 ? messages.length : found + 1
    return messages[found]?.id
  }
}

/** Returns an emoji that is a picture. */
function pictureOf(sql: Sql, name: string): { id: string; sourceUrl: string } | undefined {
  const uploaded = findCustomEmojiNamed(sql, name)
  if (uploaded) return { id: String(uploaded.id), sourceUrl: uploaded.path }
  return name === EXTRA_EMOJI_NAME ? { id: name, sourceUrl: EXTRA_EMOJI_PATH } : undefined
}

function mentionable({ id, fullName, isActive }: User) {
  return { id, fullName, isActive }
}
