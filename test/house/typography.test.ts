import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { expect, it } from 'vitest'
import { fromJson } from '../../scripts/json.ts'
import { TEXTS } from '../../scripts/project.ts'

/** Stands in texts for a value that is put in. */
const VALUE = '\uFFFC'
/** Expressions of templates and the names of emoji, whose signs are no punctuation. */
const CODE = /^\{\{|:\)/

/** Returns every text of a language that readers see. */
function textsIn(language: string): string[] {
  const folder = join(TEXTS, language)
  return readdirSync(folder).flatMap((file) =>
    leavesOf(fromJson(readFileSync(join(folder, file), 'utf8'))).flatMap((message) =>
      spokenIn(parse(message, { ignoreTag: true, shouldParseSkeletons: false })),
    ),
  )
}

function leavesOf(tree: unknown): string[] {
  return typeof tree === 'string' ? [tree] : Object.values(tree as object).flatMap(leavesOf)
}

/** Returns the text of a message, and those of each of its choices. */
function spokenIn(elements: readonly MessageFormatElement[]): string[] {
  const whole = elements.map((one) => (one.type === TYPE.literal ? one.value : VALUE)).join('')
  const choices = elements.flatMap((one) =>
    one.type === TYPE.plural || one.type === TYPE.select ? Object.values(one.options) : [],
  )
  // The addresses of links and the names of emoji are no words.
  const words = whole.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/:[a-z]+:/g, VALUE)
  return [words, ...choices.flatMap(({ value }) => spokenIn(value))]
}

function wrong(language: string, pattern: RegExp): string[] {
  return textsIn(language).filter((text) => pattern.test(text) && !CODE.test(text))
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1
}

it('French signs have a space before them at which no line breaks', () => {
  expect(textsIn('fr').length).toBeGreaterThan(2_000)
  // Colons around a value are those of an emoji's name.
  expect(wrong('fr', /« |«\S| [?!;»]| :(?!\uFFFC:)/)).toEqual([])
  expect(wrong('fr', /(?<!:)[a-zà-ÿ\uFFFC](?:[?!;]|:(?= |$))/)).toEqual([])
})

it('French apostrophes are typographic', () => {
  expect(wrong('fr', /[a-zà-ÿ]'[a-zà-ÿ]/i)).toEqual([])
})

it('German has its own quotation marks, and a space before an ellipsis', () => {
  expect(textsIn('de').filter((text) => count(text, '„') !== count(text, '“'))).toEqual([])
  expect(wrong('de', /[a-zäöüß\uFFFC]…/)).toEqual([])
})

it('Spanish questions and exclamations have both of their signs', () => {
  const texts = textsIn('es').filter((text) => !text.includes('http'))
  expect(texts.filter((text) => count(text, '?') !== count(text, '¿'))).toEqual([])
  expect(texts.filter((text) => count(text, '!') !== count(text, '¡'))).toEqual([])
})

it('Japanese has full-width punctuation, and a space beside Latin letters and digits', () => {
  const japanese = '[\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Han}ー]'
  expect(wrong('ja', new RegExp(`${japanese} ?[,!?:;()]|[,!?;()] ?${japanese}`, 'u'))).toEqual([])
  expect(wrong('ja', new RegExp(`${japanese}[A-Za-z0-9]|[A-Za-z0-9]${japanese}`, 'u'))).toEqual([])
})

it('Arabic has its own commas and question marks', () => {
  expect(wrong('ar', /[\u0621-\u064A\u064B-\u0652][,;?]/)).toEqual([])
})
