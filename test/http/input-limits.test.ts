import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  bareOrQuoted,
  integer,
  json,
  jsonIds,
  listUpTo,
  mapUpTo,
  textCutTo,
  textOrJson,
  textUpTo,
  valueUpTo,
  wordOf,
  wordOrJson,
} from '../../src/api/parameter-types.ts'
import { DEMO_OPERATIONS } from '../../src/dev/demo-operations.ts'
import { DEV_ENDPOINTS } from '../../src/dev/endpoints.ts'
import { ENDPOINTS, OPERATIONS } from '../../src/features/index.ts'
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
