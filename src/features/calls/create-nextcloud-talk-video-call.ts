import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireCallService } from '../../model/calls/call-providers.ts'

/** Makes a room that everyone with its link may enter. Source: docs/interface/organization.md#calls. */
export const createNextcloudTalkCallEndpoint = defineEndpoint({
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
