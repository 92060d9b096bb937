import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { DEMO_OPERATIONS } from '../../src/dev/demo-operations.ts'
import { DEV_ENDPOINTS } from '../../src/dev/endpoints.ts'
import { ENDPOINTS, OPERATIONS } from '../../src/endpoints/index.ts'
import { MAX_LIST_LENGTH, NAME_LENGTH, WORD_LENGTH } from '../../src/endpoints/input-limits.ts'
import {
  bareOrQuoted,
  integer,
  json,
  jsonIds,
  listUpTo,
  MAX_INTEGER,
  mapUpTo,
  textCutTo,
  textOrJson,
  textUpTo,
  valueUpTo,
  wordOf,
  wordOrJson,
} from '../../src/endpoints/parameter-types.ts'
import { idList, nameList } from '../../src/endpoints/step-types.ts'
import { joinResult } from '../../src/endpoints/subscriptions/subscription-parameters.ts'
import { unlimitedIn } from '../support/unlimited-schemas.ts'

/** Some endpoints stand in for others, for browsers or for callers without an account. */
const all = [
  ...new Set([...ENDPOINTS, ...DEV_ENDPOINTS, ...[...OPERATIONS.values()].filter((one) => 'params' in one)]),
] as (typeof ENDPOINTS)[number][]

describe('every input has a limit', () => {
  it.each(all.map(({ operation, params }) => [operation, params] as const))('of %s', (_operation, params) => {
    expect(Object.entries(params).flatMap(([name, schema]) => unlimitedIn(schema, name))).toEqual([])
  })
})

describe('every value that the Worker passes to an inner step has a limit', () => {
  const steps = [...OPERATIONS.values(), ...DEMO_OPERATIONS].filter((operation) => !('params' in operation))
  it.each(steps.map(({ operation, stepParams }) => [operation, stepParams] as const))(
    'of %s',
    (_, params) => {
      expect(params && unlimitedIn(params, '')).toEqual([])
    },
  )

  it('and the list of such steps is not empty', () => {
    expect(steps.length).toBeGreaterThan(40)
  })
})

describe('the check finds an input without a limit', () => {
  const text = textUpTo(1)
  it.each([
    v.string(),
    v.pipe(v.string(), v.trim()),
    v.optional(v.string()),
    v.number(),
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    v.unknown(),
    v.looseObject({}),
    json(v.string()),
    json(v.unknown()),
    json(v.array(text)),
    json(v.record(text, text)),
    json(v.object({ a: v.object({ b: v.nullable(v.string()) }) })),
    json(v.union([text, v.array(text)])),
    json(v.pipe(v.array(v.unknown()), v.array(text))),
    json(listUpTo(1, v.string())),
    json(listUpTo(1, listUpTo(1, v.number()))),
    json(mapUpTo(1, v.string(), text)),
    json(mapUpTo(1, text, v.unknown())),
    textOrJson(v.string()),
    wordOrJson(['word'], v.string()),
    bareOrQuoted(v.string()),
  ])('%#', (schema) => {
    expect(unlimitedIn(schema, 'p')).not.toEqual([])
  })

  it('but none with a limit', () => {
    const limited = [
      textUpTo(1),
      v.optional(v.pipe(textUpTo(1), v.description('d'), v.nonEmpty())),
      v.pipe(v.string(), v.nonEmpty(), textCutTo(1, String)),
      jsonIds,
      json(mapUpTo(1, textUpTo(1), valueUpTo(1))),
      json(v.nullable(listUpTo(1, v.union([integer, textUpTo(1)])))),
      wordOrJson(['word'], v.boolean()),
      wordOf(['word']),
      bareOrQuoted(textUpTo(1)),
      v.picklist(['a']),
    ]
    expect(limited.flatMap((schema) => unlimitedIn(schema, 'p'))).toEqual([])
  })
})

describe('a list that a loop checks first', () => {
  const tooMany = MAX_LIST_LENGTH + 1
  it.each([
    [[]],
    [[1, 2]],
    [[MAX_INTEGER, -MAX_INTEGER]],
    [[MAX_INTEGER + 1]],
    [[1.5]],
    [[1, '2']],
    [['name']],
    [['😀'.repeat(NAME_LENGTH)]],
    [['n'.repeat(NAME_LENGTH + 1)]],
    [['name', null]],
    [Array(MAX_LIST_LENGTH).fill(1)],
    [Array(tooMany).fill(1)],
    [Array(tooMany).fill('n')],
    ['[1]'],
    [{ length: 0 }],
    [null],
    [undefined],
  ])('passes as by its declaration: %#', (value) => {
    const said = (schema: v.GenericSchema) => {
      const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true })
      return success ? output : issues[0].message
    }
    expect(said(idList)).toEqual(said(listUpTo(MAX_LIST_LENGTH, integer)))
    expect(said(nameList)).toEqual(said(listUpTo(MAX_LIST_LENGTH, textUpTo(NAME_LENGTH))))
  })

  it.each([
    [{}, true],
    [{ 10: ['a', 'b'] }, true],
    [{ 10: ['n'.repeat(NAME_LENGTH + 1)] }, false],
    [{ 10: [1] }, false],
    [{ ['1'.repeat(WORD_LENGTH + 1)]: [] }, false],
    [Object.fromEntries(Array.from({ length: tooMany }, (_, at) => [at, []])), false],
    [[], false],
    [null, false],
  ])('and a map of lists: %#', (subscribed, passes) => {
    expect(v.safeParse(joinResult, { subscribed, already_subscribed: {} }).success).toBe(passes)
  })
})
