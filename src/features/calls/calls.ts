import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import { InvalidZoomTokenError, UnknownZoomUserError } from '../../core/errors.ts'
import { isCallServiceConnected, requireCallService } from '../../model/calls/call-providers.ts'
import { findZoomAccount } from '../../store/calls/zoom-account-rows.ts'
import { callByOwnZoom, type ZoomAtHand } from './in-worker/call-by-own-zoom.ts'
import { createCall } from './in-worker/create-call.ts'
import { isOver } from './zoom-accounts.ts'

/**
 * Creates the link of a call, which begins when the first person opens it. Its creator is the moderator. Source:
 * docs/interface/organization.md#calls.
 */
export const createBigBlueButtonCallEndpoint = defineEndpoint({
  operation: 'create-big-blue-button-video-call',
  route: 'GET /calls/bigbluebutton/create',
  access: 'user',
  params: { meeting_name: textUpTo(NAME_LENGTH), voice_only: v.optional(jsonBoolean, 'false') },
  returns: v.object({ url: v.string() }),
  query(_view, { user, source }) {
    requireCallService(source, 'big_blue_button')
    return { maker: user.id }
  },
  async finish({ maker }, { meeting_name: title, voice_only }, worker) {
    const isVideo = !voice_only
    return { url: await createCall(worker, { service: 'big_blue_button', title, isVideo, maker }) }
  },
  rateLimit: 'calls',
})

/** Creates a room that everyone with the link may enter. Source: docs/interface/organization.md#calls. */
export const createNextcloudTalkCallEndpoint = defineEndpoint({
  operation: 'create-nextcloud-talk-video-call',
  route: 'POST /calls/nextcloud_talk/create',
  access: 'user',
  params: { room_name: textUpTo(NAME_LENGTH) },
  returns: v.object({ url: v.string() }),
  query(_view, { source }) {
    requireCallService(source, 'nextcloud_talk')
  },
  async finish(_raw, { room_name: title }, worker) {
    return { url: await createCall(worker, { service: 'nextcloud_talk', title }) }
  },
  rateLimit: 'calls',
  idempotency: 'harmless',
  audit: 'speech',
})

/**
 * Creates a meeting for the caller: as their own Zoom user, or with the deployment's Zoom account, which identifies them by their address.
 * Source: docs/interface/organization.md#calls.
 */
export const createZoomCallEndpoint = defineEndpoint({
  operation: 'create-zoom-call',
  route: 'POST /calls/zoom/create',
  access: 'user',
  params: { is_video_call: v.optional(jsonBoolean, 'true') },
  returns: v.object({ url: v.string() }),
  query(view, { user, source }): Host {
    if (isCallServiceConnected(source, 'zoom')) {
      const account = findZoomAccount(view.sql, user.id)
      if (!account) throw new InvalidZoomTokenError()
      const { tokens, expiresAt, zoomId } = account
      return { by: 'log-in', tokens, isOver: isOver(view, expiresAt), isIdKnown: zoomId !== null }
    }
    requireCallService(source, 'zoom_server_to_server')
    // An unconfirmed address may belong to someone else.
    if (!user.isEmailConfirmed) throw new UnknownZoomUserError()
    return { by: 'address', email: user.deliveryEmail }
  },
  async finish(host, { is_video_call: isVideo }, worker) {
    const url =
      host.by === 'log-in'
        ? await callByOwnZoom(host, { isVideo }, worker)
        : await createCall(worker, { service: 'zoom_server_to_server', email: host.email, isVideo })
    return { url }
  },
  rateLimit: 'calls',
  idempotency: 'harmless',
  audit: 'speech',
})

type Host = { readonly by: 'address'; readonly email: string } | ({ readonly by: 'log-in' } & ZoomAtHand)

/** A participant as others see them in a call. */
export interface CallGuest {
  readonly id: number
  readonly name: string
}

/** The step behind the link of a BigBlueButton call: identifies the user who opens it. */
export const insertCallStep = defineStep({
  operation: 'enter-call',
  access: 'user',
  query: (_view, { user }): CallGuest => ({ id: user.id, name: user.fullName }),
  rateLimit: 'user',
  audit: 'read-only',
})
