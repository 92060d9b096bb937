import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, integer, json, listUpTo, MAX_INTEGER, textUpTo, word } from '../../api/parameter-types.ts'
import { digestOfOrganization } from '../../model/backups/digest-of-organization.ts'

const sortedNumber = v.pipe(v.number(), v.minValue(-MAX_INTEGER), v.maxValue(MAX_INTEGER))
const key = v.array(v.union([v.string(), v.number()]))

/** Gets a page of the digest of the whole organization. Source: docs/interface/administration.md#the-digest-of-an-organization. */
export const getOrganizationDigestEndpoint = defineEndpoint({
  operation: 'get-organization-digest',
  route: 'GET /realm/digest/organization',
  access: 'owner',
  params: {
    of: described(v.optional(word), 'The `of` of the `next` of an earlier page. By default the first table.'),
    after: described(
      v.optional(json(listUpTo(6, v.union([textUpTo(1_000), sortedNumber]))), '[]'),
      'The `after` of the `next` of an earlier page.',
    ),
  },
  returns: v.object({
    last_event_id: described(integer, 'The newest event that the page takes into account.'),
    parts: v.array(v.object({ of: v.string(), after: key, count: integer, digest: v.string() })),
    next: v.nullable(v.object({ of: v.string(), after: key })),
  }),
  command: {
    reads: true,
    asks: true,
    apply(view, _caller, { of, after }) {
      const page = digestOfOrganization(view, of === undefined ? undefined : { of, after })
      return { last_event_id: view.lastEventId(), parts: [...page.parts], next: page.next }
    },
  },
})
