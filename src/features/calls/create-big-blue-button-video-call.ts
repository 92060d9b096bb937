import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireCallService } from '../../model/calls/call-providers.ts'

/**
 * Makes the link of a call, which begins when the first person opens it. Its maker is the moderator. Source:
 * docs/interface/organization.md#calls.
 */
export const createBigBlueButtonCallEndpoint = defineEndpoint({
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
