import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { defineEndpoint, type ParameterSchemas } from '../../src/api/define-endpoint.ts'
import {
  alias,
  groupSetting,
  integer,
  json,
  jsonBoolean,
  jsonIds,
  jsonInteger,
  jsonNames,
  jsonNonNegativeInteger,
  listUpTo,
  mapUpTo,
  textCutTo,
  textUpTo,
  valueUpTo,
  wordOrJson,
} from '../../src/api/parameter-types.ts'
import { ENDPOINTS } from '../../src/features/index.ts'
import { readParameters } from '../../src/http/input/read-parameters.ts'
import { exampleOf } from '../support/example-values.ts'

/** Returns the result of an endpoint with these parameters for a request. */
function read(params: ParameterSchemas, given: Record<string, string>) {
  const endpoint = defineEndpoint({
    operation: 'small',
    route: 'POST /small',
    access: 'user',
    params,
    returns: v.object({}),
    apply: () => ({}),
    audit: 'read-only',
  })
  const result = readParameters(endpoint, { values: new Map(Object.entries(given)), files: [] }, {})
  if (result.ok) return result.value
  const { status, code, msg, extra } = result.error.toWire()
  expect(status).toBe(400)
  return { code, msg, ...extra }
}

const text = textUpTo(100)
const map = mapUpTo(2, textUpTo(3), textUpTo(4))
const named = v.array(v.object({ name: v.string() }))
const strict = v.strictObject({ a: v.optional(integer) })

describe('a parameter error says', () => {
  it('which required parameter is absent', () => {
    expect(read({ content: text }, {})).toEqual({
      code: 'REQUEST_VARIABLE_MISSING',
      msg: "Missing 'content' argument",
      var_name: 'content',
    })
  })

  it('when both a name and its alias are given', () => {
    const params = { topic: alias('subject', v.optional(text)) }
    expect(read(params, { topic: 'a', subject: 'b' })).toEqual({
      code: 'REQUEST_CONFUSING_VAR',
      msg: "Can't decide between 'topic' and 'subject' arguments",
      var_name1: 'topic',
      var_name2: 'subject',
    })
    expect(read(params, { subject: 'b' })).toEqual({ topic: 'b' })
  })

  it.each<[string, ParameterSchemas[string], string]>([
    ['not JSON', jsonBoolean, 'p is not valid JSON'],
    ['', jsonInteger, 'p is not valid JSON'],
    ['True', jsonBoolean, 'p is not valid JSON'],
    ['01', jsonInteger, 'p is not valid JSON'],
    ['1', jsonBoolean, 'p is not a boolean'],
    ['"true"', jsonBoolean, 'p is not a boolean'],
    ['null', jsonBoolean, 'p is not a boolean'],
    ['"1"', jsonInteger, 'p is not an integer'],
    ['1.5', jsonInteger, 'p is not an integer'],
    ['true', jsonInteger, 'p is not an integer'],
    ['1e400', jsonInteger, 'p is not an integer'],
    ['10000000000000000000000', jsonInteger, 'p is not an integer'],
    ['1', json(v.string()), 'p is not a string'],
    ['{}', jsonIds, 'p is not a list'],
    ['1', json(strict), 'p is not a dict'],
    ['[]', json(v.object({ a: integer })), 'p is not a dict'],
    ['1', json(map), 'p is not a dict'],
    ['[]', json(map), 'p is not a dict'],
    ['"x"', json(v.number('is not a float')), 'p is not a float'],
    ['"x"', json(v.pipe(v.string(), v.isoDate('is not a date'))), 'p is not a date'],
    ['[1, "2"]', jsonIds, 'p[1] is not an integer'],
    ['["a", 2]', jsonNames, 'p[1] is not a string'],
    ['elsewhere', v.picklist(['here', 'there']), 'Invalid p'],
    ['3', json(v.picklist([1, 2])), 'Invalid p'],
    ['2', json(v.literal(1)), 'Invalid p'],
    ['sometimes', wordOrJson(['partial'], v.boolean()), 'p is not valid JSON'],
    ['"sometimes"', wordOrJson(['partial'], v.boolean()), 'Invalid p'],
    [
      'x',
      v.pipe(
        text,
        v.check(() => false, 'it says why'),
      ),
      'Invalid p: Value error, it says why',
    ],
    [
      'x',
      v.pipe(
        text,
        v.check(() => false),
      ),
      'Invalid p',
    ],
    ['four', v.pipe(text, v.maxLength(3)), 'p is too long (limit: 3 characters)'],
    ['🙂🙂🙂', textUpTo(2), 'p is too long (limit: 2 characters)'],
    ['🙂'.repeat(1000), textUpTo(2), 'p is too long (limit: 2 characters)'],
    ['[1, 2, 3]', json(listUpTo(2, integer)), 'p is too long (limit: 2 items)'],
    ['["a", "b", "c"]', json(listUpTo(2, integer)), 'p is too long (limit: 2 items)'],
    ['{"a": "", "b": "", "c": ""}', json(map), 'p is too long (limit: 2 entries)'],
    ['{"a": "12345"}', json(map), 'p["a"] is too long (limit: 4 characters)'],
    ['{"a": [1, 2, 3]}', json(v.object({ a: valueUpTo(5) })), 'p["a"] is too long (limit: 5 characters)'],
    ['"12345"', json(valueUpTo(100), 6), 'p is too long (limit: 6 characters)'],
    ['1'.repeat(1001), jsonInteger, 'p is too long (limit: 1000 characters)'],
    [`[${'1,'.repeat(600_000)}1]`, jsonIds, 'p is too long (limit: 1000000 characters)'],
    ['1000000000000000', jsonInteger, 'p is too large'],
    ['-1000000000000000', jsonInteger, 'p is too small'],
    ['', v.pipe(text, v.minLength(1)), 'p is too short.'],
    ['', v.pipe(text, v.nonEmpty()), 'p cannot be blank'],
    ['-1', jsonNonNegativeInteger, 'p is too small'],
    ['0', json(v.pipe(integer, v.minValue(1))), 'p is too small'],
    ['9', json(v.pipe(integer, v.maxValue(8))), 'p is too large'],
    ['[{"name": "a"}, {}]', json(named), 'p[1]["name"] field is missing: Field required'],
    ['[{"name": 1}]', json(named), 'p[0]["name"] is not a string'],
    ['[[]]', json(named), 'p[0] is not a dict'],
    ['{"a": 1, "b": 2}', json(strict), 'Argument "b" at p is unexpected'],
    ['[{"x": 1}]', json(v.array(strict)), 'Argument "x" at p[0] is unexpected'],
    ['#ff', v.pipe(text, v.regex(/^#\w{6}$/)), 'p has invalid format'],
    ['{"direct_members": []}', json(groupSetting), 'p["direct_subgroups"] field is missing: Field required'],
    [
      '{"direct_members": ["1"], "direct_subgroups": []}',
      json(groupSetting),
      'p["direct_members"][0] is not an integer',
    ],
  ])('%j: %#', (given, schema, msg) => {
    expect(read({ p: schema }, { p: given })).toEqual({ code: 'BAD_REQUEST', msg })
  })

  it('that JSON is nested too deeply', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(read({ p: json(v.unknown()) }, { p: deep(50) })).toHaveProperty('p')
    for (const levels of [100, 100_000]) {
      expect(read({ p: json(v.unknown()) }, { p: deep(levels) })).toMatchObject({
        msg: 'p is not valid JSON',
      })
    }
  })

  it('the first thing that is wrong, in the order of declaration', () => {
    const params = { first: jsonInteger, second: alias('other', v.optional(text)), third: jsonBoolean }
    const wrong = { first: 'x', second: 'a', other: 'b', third: 'y' }
    expect(read(params, wrong)).toMatchObject({ msg: 'first is not valid JSON' })
    expect(read(params, { ...wrong, first: '1' })).toMatchObject({ code: 'REQUEST_CONFUSING_VAR' })
    expect(read(params, { first: '1', third: 'y' })).toMatchObject({ msg: 'third is not valid JSON' })
    expect(read(params, { third: 'y' })).toMatchObject({ var_name: 'first' })
  })
})

describe('a list in place of an object', () => {
  const objects = ENDPOINTS.flatMap(({ operation, params }) =>
    Object.entries(params)
      .filter(([, schema]) => exampleOf(schema).startsWith('{'))
      .map(([name, schema]): [string, string, ParameterSchemas[string]] => [operation, name, schema]),
  )
  it.each(objects)('%s refuses it for %s', (_operation, name, schema) => {
    expect(read({ [name]: schema }, { [name]: '[]' })).toMatchObject({ msg: `${name} is not a dict` })
  })
})

describe('a value', () => {
  it.each<[string, ParameterSchemas[string], unknown]>([
    ['"quoted"', text, '"quoted"'],
    [' ab ', textCutTo(2, (given) => given.trim()), 'ab'],
    ['a'.repeat(100), textCutTo(2, (given) => given), 'a'.repeat(20)],
    ['true', text, 'true'],
    ['true', jsonBoolean, true],
    [' 7 ', jsonInteger, 7],
    ['-7', jsonInteger, -7],
    ['partial', wordOrJson(['partial'], v.boolean()), 'partial'],
    ['"partial"', wordOrJson(['partial'], v.boolean()), 'partial'],
    ['false', wordOrJson(['partial'], v.boolean()), false],
    ['null', json(v.nullable(integer)), null],
    ['12', json(groupSetting), 12],
    ['[1,2]', jsonIds, [1, 2]],
    ['{"a":"b"}', json(map), { a: 'b' }],
  ])('%j: %#', (given, schema, value) => {
    expect(read({ p: schema }, { p: given })).toEqual({ p: value })
  })

  it('that is absent and optional stays absent, or is the default', () => {
    expect(read({ a: v.optional(text), b: v.optional(jsonBoolean, 'true') }, {})).toEqual({ b: true })
  })
})
