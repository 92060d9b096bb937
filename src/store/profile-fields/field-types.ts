import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'

/** Kinds of profile fields, by their numbers in the API. Source: docs/interface/register.md#what-the-snapshot-has. */
export const FIELD_TYPE = {
  SHORT_TEXT: 1,
  LONG_TEXT: 2,
  SELECT: 3,
  DATE: 4,
  URL: 5,
  USER: 6,
  EXTERNAL_ACCOUNT: 7,
  PRONOUNS: 8,
} as const

export type FieldType = (typeof FIELD_TYPE)[keyof typeof FIELD_TYPE]

/** Types of fields, in register's form for clients. */
export const FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date picker' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const

/** Sites to whose profiles a field can link without being given their address. */
export const EXTERNAL_ACCOUNTS = {
  twitter: {
    text: 'Twitter',
    name: 'Twitter username',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    text: 'GitHub',
    name: 'GitHub username',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
} as const

export function requireFieldType(type: number): FieldType {
  const known = Object.values(FIELD_TYPE).find((candidate) => candidate === type)
  if (known === undefined) throw new BadRequestError('Invalid field type.')
  return known
}

/** Whether values of this type are Markdown. */
export function isRendered(type: FieldType): boolean {
  return type === FIELD_TYPE.SHORT_TEXT || type === FIELD_TYPE.LONG_TEXT
}

/** Whether the type may be in a summary: people do not fit. */
export function mayBeInSummary(type: FieldType): boolean {
  return type !== FIELD_TYPE.USER
}

const text = v.string()
const choices = v.record(v.string(), v.strictObject({ text, order: text }))
const account = v.strictObject({ subtype: text, url_pattern: v.optional(text) })

/** Returns the choices of a field, by key. */
export function choicesOf(fieldData: string): Record<string, { text: string; order: string }> {
  const parsed = v.safeParse(choices, fieldData === '' ? {} : parseJson(fieldData))
  return parsed.success ? parsed.output : {}
}

/** Returns the known site of an external account; undefined if the organization has defined it itself. */
export function knownAccount(type: FieldType, fieldData: string) {
  if (type !== FIELD_TYPE.EXTERNAL_ACCOUNT) return undefined
  const { subtype } = parseJson(fieldData) as { subtype: string }
  return Object.hasOwn(EXTERNAL_ACCOUNTS, subtype)
    ? EXTERNAL_ACCOUNTS[subtype as keyof typeof EXTERNAL_ACCOUNTS]
    : undefined
}

/** Checks the data of a field of this type, and returns its stored form. */
export function requireFieldData(type: FieldType, data: Readonly<Record<string, unknown>>): string {
  if (type === FIELD_TYPE.SELECT) return requireChoices(data)
  if (type === FIELD_TYPE.EXTERNAL_ACCOUNT) return requireAccount(data)
  return ''
}

function requireChoices(data: Readonly<Record<string, unknown>>): string {
  const parsed = v.safeParse(choices, data)
  if (!parsed.success) throw new BadRequestError('Invalid field_data')
  const entries = Object.entries(parsed.output)
  if (entries.length === 0) throw new BadRequestError('Field must have at least one choice.')
  for (const [key, choice] of entries) {
    if (key.trim() === '') throw new BadRequestError("'value' cannot be blank.")
    if (choice.text.trim() === '') throw new BadRequestError('field_data["text"] cannot be blank.')
  }
  const texts = new Set(entries.map(([, choice]) => choice.text))
  if (texts.size < entries.length) throw new BadRequestError('Field must not have duplicate choices.')
  return JSON.stringify(parsed.output)
}

function requireAccount(data: Readonly<Record<string, unknown>>): string {
  const parsed = v.safeParse(account, data)
  if (!parsed.success) throw new BadRequestError('Invalid field_data')
  const { subtype, url_pattern } = parsed.output
  if (subtype !== 'custom') {
    if (!Object.hasOwn(EXTERNAL_ACCOUNTS, subtype)) throw new BadRequestError('Invalid external account type')
    return JSON.stringify({ subtype })
  }
  if (url_pattern === undefined) {
    throw new BadRequestError('Custom external account must define URL pattern')
  }
  if (url_pattern.split('%(username)s').length !== 2) {
    throw new BadRequestError("URL pattern must contain '%(username)s'.")
  }
  if (!isWebAddress(url_pattern.replace('%(username)s', 'username'))) {
    throw new BadRequestError('url_pattern is not a URL')
  }
  return JSON.stringify({ subtype, url_pattern })
}

export function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(address) && URL.canParse(address)
}
