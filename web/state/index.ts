/**
 * The page's state: no framework, no DOM, no network. A registration's answer makes a `ChatState`
 * (`createState`), events bring it up to date (`applyEvents`), other answers are entered by the functions named `learn…` and `settle…`, and
 * the user's actions show at once through `beginSend`, `markRead` and the like. Everything is changed in place; `state.changes` reports by
 * slice what has changed
 * (`changes.ts`).
 */
export * from './addresses.ts'
export { APPLIED, applyEvents, NOT_NEEDED } from './apply-event.ts'
export { answerFrom, inBlocks, mergeBlock } from './archive.ts'
export { lostByArchiving } from './archiving.ts'
export * from './changes.ts'
export * from './channel-permissions.ts'
export { learnSubscribers } from './channels.ts'
export * from './chat-state.ts'
export * from './completion.ts'
export * from './conversation.ts'
export { createState, renewState } from './create-state.ts'
export * from './emoji.ts'
export * from './group-permissions.ts'
export * from './hash-encoding.ts'
export { keptOf } from './keep.ts'
export { stateOfKept } from './kept.ts'
export * from './links.ts'
export { belongsTo } from './matches.ts'
export * from './message-permissions.ts'
export { carryWindow, followed } from './moves.ts'
export * from './narrow.ts'
export * from './organization-permissions.ts'
export {
  acceptSend,
  beginSend,
  failSend,
  isSentAlready,
  outgoingIn,
  restoreUnsent,
  retrySend,
  rowKey,
  sendParameters,
  sendsToRetry,
  unsentMessages,
} from './outbox.ts'
export * from './own-permissions.ts'
export * from './people-permissions.ts'
export { alwaysInChannel, alwaysInGroup, unionOf } from './permission-values.ts'
export { markRead } from './reading.ts'
export { recentDirect } from './recent.ts'
export * from './search-parse.ts'
export { printSearch } from './search-text.ts'
export {
  badgeCount,
  channelUnread,
  conversationUnread,
  shownChannelCount,
  totalUnread,
  unreadIds,
  unreadMentions,
} from './unread.ts'
export { canLookLikeOther, testParameters, type WebhookTarget, webhookAddress } from './webhook-address.ts'
export {
  abandonFetch,
  beginFetch,
  closeWindow,
  type FetchedMessages,
  openWindow,
  settleAround,
  settleNewer,
  settleOlder,
  settleWanted,
  windowOf,
} from './windows.ts'
export * from './wire.ts'
export * from './words.ts'
