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
