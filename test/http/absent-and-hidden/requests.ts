import type { ApiResponse } from '../../support/api.ts'
import { exampleOf } from '../../support/example-values.ts'
import type { Endpoint } from '../../support/inside-declarations.ts'

import { LATER } from './hidden-things.ts'
import type { Fields, Name } from './ways-to-name.ts'

/** Values for the parameters besides the one that names a thing: things of the caller or of everybody. */
interface Own {
  readonly channel: number
  readonly message: number
}

export function ownFields({ channel, message }: Own): Fields {
  return {
    stream_id: channel,
    message_id: message,
    messages: [message],
    msg_ids: [message],
    topic: 'x',
    topic_name: 'x',
    content: 'x',
    type: 'channel',
    to: channel,
    op: 'add',
    flag: 'starred',
    anchor: 'oldest',
    num_before: 0,
    num_after: 50,
    narrow: [],
    emoji_name: 'tada',
    visibility_policy: 1,
    property: 'is_muted',
    value: true,
    scheduled_delivery_timestamp: LATER,
    invite_as: 400,
    stream_ids: [],
    invitee_emails: 'somebody@example.com',
    full_name: `A ${crypto.randomUUID().slice(0, 8)}`,
    short_name: crypto.randomUUID().slice(0, 8),
    name: crypto.randomUUID(),
    description: '',
    members: [],
    subscribers: [],
    report_type: 'spam',
    subscriptions: [],
  }
}

export interface Ask {
  readonly path: string
  readonly fields: Fields
}

const isRequired = (schema: { readonly type?: string }) =>
  schema.type !== 'optional' && schema.type !== 'nullish'

/** Slashes are kept where the path ends in a parameter that takes the rest of an address (`+`). */
const encodeForPath = (text: string, rest: string) =>
  rest === '' ? encodeURIComponent(text) : encodeURIComponent(text).replaceAll('%2F', '/')

/** Returns two requests: one with the required parameters alone, and one with all for which a value is known. */
export function asksFor({ params, path }: Endpoint, own: Fields, given: Fields): Ask[] {
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
  return [false, true].map((isFull) => {
    const names = Object.keys(params).filter(
      (name) => name in given || inPath.has(name) || isRequired(params[name]!) || (isFull && name in own),
    )
    const fields = Object.fromEntries(
      names.map((name) => [name, given[name] ?? own[name] ?? exampleOf(params[name]!)]),
    ) as Fields
    return {
      path: path.replaceAll(/:(\w+)(\+?)/g, (_whole, name, rest) =>
        encodeForPath(String(fields[name]), rest),
      ),
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.has(name))),
    }
  })
}

/** Many answers repeat a parameter, and successes contain new ids and times. */
export function shown({ status, body }: ApiResponse, name: Name): string {
  const text = JSON.stringify(body)
    // A second may pass between the two answers.
    .replaceAll(/in \d+ seconds/g, 'in # seconds')
    .replaceAll(encodeURIComponent(String(name)), '…')
    .replaceAll(typeof name === 'number' ? new RegExp(`\\b${name}\\b`, 'g') : String(name), '…')
  return `${status} ${status === 200 ? text.replaceAll(/(?:…|\d)+/g, '#') : text}`
}
