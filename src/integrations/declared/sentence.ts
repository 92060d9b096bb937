/**
 * Sentences of declarations: the template language, with parts that are left out where a value is missing.
 *
 * - `{{a.b | filter}}`: a value, shown verbatim. `$.a` is one of the whole post, where the sentence is about an item of a list; `@X-Name`
 *   is a header, `#` a digest of the post.
 * - `{{? in {{a.b}}?}}`: a part that is left out if one of its values is empty.
 * - `[{{title}}]({{url}})`: a link. Values within a longer address are escaped: `(https://a.example/{{id}})`. Without one it is its text.
 */
import { link, oneLine, plain } from '../markdown.ts'
import { lookUp, type Payload } from '../payload.ts'
import {
  type Apply,
  FILTERS,
  filtered,
  type Shown,
  type Source,
  TemplateError,
  textOf,
  type Value,
  valueIn,
} from '../template-language.ts'

export type Tables = Readonly<Record<string, Readonly<Record<string, string>>>>

/** What a sentence is about. */
export interface Subject extends Source {
  /** The thing itself: the post, or an item of a list in it. */
  readonly here: Payload
  readonly tables: Tables
  /** Whether the message goes to the integration's own topic, which its text need not repeat. */
  readonly hasOwnTopic: boolean
}

type Piece =
  | string
  | Value<Subject>
  | { readonly optional: readonly Piece[] }
  | { readonly label: readonly Piece[]; readonly address: readonly Piece[] }

export type Sentence = readonly Piece[]

const DECLARED_FILTERS: Readonly<Record<string, Apply<Subject>>> = {
  ...FILTERS,
  /** The entry of a table, which may be Markdown; that of `*` for any other value. */
  as: (shown, argument, { tables }) => {
    const table = tables[argument] ?? {}
    const entry = lookUp(table, textOf(shown).trim()) ?? table['*']
    return entry === undefined ? shown : { markdown: entry }
  },
  /** Left out where the topic says the same. */
  once: (shown, _, { hasOwnTopic }) => (hasOwnTopic ? { text: '' } : shown),
  /** A value of a text that is JSON itself. */
  json: (shown, argument) => {
    if (!('value' in shown)) return shown
    const parsed = shown.value.parsed()
    return { value: argument === '' ? parsed : parsed.at(...argument.split('.')) }
  },
  /** A path of an address, of which the slashes stay. */
  path: (shown) => ({ markdown: encodeURI(textOf(shown)) }),
}

/** The marks of the language. */
const MARKS = /(\{\{\??|\??\}\}|\[|\]\(|\))/

/** A text, split at its marks. */
interface Reader {
  readonly tokens: readonly string[]
  at: number
}

/** @throws TemplateError, since a declaration is part of the build. */
export function parseSentence(text: string): Sentence {
  return piecesUntil({ tokens: text.split(MARKS), at: 0 }, undefined)
}

function piecesUntil(reader: Reader, end: string | undefined): Piece[] {
  const pieces: Piece[] = []
  while (reader.at < reader.tokens.length) {
    const token = reader.tokens[reader.at]!
    reader.at += 1
    if (token === end) return pieces
    if (token === '{{') pieces.push(valueAt(reader))
    else if (token === '{{?') pieces.push({ optional: piecesUntil(reader, '?}}') })
    else if (token === '[') {
      const label = piecesUntil(reader, '](')
      pieces.push({ label, address: piecesUntil(reader, ')') })
    } else if (token !== '') pieces.push(token)
  }
  if (end !== undefined) throw new TemplateError(`${end} is missing in ${reader.tokens.join('')}`)
  return pieces
}

function valueAt(reader: Reader): Value<Subject> {
  const end = reader.tokens.indexOf('}}', reader.at)
  if (end < 0) throw new TemplateError(`}} is missing in ${reader.tokens.join('')}`)
  const source = reader.tokens.slice(reader.at, end).join('')
  reader.at = end + 1
  return valueIn(source, DECLARED_FILTERS)
}

/** Returns a sentence as Markdown, on one line. */
export function say(sentence: Sentence, subject: Subject): string {
  return written(sentence, subject, inMarkdown).text.replaceAll(/ {2,}/g, ' ').trim()
}

/** Returns a sentence as plain text, with the line breaks of its values. */
export function sayPlainly(sentence: Sentence, subject: Subject): string {
  return written(sentence, subject, textOf).text.trim()
}

interface Written {
  readonly text: string
  /** Whether no value is empty. */
  readonly isWhole: boolean
}

/** Returns how a value is written. */
type Writer = (shown: Shown) => string

const inMarkdown: Writer = (shown) => ('markdown' in shown ? shown.markdown : plain(textOf(shown)))

function written(sentence: Sentence, subject: Subject, write: Writer): Written {
  let [text, isWhole] = ['', true]
  for (const piece of sentence) {
    const one = writtenPiece(piece, subject, write)
    text += one.text
    if (!one.isWhole) isWhole = false
  }
  return { text, isWhole }
}

function writtenPiece(piece: Piece, subject: Subject, write: Writer): Written {
  if (typeof piece === 'string') return { text: piece, isWhole: true }
  if ('optional' in piece) {
    const { text, isWhole } = written(piece.optional, subject, write)
    return { text: isWhole ? text : '', isWhole: true }
  }
  if ('label' in piece) {
    const label = written(piece.label, subject, textOf)
    const name = oneLine(label.text)
    return { text: link(name, addressOf(piece.address, subject)), isWhole: label.isWhole && name !== '' }
  }
  const text = write(filtered(piece, subject))
  return { text, isWhole: text.trim() !== '' }
}

/** Returns an address; '' if a value is missing. */
function addressOf(pieces: readonly Piece[], subject: Subject): string {
  let address = ''
  for (const piece of pieces) {
    const isFirst = address === ''
    const { text, isWhole } = writtenPiece(piece, subject, (shown) =>
      isFirst || 'markdown' in shown ? textOf(shown) : encodeURIComponent(textOf(shown)),
    )
    if (!isWhole) return ''
    address += text
  }
  return address
}

/** What sentences about all things of a post share. */
interface About {
  readonly post: Payload
  readonly tables: Tables
  readonly hasOwnTopic: boolean
  header(name: string): string
  digest(): string
}

/** Returns a thing of a post as the subject of sentences: their paths name its values, or those of the post. */
export function subjectOf(here: Payload, { post, tables, hasOwnTopic, header, digest }: About): Subject {
  return {
    here,
    tables,
    hasOwnTopic,
    at: (path) => {
      const [first = '', ...rest] = path
      if (first.startsWith('@')) return { text: header(first.slice(1)) }
      if (first === '#') return { text: digest() }
      return { value: first === '$' ? post.at(...rest) : here.at(...path) }
    },
  }
}

/** Returns an item of a list of the subject as a subject itself. */
export function aboutItem(subject: Subject, item: Payload): Subject {
  return {
    ...subject,
    here: item,
    at: (path) => (/^[$#@]/.test(path[0] ?? '') ? subject.at(path) : { value: item.at(...path) }),
  }
}
