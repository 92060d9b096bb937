import * as v from 'valibot'
import { defineEndpoint, defineStep, type Endpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import { UnknownZoomUserError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireCallService } from '../../model/calls/call-providers.ts'

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

/** Makes a meeting of the caller's, whom Zoom knows by their address. Source: docs/interface/organization.md#calls. */
const createZoomCallEndpoint = defineEndpoint({
  operation: 'create-zoom-call',
  method: 'POST',
  path: '/calls/zoom/create',
  access: 'user',
  params: { is_video_call: v.optional(jsonBoolean, 'true') },
  returns: v.object({ url: v.string() }),
  command: { reads: true, apply: hostOfZoomCall },
  async finish({ email }, { is_video_call: isVideo }, { createCall }) {
    return { url: await createCall({ service: 'zoom', email, isVideo }) }
  },
  rateLimit: 'calls',
  idempotency: 'harmless',
  audit: 'speech',
})

function hostOfZoomCall(_view: RealmReads, { user, source }: Caller): { readonly email: string } {
  requireCallService(source, 'zoom')
  // Nobody makes meetings of whom they only say to be.
  if (!user.isEmailConfirmed) throw new UnknownZoomUserError()
  return { email: user.deliveryEmail }
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
