import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import { inAddress } from '../../api/step-types.ts'
import {
  listPublicChannels,
  listPublicPages,
  showPublicChannel,
  showPublicTopic,
} from '../../model/spectators/public-pages.ts'
import { spectatorCaller } from '../../model/spectators/spectator.ts'
import { mayReadAttachment } from '../../model/uploads/attachment-access.ts'
import { notYours, type StoredFile, storedFile, type UploadPath } from '../../model/uploads/find-file.ts'
import { type FindAvatarParams, findAvatar } from '../../model/users/profile/find-avatar.ts'
import { notLoggedIn } from '../../rules/access.ts'
import { findAttachmentAt } from '../../store/uploads/attachment-rows.ts'

/** GET /public. */
export const listPublicChannelsStep = defineStep({
  operation: 'list-public-channels',
  access: 'spectator',
  params: { after: integer },
  apply: listPublicChannels,
  audit: 'read-only',
  rateLimit: 'user',
})

/** GET /sitemap.xml, and /robots.txt. */
export const listPublicPagesStep = defineStep({
  operation: 'list-public-pages',
  access: 'spectator',
  apply: listPublicPages,
  audit: 'read-only',
  rateLimit: 'user',
})

/** GET /public/channel/…. */
export const showPublicChannelStep = defineStep({
  operation: 'show-public-channel',
  access: 'spectator',
  params: { channelId: integer, before: v.nullable(integer) },
  apply: showPublicChannel,
  audit: 'read-only',
  rateLimit: 'user',
})

/** GET /public/topic/…. */
export const showPublicTopicStep = defineStep({
  operation: 'show-public-topic',
  access: 'spectator',
  params: { messageId: integer },
  apply: showPublicTopic,
  audit: 'read-only',
  rateLimit: 'user',
})

/**
 * Finds the file at a URL, for visitors without an account: a message with it must be in a web-public channel. Any other is refused like
 * one that does not exist. Source: docs/interface/visitors.md#files-and-pictures;
 * docs/decisions/interface.md#stricter-than-the-public-server.
 */
export const findPublicFileStep = defineStep({
  operation: 'find-public-file',
  access: 'spectator',
  params: { path: inAddress },
  apply(tx, { source }, { path }): StoredFile {
    const attachment = findAttachmentAt(tx.sql, path)
    if (!attachment || !mayReadAttachment(tx, spectatorCaller(tx, source), attachment)) throw notYours()
    return storedFile(attachment)
  },
  audit: 'read-only',
  rateLimit: 'user',
  perThing: { name: ({ path }: UploadPath) => `file ${path}`, refusal: notYours },
})

/**
 * Finds a user's picture by id, for visitors without an account. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#files-and-pictures.
 * @throws UnauthorizedError for a mail address, whose user is not revealed.
 */
export const findPublicAvatarStep = defineStep({
  operation: 'find-public-avatar',
  access: 'spectator',
  params: { user: inAddress, medium: v.boolean() },
  apply(tx, { source }, params) {
    if (!/^\d{1,15}$/.test(params.user)) throw notLoggedIn()
    return findAvatar(tx, spectatorCaller(tx, source), params)
  },
  audit: 'read-only',
  rateLimit: 'user',
  perThing: { name: ({ user, medium }: FindAvatarParams) => `picture ${medium} ${user}` },
})
