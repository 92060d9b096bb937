import { describe, expect, it } from 'vitest'
import { INTEGRATIONS } from '../../src/integrations/index.ts'
import { composeEn } from '../../web/texts/compose-en.ts'
import { en } from '../../web/texts/en.ts'
import { frameEn } from '../../web/texts/frame-en.ts'
import { type Catalogues, LANGUAGES } from '../../web/texts/languages.ts'
import { counter } from '../../web/texts/plural.ts'
import { readingEn } from '../../web/texts/reading-en.ts'
import { settingsEn } from '../../web/texts/settings-en.ts'

const ENGLISH: Catalogues = {
  page: en,
  settings: settingsEn,
  reading: readingEn,
  compose: composeEn,
  frame: frameEn,
}
const NAMES = Object.keys(ENGLISH) as (keyof Catalogues)[]
const PEOPLE = ['⟨ada⟩', '⟨bo⟩', '⟨cy⟩', '⟨di⟩']
const NUMBERS = [11, 26, 35, 47]
const TRANSLATED = Object.entries(LANGUAGES).filter(([, { load }]) => load)
/** English has none of its own: integrations say their options in English, and keys of keyboards have English names. */
const ONLY_TRANSLATED = /^(settings\.bots\.options|page\.keyCaps)\./

type Leaf = string | ((...values: unknown[]) => string)

/** Returns every text of a catalogue, by its path. */
function leaves(value: unknown, path: string): [string, Leaf][] {
  if (typeof value !== 'object' || value === null) return [[path, value as Leaf]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
}

async function textsOf(language: string): Promise<ReadonlyMap<string, Leaf>> {
  const { load } = LANGUAGES[language]!
  const catalogues = await Promise.all(NAMES.map(async (name) => leaves(await load?.[name](), name)))
  return new Map(catalogues.flat().filter(([path]) => !ONLY_TRANSLATED.test(path)))
}

const english = new Map(NAMES.flatMap((name) => leaves(ENGLISH[name], name)))

describe.each(TRANSLATED)('the texts in %s', (language) => {
  it('have every key of the English ones, and no other', async () => {
    const texts = await textsOf(language)
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    for (const [path, text] of texts) {
      expect(typeof text, path).toBe(typeof english.get(path))
      if (english.get(path) !== '') expect(text, path).not.toBe('')
    }
  })

  it('name whatever the English ones name', async () => {
    for (const [path, text] of await textsOf(language))
      expect(said(text, PEOPLE), path).toEqual(said(english.get(path)!, PEOPLE))
  })

  it('count whatever the English ones count', async () => {
    for (const [path, text] of await textsOf(language)) {
      expect(said(text, NUMBERS), path).toEqual(
        expect.arrayContaining([...said(english.get(path)!, NUMBERS)]),
      )
      for (const count of [0, 1, 2, 3, 100, 1_000_000])
        expect(String(call(text, [count, count, count, count])), path).not.toMatch(/undefined|NaN|null/)
    }
  })

  it('say of every integration how it is connected', async () => {
    const { services } = (await LANGUAGES[language]!.load!.settings()).bots
    for (const { name, verify } of INTEGRATIONS)
      expect([services[name]!.steps.length, services[name]!.secret !== undefined], name).toEqual([
        3,
        verify !== undefined,
      ])
  })
})

it('numbers get the forms that Arabic has for them', async () => {
  const { subscribers } = (await LANGUAGES.ar!.load!.page()).channels
  expect([0, 1, 2, 3, 10, 11, 99, 100].map(subscribers)).toEqual([
    'لا أحد',
    'شخص واحد',
    'شخصان',
    '3 أشخاص',
    '10 أشخاص',
    '11 شخصًا',
    '99 شخصًا',
    '100 شخص',
  ])
})

it('a form that a language has and a text lacks is the one for others', () => {
  expect(counter('fr')(1_000_000, { one: '# jour', other: '# jours' })).toMatch(/jours$/)
})

it.each(['en', 'de', 'es', 'fr'])('one of a thing is counted in the singular (%s)', async (language) => {
  const { organization, usage, invitations } = (await LANGUAGES[language]!.load?.settings()) ?? settingsEn
  const counts = [
    (count: number) => organization.attempts(count, ''),
    (count: number) => usage.perWeek(count, String(count)),
    (count: number) => invitations.waiting(count),
  ]
  // The plural is more than another number before the same words.
  for (const say of counts) expect(say(2).replace('2', '1')).not.toBe(say(1))
})

/** Returns which of the values a text has in it. */
function said(text: Leaf, values: readonly (string | number)[]): readonly (string | number)[] {
  const whole = String(call(text, values))
  return values.filter((value) => whole.includes(String(value)))
}

function call(text: Leaf, values: readonly unknown[]): unknown {
  if (typeof text !== 'function') return ''
  try {
    return text(...values)
  } catch {
    // A number is not a name: it has no lower case.
    return ''
  }
}
