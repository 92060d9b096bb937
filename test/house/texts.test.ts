import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { compileMessage } from '../../scripts/compile-message.ts'
import { filled } from '../../scripts/fill-texts.ts'
import { modulesOf } from '../../scripts/text-modules.ts'

const folder = mkdtempSync(join(tmpdir(), 'texts-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns what is said of an area that has these messages. */
function problemsOf(english: object, german: object, notes: object = {}): string[] {
  const sources = Object.entries({ en: english, de: german }).map(([language, messages]) => {
    const path = join(folder, `${language}.json`)
    writeFileSync(path, JSON.stringify(messages))
    return { path, language, name: 'page' }
  })
  try {
    modulesOf(sources, { notes, constants: {} })
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

it.each([
  [{ a: 'A' }, {}, 'texts/de: page.a is missing'],
  [{}, { a: 'A' }, 'texts/de: page.a is not in English'],
  [{ a: 'A' }, { a: { b: 'B' } }, 'texts/de: page.a is of another kind in English'],
  [{ a: 'A' }, { a: '' }, 'texts/de: page.a is empty'],
  [{ a: '{name}' }, { a: '{who}' }, 'texts/de: page.a has {who}, which English has not'],
  [{ a: '{name}!' }, { a: 'A' }, 'texts/de: page.a lacks {name}'],
  [{ a: '{n, plural, one {A} other {B}}' }, { a: '{n, plural, few {A} other {B}}' }, 'de has no plural few'],
  [{ a: '{n, plural, one {A}}' }, { a: 'A' }, 'MISSING_OTHER_CLAUSE'],
  [{ a: '{Name}' }, { a: '{Name}' }, '{Name} is no name of a parameter'],
])('a message is refused that is not as in English: %j %j', (english, german, problem) => {
  expect(problemsOf(english, german).join('\n')).toContain(problem)
})

it('a language may leave out a parameter by which another only chooses', () => {
  expect(problemsOf({ a: '{isOne, select, true {A} other {B}}' }, { a: 'C' })).toEqual([])
})

it('a note belongs to a message or a group', () => {
  expect(problemsOf({ a: { b: 'B' } }, { a: { b: 'B' } }, { 'page.a': '', 'page.a.b': '' })).toEqual([])
  expect(problemsOf({}, {}, { 'page.c': '' })).toEqual(['texts/notes.json: page.c is no message or group'])
})

it('a language that lacks a message has the English one, in its place', () => {
  const said: string[] = []
  const english = { a: 'A', b: { c: 'C', d: 'D' }, own: {} }
  const german = { b: { d: 'De', gone: 'Weg' }, a: 'Ah', own: { x: 'X' } }
  const whole = { a: 'Ah', b: { c: 'C', d: 'De' }, own: { x: 'X' } }
  expect(JSON.stringify(filled(english, german, 'page', said))).toBe(JSON.stringify(whole))
  expect(said).toEqual(['page.b.c'])
})

const codeIn = (language: string, message: string) =>
  compileMessage(message, { language, isGrouped: false, hasTags: false, constants: { CODE: 'a{b}' } }).code

it('a name of code stands for it', () => {
  expect(codeIn('en', 'Enter {CODE}')).toBe('`Enter a{b}`')
})

it('plurals are chosen by comparison where the rule of the language is one', () => {
  const files = '{n, plural, one {# file} other {# files}}'
  expect(codeIn('en', files)).toMatch(/^n === 1 \? `1 file` : /)
  expect(codeIn('fr', files)).toMatch(/^n < 2 \? /)
  expect(codeIn('ar', '{n, plural, one {A} few {B} other {C}}')).toMatch(/^formFor\('ar', n, \{ one: /)
})
