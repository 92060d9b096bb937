import type { Integration, OptionName } from '../../src/integrations/integration.ts'
import {
  type DeliveryFilters,
  type ReadDelivery,
  readDelivery,
} from '../../src/integrations/read-delivery.ts'
import { templateOf } from '../../src/integrations/template-language.ts'
import { emojiCodeByName } from '../../src/markdown/emoji-data.ts'

type Address = DeliveryFilters & Readonly<Partial<Record<OptionName, string>>>

/** A post of a service, and what the integration makes of it. Examples of an integration are in `examples/NAME.ts`. */
export interface Example {
  /** What has happened, for people: the heading in docs/integrations.md, and the title of its test. */
  readonly what: string
  /** Whether docs/integrations.md shows this one rather than the first. */
  readonly isShown?: true
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or the text of the body. */
  readonly body?: unknown
  /** Fields of a form, in place of a body. */
  readonly form?: Readonly<Record<string, string>>
  /** Parameters of the address, besides the key. By default the address names a channel and no topic. */
  readonly address?: Address
  /** Templates of the bot, for the integration that has some. */
  readonly template?: { readonly topic: string; readonly text: string }
  /** The messages; [] where nobody is told. */
  readonly messages?: readonly {
    readonly topic: string
    readonly text: string
    /** Whether the bot’s owner gets it, and nobody else. */
    readonly isForOwner?: true
  }[]
  /** The event of which no message is made. */
  readonly unsupported?: string
}

/** What comes of a post, by the code that serves it. */
export function readExample(
  integration: Integration,
  { headers = {}, body, form, address = {}, template }: Example,
): ReadDelivery {
  const text = form
    ? new URLSearchParams(form).toString()
    : typeof body === 'string'
      ? body
      : JSON.stringify(body)
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return readDelivery(
    integration,
    {
      body: new TextEncoder().encode(text),
      fields: new Map(Object.entries({ ...address, ...form }).map(([name, value]) => [name, String(value)])),
      isForm: form !== undefined,
      address: '',
      header: (name) => byName.get(name.toLowerCase()) ?? '',
    },
    { stream: 'notices', ...address },
    template && templateOf({ topicTemplate: template.topic, textTemplate: template.text }),
  )
}

/** Returns what is wrong with the text of a message or its topic, as people would see it. Quotations and code are the service's own. */
export function findFaults({ topic, text }: { readonly topic: string; readonly text: string }): string[] {
  const own = text
    .replaceAll(/^(~{3,}|`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, 'QUOTATION')
    .replaceAll(/`+[^`\n]*`+/g, 'CODE')
    .replaceAll(/\]\(https?:[^)]*\)/g, '](https://address)')
    .replaceAll(/&#?\w+;/g, 'SIGN')
  const rules: Readonly<Record<string, boolean>> = {
    'says undefined, null, NaN or an object': /\b(?:undefined|null|NaN)\b|\[object /.test(own),
    'has empty brackets': /\[\]|\(\)|\(\s|\s\)|""/.test(own),
    'has white space in front of a sign': / [.,:;]/.test(own),
    'has two spaces in a row': /\S {2}/.test(own),
    'has a sign twice': /[.,:;]{2}(?!\.)/.test(own.replaceAll('...', '')),
    'has an emoji that is none': [...own.matchAll(/(?:^|\s):([a-z_]+):/g)].some(
      ([, name]) => !emojiCodeByName(name!),
    ),
    'is empty': own.trim() === '',
    'begins or ends with white space': own.trim() !== own,
    'has an empty link or an address that no browser opens': /\]\((?!https?:\/\/|#|mailto:)/.test(own),
    'has a topic with an empty part': topic.trim() === '' || /(?:^|\/ )\s*(?:\/|$)/.test(topic),
    'has a topic of several lines': /[\r\n]/.test(topic),
  }
  return Object.keys(rules).filter((rule) => rules[rule])
}
