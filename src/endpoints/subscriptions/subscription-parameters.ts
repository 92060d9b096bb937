import * as v from 'valibot'
import { normaliseColor } from '../../domain/subscriptions/colors.ts'
import { integer, json } from '../parameter-types.ts'

/** Users by id, or by address; not mixed. */
export const principals = json(v.union([v.array(integer), v.array(v.string())]))

/** User id, as text, → names of channels. */
export const namesByUser = v.record(v.string(), v.array(v.string()))

/** Channels to join by name. Source: SPEC 4.3. */
export const channelsToJoin = json(
  v.array(
    v.pipe(
      v.object({
        name: v.string(),
        color: v.optional(v.nullable(v.string())),
        description: v.optional(v.nullable(v.string())),
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
