/**
 * The page's state: no framework, no DOM, no network. A registration's answer makes a `ChatState` (`createState`), events
 * bring it up to date (`applyEvents`), answers of other requests are entered by the functions named `learn…` and
 * `settle…`, and what the user does is shown at once by `beginSend`, `markRead`, `setStar` and the like. Everything is
 * changed in place; `state.changes` tells by slice what has changed (`changes.ts`).
 */
export * from './addresses.ts'
export { APPLIED, applyEvents, NOT_NEEDED } from './apply-event.ts'
export * from './changes.ts'
export {
  channelNamed,
  foldersInOrder,
  learnSubscribers,
  setTopicPolicy,
  subscribedChannels,
} from './channels.ts'
export {
  type Channel,
  type ChatState,
  createState,
  type Organization,
  renewState,
  type ServerFacts,
  type TopicPolicyEntry,
  type UserGroup,
} from './chat-state.ts'
export * from './completion.ts'
export * from './conversation.ts'
export * from './hash-encoding.ts'
export { belongsTo } from './matches.ts'
export * from './narrow.ts'
export {
  acceptSend,
  beginSend,
  discardSend,
  failSend,
  type Outbox,
  type OutgoingMessage,
  outgoingIn,
  restoreUnsent,
  retrySend,
  rowKey,
  type SendFailure,
  sendParameters,
  sendsToRetry,
  unsentMessages,
} from './outbox.ts'
export * from './permissions.ts'
export { learnAttachments } from './personal.ts'
export { markRead, setStar } from './reading.ts'
export { type RecentConversation, recentConversations, recentDirect } from './recent.ts'
export * from './search-text.ts'
export {
  isTopicMuted,
  learnTopics,
  TOPIC_POLICY,
  type TopicEntry,
  type TopicsOfChannel,
  topicPolicy,
  topicsOf,
} from './topics.ts'
export { editing, typingIn } from './typing.ts'
export {
  badgeCount,
  channelUnread,
  conversationUnread,
  directUnread,
  shownChannelCount,
  totalUnread,
  type Unread,
  type UnreadCounts,
  unreadIds,
  unreadIdsOfChannel,
  unreadMentions,
} from './unread.ts'
export { learnPresences, type PresenceNow, presenceOf } from './users.ts'
export {
  abandonFetch,
  beginFetch,
  closeWindow,
  dropLooseMessages,
  type FetchedMessages,
  hasId,
  indexOfId,
  isLive,
  type MessageFetch,
  type MessageWindow,
  openWindow,
  settleAround,
  settleMatches,
  settleNewer,
  settleOlder,
  settleWanted,
  trimWindow,
  windowOf,
} from './windows.ts'
export * from './wire.ts'
