import * as v from 'valibot'

const counts = v.array(v.object({ name: v.string(), count: v.number() }))

/** An import as owners see it. */
export const importSchema = v.object({
  id: v.number(),
  acting_user_id: v.number(),
  name: v.string(),
  size: v.number(),
  format: v.nullable(v.string()),
  source: v.nullable(v.string()),
  started_at: v.number(),
  ended_at: v.nullable(v.number()),
  state: v.picklist([
    'reading',
    'waiting',
    'writing',
    'ending',
    'finished',
    'cancelled',
    'failed',
    'checking',
    'undoing',
    'undone',
  ]),
  is_paused: v.boolean(),
  failure: v.nullable(v.string()),
  undo_refusal: v.nullable(v.string()),
  parts_read: v.nullable(v.number()),
  parts: v.nullable(v.number()),
  earlier_import_id: v.nullable(v.number()),
  messages_written: v.nullable(v.number()),
  messages_total: v.nullable(v.number()),
  messages_per_second: v.nullable(v.number()),
  seconds_left: v.nullable(v.number()),
  mapping: v.nullable(
    v.object({
      users: v.record(v.string(), v.number()),
      channels: v.record(v.string(), v.number()),
      profile_fields: v.record(v.string(), v.string()),
      topic: v.string(),
      private_channels: v.boolean(),
      direct_messages: v.boolean(),
      settings: v.boolean(),
    }),
  ),
  estimate: v.nullable(
    v.object({
      seconds: v.number(),
      object_rows: v.number(),
      d1_rows: v.number(),
      object_bytes: v.number(),
      d1_bytes: v.number(),
      file_bytes: v.number(),
      dollars_once: v.number(),
      dollars_a_month: v.number(),
    }),
  ),
  report: v.object({
    records: counts,
    found: counts,
    passed_over: counts,
    problems: counts,
    written: counts,
  }),
})

/** The archive that was uploaded for imports. */
export const importUploadSchema = v.object({
  id: v.string(),
  user_id: v.number(),
  name: v.string(),
  size: v.number(),
  received: v.number(),
  part_size: v.number(),
  expires_at: v.number(),
})
