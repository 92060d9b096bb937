import * as v from 'valibot'
import { defineEndpoint, defineStep, type Endpoint, type Operation } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import { InvalidZoomTokenError, UnknownZoomUserError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { isCallServiceConnected, requireCallService } from '../../model/calls/call-providers.ts'
import { findZoomAccount } from '../../store/calls/zoom-account-rows.ts'
import { callByOwnZoom, type ZoomAtHand } from './in-worker/call-by-own-zoom.ts'
import {
  beginZoomLoginStep,
  claimZoomRenewalStep,
  connectZoomAccountStep,
  deauthorizeZoomUserStep,
  endZoomRenewalStep,
  forgetZoomAccountStep,
  isOver,
  noteZoomIdStep,
} from './zoom-accounts.ts'

/**
 * Makes the link of a call, which begins when the first person opens it. Its maker is the moderator. Source:
 * docs/interface/organization.md#calls.
 */
const createBigBlueButtonCallEndpoint = defineEndpoint({
  operation: 'create-big-blue-button-video-call',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  access: 'user',
  params: { meeting_name: textUpTo(NAME_LENGTH), voice_only: v.optional(jsonBoolean, 'false') },
  returns: v.object({ url: v.string() }),
  command: { reads: true, apply: makerOfCall },
  async finish({ maker }, { meeting_name: title, voice_only }, { createCall }) {
    return { url: await createCall({ service: 'big_blue_button', title, isVideo: !voice_only, maker }) }
  },
  rateLimit: 'calls',
})

function makerOfCall(_view: RealmReads, { user, source }: Caller): { readonly maker: number } {
  requireCallService(source, 'big_blue_button')
  return { maker: user.id }
}

/** Makes a room that everyone with its link may enter. Source: docs/interface/organization.md#calls. */
const createNextcloudTalkCallEndpoint = defineEndpoint({
  operation: 'create-nextcloud-talk-video-call',
  method: 'POST',
  path: '/calls/nextcloud_talk/create',
  access: 'user',
  params: { room_name: textUpTo(NAME_LENGTH) },
  returns: v.object({ url: v.string() }),
  command: { reads: true, apply: requireNextcloudTalk },
  async finish(_raw, { room_name: title }, { createCall }) {
    return { url: await createCall({ service: 'nextcloud_talk', title }) }
  },
  rateLimit: 'calls',
  idempotency: 'harmless',
  audit: 'speech',
})

function requireNextcloudTalk(_view: RealmReads, { source }: Caller): object {
  requireCallService(source, 'nextcloud_talk')
  return {}
}

/**
 * Makes a meeting of the caller's: as the user of Zoom that they are logged in as there, or by the deployment's own account, which knows
 * them by their address. Source: docs/interface/organization.md#calls.
 */
const createZoomCallEndpoint = defineEndpoint({
  operation: 'create-zoom-call',
  method: 'POST',
  path: '/calls/zoom/create',
  access: 'user',
  params: { is_video_call: v.optional(jsonBoolean, 'true') },
  returns: v.object({ url: v.string() }),
  command: { reads: true, apply: hostOfZoomCall },
  async finish(host, { is_video_call: isVideo }, worker) {
    const url =
      host.by === 'log-in'
        ? await callByOwnZoom(host, { isVideo }, worker)
        : await worker.createCall({ service: 'zoom_server_to_server', email: host.email, isVideo })
    return { url }
  },
  rateLimit: 'calls',
  idempotency: 'harmless',
  audit: 'speech',
})

type Host = { readonly by: 'address'; readonly email: string } | ({ readonly by: 'log-in' } & ZoomAtHand)

function hostOfZoomCall(view: RealmReads, { user, source }: Caller): Host {
  if (isCallServiceConnected(source, 'zoom')) {
    const account = findZoomAccount(view.sql, user.id)
    if (!account) throw new InvalidZoomTokenError()
    const { tokens, expiresAt, zoomId } = account
    return { by: 'log-in', tokens, isOver: isOver(view, expiresAt), isIdKnown: zoomId !== null }
  }
  requireCallService(source, 'zoom_server_to_server')
  // Nobody makes meetings of whom they only say to be.
  if (!user.isEmailConfirmed) throw new UnknownZoomUserError()
  return { by: 'address', email: user.deliveryEmail }
}

/** A person as others see them in a call. */
export interface CallGuest {
  readonly id: number
  readonly name: string
}

/** The step behind the link of a call by BigBlueButton: says who opens it. */
export const enterCallStep = defineStep({
  operation: 'enter-call',
  access: 'user',
  params: {},
  command: { reads: true, apply: guestOfCall },
  rateLimit: 'user',
  audit: 'read-only',
})

function guestOfCall(_view: RealmReads, { user }: Caller): CallGuest {
  return { id: user.id, name: user.fullName }
}

export const CALL_ENDPOINTS: readonly Endpoint[] = [
  createBigBlueButtonCallEndpoint,
  createNextcloudTalkCallEndpoint,
  createZoomCallEndpoint,
]

export const CALL_STEPS: readonly Operation[] = [
  enterCallStep,
  beginZoomLoginStep,
  connectZoomAccountStep,
  claimZoomRenewalStep,
  endZoomRenewalStep,
  noteZoomIdStep,
  forgetZoomAccountStep,
  deauthorizeZoomUserStep,
]
