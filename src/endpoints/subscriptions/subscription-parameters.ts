import * as v from 'valibot'
import { normaliseColor } from '../../domain/subscriptions/colors.ts'
import { MAX_LIST_LENGTH, NAME_LENGTH, PROSE_LENGTH, WORD_LENGTH } from '../input-limits.ts'
import { integer, json, listUpTo, mapUpTo, nonNegativeInteger, textUpTo } from '../parameter-types.ts'
import { idList, isNameList, isShort, nameList, withFastPath } from '../step-types.ts'

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

/** Names of channels by user id. */
const namesOfUsers = withFastPath(mapUpTo(MAX_LIST_LENGTH, textUpTo(WORD_LENGTH), nameList), isNamesOfUsers)

function isNamesOfUsers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const entries = Object.entries(value)
  const isKey = isShort(WORD_LENGTH)
  return entries.length <= MAX_LIST_LENGTH && entries.every(([key, names]) => isKey(key) && isNameList(names))
}

/** Channels that have been joined so far. */
export const joinResult = v.strictObject({
  subscribed: namesOfUsers,
  already_subscribed: namesOfUsers,
  unauthorized: v.optional(nameList),
  new_subscription_messages_sent: v.optional(v.boolean()),
})

/** State that commits leave for the next ones, or the part of it that the next one does. */
export const joinPlan = v.strictObject({
  userIds: idList,
  channels: listUpTo(
    MAX_LIST_LENGTH,
    v.strictObject({ id: integer, color: v.optional(textUpTo(WORD_LENGTH)) }),
  ),
  part: v.optional(v.strictObject({ channels: nonNegativeInteger, users: nonNegativeInteger })),
  createdIds: idList,
  announce: v.boolean(),
  result: joinResult,
})

/** Channels that have been left so far: with the numbers of those who left them, and of those who were not in them. */
export const leftChannels = v.strictObject({ names: nameList, removed: idList, notRemoved: idList })

/** The same state for users who leave. */
export const leavePlan = v.strictObject({
  userIds: idList,
  channelIds: idList,
  left: v.optional(nonNegativeInteger),
  result: leftChannels,
  readUpTo: v.optional(integer),
  oldRead: v.optional(integer),
})
