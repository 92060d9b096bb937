import type { Operation } from '../define-endpoint.ts'
import { findPublicAvatarStep } from './find-public-avatar.ts'
import { findPublicFileStep } from './find-public-file.ts'
import { getPublicMessageEndpoint } from './get-public-message.ts'
import { getPublicMessagesEndpoint } from './get-public-messages.ts'
import { getPublicTopicsEndpoint } from './get-public-topics.ts'
import { listPublicChannelsStep } from './list-public-channels.ts'
import { listPublicPagesStep } from './list-public-pages.ts'
import { registerSpectatorEndpoint } from './register-spectator.ts'
import { showPublicChannelStep } from './show-public-channel.ts'
import { showPublicTopicStep } from './show-public-topic.ts'

/** Operations for readers without an account. They have the routes of the endpoints that they replace. */
export const SPECTATOR_OPERATIONS: readonly Operation[] = [
  findPublicAvatarStep,
  findPublicFileStep,
  getPublicMessageEndpoint,
  getPublicMessagesEndpoint,
  getPublicTopicsEndpoint,
  listPublicChannelsStep,
  listPublicPagesStep,
  registerSpectatorEndpoint,
  showPublicChannelStep,
  showPublicTopicStep,
]
