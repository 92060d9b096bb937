import * as v from 'valibot'

/**
 * What bots and scripts with the Python library read (docs/interface/clients.md): the library registers for what its caller names,
 * declares no level and no capability, and hands over events as they are.
 */
const integer = v.pipe(v.number(), v.integer())
const text = v.string()

export const SCRIPT_PARAMS = {
  event_types: ['message', 'reaction', 'submessage', 'subscription'],
  narrow: [],
}

export const scriptSnapshot = v.looseObject({ queue_id: text, last_event_id: integer })

const ofMessage = {
  id: integer,
  sender_id: integer,
  sender_email: text,
  sender_full_name: text,
  content: text,
  timestamp: integer,
  client: text,
  subject: text,
}

export const scriptMessage = v.variant('type', [
  v.looseObject({ ...ofMessage, type: v.literal('stream'), stream_id: integer, display_recipient: text }),
  v.looseObject({
    ...ofMessage,
    type: v.literal('private'),
    display_recipient: v.array(v.looseObject({ id: integer, email: text, full_name: text })),
  }),
])

const FORMS: Readonly<Record<string, v.GenericSchema>> = {
  message: v.looseObject({ message: scriptMessage, flags: v.array(text) }),
  reaction: v.looseObject({ message_id: integer, emoji_name: text, user_id: integer }),
  submessage: v.looseObject({ message_id: integer, sender_id: integer, msg_type: text, content: text }),
  subscription: v.looseObject({ op: text }),
}

export const SCRIPT_EVENT_TYPES = Object.keys(FORMS)

/** Heartbeats come to scripts whatever they asked for, and nothing else does. */
export function scriptEventForm({ type }: { type: string }): v.GenericSchema {
  return type === 'heartbeat' ? v.looseObject({ id: integer }) : (FORMS[type] ?? v.never())
}
