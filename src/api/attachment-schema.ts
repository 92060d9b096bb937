import * as v from 'valibot'

/** An upload as its owner sees it. Source: docs/interface/uploads.md#ones-files. */
export const attachment = v.object({
  id: v.number(),
  name: v.string(),
  path_id: v.pipe(v.string(), v.description('The file’s address is /user_uploads/ followed by this.')),
  size: v.pipe(v.number(), v.description('Bytes.')),
  create_time: v.pipe(v.number(), v.description('UNIX milliseconds; seconds from level 443 on.')),
  messages: v.pipe(
    v.optional(v.array(v.object({ date_sent: v.number(), id: v.number() }))),
    v.description('Below level 472. `date_sent` has the unit of `create_time`.'),
  ),
  message_ids: v.pipe(v.optional(v.array(v.number())), v.description('From level 472 on.')),
})
