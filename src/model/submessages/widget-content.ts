import { BadRequestError } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'

/** A widget that a client defines itself. Polls and to-do lists come from the message's text instead. */
export interface ZForm {
  readonly widget_type: 'zform'
  readonly extra_data: Readonly<Record<string, unknown>>
}

/**
 * Reads the parameter `widget_content` of sending: a form with buttons to choose from, for bots.
 * @throws BadRequestError `Widgets: …`. Source: docs/interface/messages.md#send-a-message, step 5.
 */
export function requireWidgetContent(text: string): ZForm {
  const content = parse(text)
  if (!isRecord(content)) throw refusal('widget_content is not a dict')
  for (const key of ['widget_type', 'extra_data']) {
    if (!Object.hasOwn(content, key)) throw refusal(`${key} is not in widget_content`)
  }
  const { widget_type, extra_data } = content
  if (!isRecord(extra_data)) throw refusal('extra_data is not a dict')
  if (widget_type !== 'zform') throw refusal(`unknown widget type: ${String(widget_type)}`)
  if (!Object.hasOwn(extra_data, 'type')) throw refusal('zform is missing type field')
  if (extra_data.type !== 'choices') throw refusal(`unknown zform type: ${String(extra_data.type)}`)
  requireChoices(extra_data)
  return { widget_type, extra_data }
}

function requireChoices(data: Readonly<Record<string, unknown>>): void {
  requireTexts(data, ['heading'], 'extra_data')
  const { choices } = data
  if (choices === undefined) throw refusal('choices key is missing from extra_data')
  if (!Array.isArray(choices)) throw refusal('extra_data["choices"] is not a list')
  choices.forEach((choice: unknown, index) => {
    const name = `extra_data["choices"][${index}]`
    if (!isRecord(choice)) throw refusal(`${name} is not a dict`)
    requireTexts(choice, ['short_name', 'long_name', 'reply'], name)
  })
}

function requireTexts(data: Readonly<Record<string, unknown>>, keys: readonly string[], name: string): void {
  for (const key of keys) {
    if (!Object.hasOwn(data, key)) throw refusal(`${key} key is missing from ${name}`)
    if (typeof data[key] !== 'string') throw refusal(`${name}["${key}"] is not a string`)
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw refusal('API programmer sent invalid JSON content')
  }
}

function refusal(what: string): BadRequestError {
  return new BadRequestError(`Widgets: ${what}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Fields = Readonly<Record<string, (value: unknown, name: string) => void>>

/** Limit of a list's length. */
const MAX_INDEX = 1_000

const text = (value: unknown, name: string) => {
  if (typeof value !== 'string') throw new BadRequestError(`${name} is not a string`)
}
const flag = (value: unknown, name: string) => {
  if (typeof value !== 'boolean') throw new BadRequestError(`${name} is not a boolean`)
}
const integer = (value: unknown, name: string) => {
  if (!Number.isSafeInteger(value)) throw new BadRequestError(`${name} is not an integer`)
  return value as number
}
const index = (value: unknown, name: string) => {
  const number = integer(value, name)
  if (number < 0) throw new BadRequestError(`${name} is too small`)
  if (number > MAX_INDEX) throw new BadRequestError(`${name} is too large`)
}
const vote = (value: unknown, name: string) => {
  if (Math.abs(integer(value, name)) !== 1) throw new BadRequestError(`Invalid ${name}`)
}

interface WidgetRules {
  readonly forms: Readonly<Record<string, Fields>>
  /** EventRepresentations that only the message's sender may use, with the refusal for others. */
  readonly forAuthor: Readonly<Record<string, string>>
}

const RULES: Readonly<Record<string, WidgetRules>> = {
  poll: {
    forms: {
      vote: { key: text, vote },
      question: { question: text },
      new_option: { option: text, idx: index },
    },
    forAuthor: { question: "You can't edit a question unless you are the author." },
  },
  todo: {
    forms: {
      new_task: { key: index, task: text, desc: text, completed: flag },
      strike: { key: text },
      new_task_list_title: { title: text },
    },
    forAuthor: {
      new_task_list_title: "You can't edit the task list title unless you are the author.",
    },
  },
}

/**
 * Checks an entry to a poll or a to-do list, and returns its type; other widgets are not checked. `isAuthor`: whether the
 * message's sender makes it. Source: docs/interface/messages.md#widgets.
 */
export function requireWidgetData(widgetType: string, data: unknown, isAuthor: boolean): string | undefined {
  const rules = RULES[widgetType]
  if (!rules) return undefined
  const name = `${widgetType} data`
  if (!isRecord(data)) throw new BadRequestError(`${name} is not a dict`)
  if (data.type === undefined) throw new BadRequestError(`type key is missing from ${name}`)
  text(data.type, `${name}["type"]`)
  const type = data.type as string
  const fields = Object.hasOwn(rules.forms, type) ? rules.forms[type] : undefined
  if (!fields) throw new BadRequestError(`Unknown type for ${name}: ${type}`)
  const refusal = rules.forAuthor[type]
  if (refusal !== undefined && !isAuthor) throw new BadRequestError(refusal)
  requireFields(data, fields, name)
  return type
}

function requireFields(given: Readonly<Record<string, unknown>>, fields: Fields, name: string): void {
  for (const [key, check] of Object.entries(fields)) {
    if (!Object.hasOwn(given, key)) throw new BadRequestError(`${key} key is missing from ${name}`)
    check(given[key], `${name}["${key}"]`)
  }
  const unexpected = Object.keys(given).filter((key) => key !== 'type' && !Object.hasOwn(fields, key))
  if (unexpected.length > 0) throw new BadRequestError(`Unexpected arguments: ${unexpected.join(', ')}`)
}
