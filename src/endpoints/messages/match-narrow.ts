import * as v from 'valibot'
import { finishMatches, type MatchingIds, matchNarrow } from '../../domain/messages/read/match-narrow.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonIds } from '../parameter-types.ts'
import { narrow } from './narrow-parameter.ts'

/**
 * Returns which messages belong to a narrow. Source: docs/interface/reading.md#match-messages-with-a-narrow.
 */
export const matchNarrowEndpoint = defineEndpoint({
  operation: 'match-narrow',
  method: 'GET',
  path: '/messages/matches_narrow',
  access: 'user',
  params: { msg_ids: jsonIds, narrow },
  returns: v.object({
    messages: v.record(v.string(), v.object({ match_content: v.string(), match_subject: v.string() })),
  }),
  command: matchNarrow,
  finish: (found, { narrow }, { bodies, run }) =>
    finishMatches(
      found,
      bodies,
      async (ids) => (await run('match-narrow', { msg_ids: ids, narrow })) as MatchingIds,
    ),
})
