import * as v from 'valibot'
import { MAX_LIST_LENGTH, NAME_LENGTH, PROSE_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import { integer, json, listUpTo, textUpTo } from '../../api/parameter-types.ts'
import { normaliseColor } from '../../model/subscriptions/colors.ts'

/** Users by id, or by address; not mixed. */
export const principals = json(
  v.union([listUpTo(MAX_LIST_LENGTH, integer), listUpTo(MAX_LIST_LENGTH, textUpTo(NAME_LENGTH))]),
)

/** Names of channels by user id, as text. */
export const namesByUser = v.record(v.string(), v.array(v.string()))

/** Channels to join by name. Source: docs/interface/subscriptions.md#subscribe. */
export const channelsToJoin = json(
  listUpTo(
    MAX_LIST_LENGTH,
    v.pipe(
      v.object({
        name: textUpTo(NAME_LENGTH),
        color: v.optional(v.nullable(textUpTo(WORD_LENGTH))),
        description: v.optional(v.nullable(textUpTo(PROSE_LENGTH))),
      }),
      v.check(
        ({ color }) => color === undefined || color === null || normaliseColor(color) !== undefined,
        'add.color is not a valid hex color code',
      ),
      v.transform(({ name, color, description }) => ({
        name,
        color: color === undefined || color === null ? undefined : normaliseColor(color),
        description: description ?? undefined,
      })),
    ),
  ),
)
