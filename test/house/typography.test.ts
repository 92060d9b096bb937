import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { fromJson } from '../../scripts/json.ts'
import { PROJECT, TEXTS } from '../../scripts/project.ts'
import { isSyntax } from './syntax.ts'

/** Stands in texts for a value that is put in. */
const VALUE = '\uFFFC'
/** Expressions of templates and the names of emoji, whose signs are no punctuation. */
const CODE = /^\{\{|:\)/

/** Returns every text of a language that readers see. */
function textsIn(language: string): string[] {
  const ofPage = readdirSync(join(PROJECT, 'web/texts'))
    .filter((name) => name === `${language}.ts` || name.endsWith(`-${language}.ts`))
    .map((name) => join(PROJECT, 'web/texts', name))
  const folder = join(TEXTS, language)
  return [
    ...ofPage.flatMap((file) => literalsIn(parseSync(file, readFileSync(file, 'utf8')).program)),
    ...readdirSync(folder).flatMap((file) =>
      leavesOf(fromJson(readFileSync(join(folder, file), 'utf8'))).flatMap((message) =>
        spokenIn(parse(message, { ignoreTag: true, shouldParseSkeletons: false })),
      ),
    ),
  ]
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

/** Returns the texts of a syntax tree, without the keys of objects and the names of modules. */
function literalsIn(tree: unknown): string[] {
  const found: string[] = []
  const visit = (node: unknown) => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (!isSyntax(node) || node.type === 'ImportDeclaration') return
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value)
    if (node.type === 'TemplateLiteral') {
      const quasis = node.quasis as readonly { value: { cooked: string } }[]
      found.push(quasis.map(({ value }) => value.cooked).join(VALUE))
    }
    for (const [name, child] of Object.entries(node)) if (name !== 'key') visit(child)
  }
  visit(tree)
  return found
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
