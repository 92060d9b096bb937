/**
 * The page's state: no framework, no DOM, no network. A registration's answer makes a `ChatState`
 * (`createState`), events bring it up to date (`applyEvents`), other answers are entered by the functions
 * named `learn…` and `settle…`, and what the user does is shown at once by `beginSend`, `markRead`, `setStar`
 * and the like. Everything is changed in place; `state.changes` reports by slice what has changed
 * (`changes.ts`).
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
export * from './chat-state.ts'
export * from './completion.ts'
export * from './conversation.ts'
export { createState, renewState } from './create-state.ts'
export * from './hash-encoding.ts'
export { belongsTo } from './matches.ts'
export * from './narrow.ts'
export {
  acceptSend,
  beginSend,
  discardSend,
  failSend,
  outgoingIn,
  restoreUnsent,
  retrySend,
  rowKey,
  sendParameters,
  sendsToRetry,
  unsentMessages,
} from './outbox.ts'
export * from './permissions.ts'
export { learnAttachments } from './personal.ts'
export { markRead, setStar } from './reading.ts'
export { recentConversations, recentDirect } from './recent.ts'
export * from './search-text.ts'
export {
  isTopicMuted,
  learnTopics,
  TOPIC_POLICY,
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
