import { fromJson, type JsonText, jsonText } from '../../../core/json.ts'
import type { MessageFacts, MessageHead } from './present-message.ts'

/** Messages on their way to the Worker, as two texts: as objects, a hundred would cost a third of a millisecond more. */
export interface PackedMessages {
  readonly ids: readonly number[]
  readonly heads: JsonText<readonly PackedHead[]>
  /** The JSON of each message's facts, on a line of its own. */
  readonly lines: string
}

type PackedHead = [
  version: MessageHead['version'],
  isShort: MessageHead['isShort'],
  moves: MessageHead['moves'],
  editsAfter?: MessageHead['editsAfter'],
]

/** A message to pack: its facts are the fields of `own` and of the shared objects. */
interface Packable extends MessageHead {
  readonly own: { readonly id: number }
  readonly shared: readonly object[]
}

/** A message as the Worker unpacks it, with facts that it sends on without parsing them. */
export interface UnpackedMessage extends MessageHead {
  readonly id: number
  readonly facts: JsonText<MessageFacts>
}

export function packMessages(messages: readonly Packable[]): PackedMessages {
  const fieldsOf = fieldsReader()
  const ids: number[] = []
  const heads: PackedHead[] = []
  let lines = ''
  for (const message of messages) {
    ids.push(message.own.id)
    heads.push(headOf(message))
    if (lines !== '') lines += '\n'
    lines += `{${jsonFields(message.own)}`
    for (const shared of message.shared) lines += `,${fieldsOf(shared)}`
    lines += '}'
  }
  return { ids, heads: jsonText(heads), lines }
}

function headOf({ version, isShort, moves, editsAfter }: MessageHead): PackedHead {
  return editsAfter === undefined ? [version, isShort, moves] : [version, isShort, moves, editsAfter]
}

/** Returns a function that returns an object's fields as JSON, made once for each object. */
function fieldsReader(): (object: object) => string {
  const known = new Map<object, string>()
  return (object) => {
    const fields = known.get(object) ?? jsonFields(object)
    known.set(object, fields)
    return fields
  }
}

function jsonFields(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}

export function unpackMessages({ ids, heads, lines }: PackedMessages): UnpackedMessage[] {
  const facts = lines.split('\n') as JsonText<MessageFacts>[]
  return fromJson(heads).map(([version, isShort, moves, editsAfter], at) => ({
    id: ids[at]!,
    version,
    isShort,
    moves,
    editsAfter,
    facts: facts[at]!,
  }))
}
