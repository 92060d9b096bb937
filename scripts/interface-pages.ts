/** The pages of docs/interface that say what declarations say: docs/interface/operations.md and docs/interface/event-types.md. */
import type * as v from 'valibot'
import type { Endpoint } from '../src/endpoints/define-endpoint.ts'
import type { EventType } from '../src/events/event-type.ts'
import { takesIdempotencyKey } from '../src/http/idempotency.ts'
import { type JsonSchema, jsonSchemaOf } from '../src/http/json-schema.ts'
import { describeParameter } from '../src/http/openapi-parameters.ts'
import type { Access } from '../src/permissions/access.ts'
import type { GroupSetting, GroupSettingLevel } from '../src/permissions/group-settings.ts'

const WHO: Readonly<Record<Access, string>> = {
  anyone: 'without credentials',
  spectator: 'without an account, where something is open to the web',
  user: 'every account',
  human: 'people, not bots',
  member: 'all but guests',
  'human-member': 'people, not bots or guests',
  administrator: 'administrators and owners',
  owner: 'owners',
}

/** Every operation by its id, with its route, its parameters in the order in which they are checked, and its answer. */
export function operationsPage(endpoints: readonly Endpoint[]): string {
  return [
    '# Operations',
    '',
    'Made by `npm run interface` from the declarations in `src/endpoints`; not edited by hand. `GET /api/v1/openapi.json` says the same to',
    'programs. Paths are below `/api/v1`. Parameters stand in the order in which they are checked; *JSON* means that the value is JSON inside the',
    'field, and everything else is taken as it is. Lengths are code points. Rules, refusals and events are on the pages that [the index](README.md)',
    'lists.',
    '',
    ...endpoints
      .toSorted((a, b) => (a.operation < b.operation ? -1 : 1))
      .flatMap((endpoint) => [
        `## ${endpoint.operation}`,
        '',
        `\`${routeOf(endpoint)}\`, ${factsOf(endpoint).join('; ')}.`,
        '',
        ...parameterTable(endpoint),
        ...answerLines(endpoint.returns),
      ]),
  ].join('\n')
}

/** `PATCH /messages/{message_id}` */
export function routeOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/:(\w+)\+?/g, '{$1}')}`
}

/** Every event type, with the fields of each of its forms as clients get them. */
export function eventTypesPage(types: readonly EventType[]): string {
  return [
    '# Event types',
    '',
    'Made by `npm run interface` from the schemas in `src/events`; not edited by hand. Every event of every test is held against them. Each has',
    '`id` and `type` besides. Who gets an event, and when, is on [the page of events](events.md).',
    '',
    ...types
      .toSorted((a, b) => (a.type < b.type ? -1 : 1))
      .flatMap(({ type, schema }) => [`## ${type}`, '', ...formsOf(jsonSchemaOf(schema)).map(formLine), '']),
  ].join('\n')
}

function factsOf(endpoint: Endpoint): string[] {
  return [
    WHO[endpoint.access],
    ...(endpoint.rateLimit === 'events' ? ['counted with polls'] : []),
    ...(endpoint.rateLimit === 'none' ? ['not counted'] : []),
    ...(takesIdempotencyKey(endpoint) ? ['takes an `Idempotency-Key`'] : []),
    ...(endpoint.streamsFiles ? ['takes a file'] : []),
    ...(endpoint.tus ? ['tus 1.0.0'] : []),
  ]
}

function parameterTable({ path, params }: Endpoint): string[] {
  const names = Object.keys(params)
  if (names.length === 0) return []
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
  return [
    '| parameter | kind | |',
    '|---|---|---|',
    ...Object.entries(params).map(([name, schema]) => `| \`${name}\` | ${rowOf(name, schema, inPath)} |`),
    '',
  ]
}

function rowOf(name: string, schema: v.GenericSchema<unknown, unknown>, inPath: ReadonlySet<string>): string {
  if (inPath.has(name)) return `${name.endsWith('_id') ? 'integer' : 'text'}, in the path | `
  const { required, isJson, schema: shape, description } = describeParameter(name, schema)
  const { default: preset, ...kind } = shape
  const notes = [
    required ? 'required' : preset === undefined ? '' : `default \`${JSON.stringify(preset)}\``,
    description ?? '',
  ]
  return `${isJson ? 'JSON: ' : ''}${kindOf(kind)} | ${cell(notes.filter(Boolean).join('. '))}`
}

function answerLines(returns: v.GenericSchema): string[] {
  const forms = formsOf(jsonSchemaOf(returns)).filter(({ properties }) => Object.keys(properties).length > 0)
  return [...forms.map((form) => `Answers ${fieldsOf(form)}.`), ...(forms.length > 0 ? [''] : [])]
}

interface Form {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

/** The objects that the schema allows: one, or several. */
function formsOf(schema: JsonSchema): Form[] {
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as JsonSchema[]).flatMap(formsOf)
  const { properties = {}, required = [] } = schema as Partial<Form>
  return [{ properties, required }]
}

function formLine(form: Form): string {
  const { op } = form.properties
  const rest = Object.entries(form.properties).filter(([name]) => !['id', 'type', 'op'].includes(name))
  const head = op === undefined ? '' : `${kindOf(op)}: `
  return `- ${head}${rest.length > 0 ? fieldsOf({ ...form, properties: Object.fromEntries(rest) }) : 'nothing besides'}`
}

function fieldsOf({ properties, required }: Form): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?'
    return `\`${name}\`${optional} (${kindOf(schema)})`
  })
  return fields.join(', ')
}

/** A schema in a few words. */
function kindOf(schema: JsonSchema, depth = 0): string {
  if ('const' in schema) return `\`${String(schema.const)}\``
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${String(value)}\``).join(' or ')
  if (Array.isArray(schema.anyOf)) return variantsText(schema.anyOf as JsonSchema[], depth)
  switch (schema.type) {
    case 'string':
      return `text${limitText(schema.minLength, schema.maxLength)}`
    case 'array':
      return `list${limitText(undefined, schema.maxItems)}${itemText(schema.items as JsonSchema | undefined, depth)}`
    case 'object':
      return objectText(schema, depth)
    case 'integer':
    case 'number':
      return `${schema.type}${rangeText(schema)}`
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return schema.maxLength === undefined ? 'anything' : `text${limitText(undefined, schema.maxLength)}`
  }
}

function variantsText(variants: readonly JsonSchema[], depth: number): string {
  if (variants.length > 20) return `one of ${variants.length} forms`
  return [...new Set(variants.map((one) => kindOf(one, depth)))].join(' or ')
}

function itemText(items: JsonSchema | undefined, depth: number): string {
  return items === undefined || Object.keys(items).length === 0 ? '' : ` of ${kindOf(items, depth + 1)}`
}

function objectText({ properties, maxProperties }: JsonSchema, depth: number): string {
  const names = Object.keys((properties as object | undefined) ?? {})
  if (names.length === 0) return `object${limitText(undefined, maxProperties)}`
  return depth > 0 && names.length > 8
    ? 'object'
    : `object with ${names.map((name) => `\`${name}\``).join(', ')}`
}

function limitText(least: unknown, most: unknown): string {
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most}`
  return most === undefined ? '' : ` up to ${most}`
}

/** Numbers that may be as large as the API's ids have no range worth saying. */
function rangeText({ minimum, maximum }: JsonSchema): string {
  const low = typeof minimum === 'number' && minimum > -1e14 ? minimum : undefined
  const high = typeof maximum === 'number' && maximum < 1e14 ? maximum : undefined
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`
  if (low !== undefined) return ` from ${low}`
  return high === undefined ? '' : ` up to ${high}`
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const LEVELS: Readonly<Record<GroupSettingLevel, string>> = {
  realm: 'Of the organization',
  channel: 'Of a channel',
  group: 'Of a user group',
}

/** Every setting whose value is a group of people: its default, and what it cannot be. */
export function permissionSettingsPage(
  settings: Readonly<Record<GroupSettingLevel, readonly GroupSetting[]>>,
): string {
  return [
    '# Permission settings',
    '',
    'Made by `npm run interface` from the table in `src/permissions/group-settings.ts`; not edited by hand. Values have the form that',
    '[access](access.md#permission-values) describes, and are checked in this order. `role:internet` is never allowed. *creator* is whoever made the',
    'channel or group, alone.',
    '',
    ...Object.entries(LEVELS).flatMap(([level, title]) => [
      `## ${title}`,
      '',
      '| setting | default | everyone | nobody | besides |',
      '|---|---|---|---|---|',
      ...settings[level as GroupSettingLevel].map(settingRow),
      '',
    ]),
  ].join('\n')
}

function settingRow(setting: GroupSetting): string {
  const { name, defaultGroup, allowsEveryone, allowsNobody, allowedSystemGroups, refusedSystemGroups } =
    setting
  const besides = [
    allowedSystemGroups.length > 0 ? `only ${allowedSystemGroups.join(', ')}` : '',
    refusedSystemGroups.length > 0 ? `never ${refusedSystemGroups.join(', ')} alone` : '',
  ]
  const [everyone, nobody] = [allowsEveryone, allowsNobody].map((is) => (is ? 'may be' : 'no'))
  return `| \`${name}\` | ${defaultGroup} | ${everyone} | ${nobody} | ${besides.filter(Boolean).join('; ')} |`
}
