import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { UnknownZoomUserError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireCallService } from '../../model/calls/call-providers.ts'

/** Makes a meeting of the caller's, whom Zoom knows by their address. Source: docs/interface/organization.md#calls. */
export const createZoomCallEndpoint = defineEndpoint({
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
