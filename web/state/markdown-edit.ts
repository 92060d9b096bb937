import { fenceAround } from './message-parts.ts'

/** A text, and its selection. */
export interface Selected {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A replacement of a part of a text, and the selection afterwards. */
export interface Change {
  readonly from: number
  readonly to: number
  readonly inserted: string
  readonly start: number
  readonly end: number
}

const MARKS = { bold: '**', italic: '*', strike: '~~', code: '`', formula: '$$' } as const
const PREFIXES = { bullets: '* ', numbers: '1. ', quote: '> ' } as const

export type Format = keyof typeof MARKS | keyof typeof PREFIXES | 'link' | 'spoiler'

/** Returns the change that adds a format to the selected words, or removes it. `words`: the text of a link without one. */
export function formatted(selected: Selected, format: Format, words = ''): Change {
  if (format === 'link') return linked(selected, words)
  if (format === 'spoiler') return fenced(selected, 'spoiler ', words)
  if (format in PREFIXES) return prefixed(selected, format as keyof typeof PREFIXES)
  const isBlock = selected.text.slice(selected.start, selected.end).trim().includes('\n')
  if (isBlock && format === 'code') return fenced(selected, '')
  if (isBlock && format === 'formula') return fenced(selected, 'math')
  return marked(selected, MARKS[format as keyof typeof MARKS])
}

/** Spaces around the selected words stay outside the marks, which would not work otherwise. */
function trimmed({ text, start, end }: Selected): Selected {
  const chosen = text.slice(start, end)
  if (chosen.trim() === '') return { text, start, end }
  const before = chosen.length - chosen.trimStart().length
  return { text, start: start + before, end: start + before + chosen.trim().length }
}

function marked(selected: Selected, mark: string): Change {
  const { text, start, end } = trimmed(selected)
  const chosen = text.slice(start, end)
  const size = mark.length
  if (hasMark(text.slice(0, start), mark) && hasMark(reversed(text.slice(end)), mark)) {
    return {
      from: start - size,
      to: end + size,
      inserted: chosen,
      start: start - size,
      end: end - size,
    }
  }
  const isMarked = chosen.length >= size * 2 && hasMark(reversed(chosen), mark) && hasMark(chosen, mark)
  const inserted = isMarked ? chosen.slice(size, -size) : `${mark}${chosen}${mark}`
  const at = isMarked ? start : start + size
  return { from: start, to: end, inserted, start: at, end: at + (isMarked ? inserted : chosen).length }
}

/** Whether the text ends with the mark: one star of two is half of another. */
function hasMark(text: string, mark: string): boolean {
  if (!text.endsWith(mark)) return false
  const sign = mark[0]!
  if (sign !== '*') return true
  let count = 0
  while (text[text.length - 1 - count] === sign) count += 1
  return mark.length === 1 ? count % 2 === 1 : count >= 2
}

/** Marks are symmetric. */
function reversed(text: string): string {
  return [...text.slice(0, 4)].reverse().join('')
}

function linked({ text, start, end }: Selected, words: string): Change {
  const chosen = text.slice(start, end)
  if (/^(?:https?:\/\/|mailto:)\S+$/.test(chosen)) {
    const inserted = `[${words}](${chosen})`
    return { from: start, to: end, inserted, start: start + 1, end: start + 1 + words.length }
  }
  const shown = chosen === '' ? words : chosen.replaceAll(/[[\]\n]/g, ' ')
  const inserted = `[${shown}](https://)`
  const address = start + shown.length + 3
  return chosen === ''
    ? { from: start, to: end, inserted, start: start + 1, end: start + 1 + shown.length }
    : { from: start, to: end, inserted, start: address, end: address + 'https://'.length }
}

/** Returns all lines with a selected part, in full. */
function linesOf({ text, start, end }: Selected): { from: number; to: number } {
  const from = text.lastIndexOf('\n', start - 1) + 1
  // A selection that ends at the start of a line does not include it.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end
  const next = text.indexOf('\n', last)
  return { from, to: next === -1 ? text.length : next }
}

const PREFIX = { bullets: /^[*+-] +/, numbers: /^\d{1,9}[.)] +/, quote: /^> ?/ } as const

function prefixed(selected: Selected, kind: keyof typeof PREFIXES): Change {
  const { from, to } = linesOf(selected)
  const lines = selected.text.slice(from, to).split('\n')
  const isEach = lines.every((line) => PREFIX[kind].test(line))
  let number = 0
  const next = lines.map((line) => {
    if (isEach) return line.replace(PREFIX[kind], '')
    if (line.trim() === '' && lines.length > 1 && kind !== 'quote') return line
    number += 1
    const bare = kind === 'quote' ? line : line.replace(PREFIX.bullets, '').replace(PREFIX.numbers, '')
    return `${kind === 'numbers' ? `${number}. ` : PREFIXES[kind]}${bare}`
  })
  const inserted = next.join('\n')
  const isCursor = selected.start === selected.end
  const cursor = Math.max(from, selected.end + inserted.length - (to - from))
  return {
    from,
    to,
    inserted,
    start: isCursor ? cursor : from,
    end: isCursor ? cursor : from + inserted.length,
  }
}

/** Puts the selected lines between fences. */
function fenced(selected: Selected, name: string, title = ''): Change {
  const isCursor = selected.start === selected.end
  const { from, to } = isCursor ? { from: selected.start, to: selected.end } : linesOf(selected)
  const inside = selected.text.slice(from, to)
  const fence = fenceAround(inside)
  const gap = from > 0 && selected.text[from - 1] !== '\n' ? '\n' : ''
  const head = `${gap}${fence}${name}${title}\n`
  const rest = selected.text.slice(to)
  const tail = `\n${fence}${rest === '' || rest.startsWith('\n') ? '' : '\n'}`
  const start = from + head.length
  return { from, to, inserted: `${head}${inside}${tail}`, start, end: start + inside.length }
}

const ITEM = /^([ \t]*)([*+-]|\d{1,9}[.)]|>)( +)(\[[ xX]\] +)?/

/**
 * Returns the change of a new line in a list or a quote: the next item, or the end of the list after an empty item. Undefined: a plain new line.
 */
export function nextLine({ text, start, end }: Selected): Change | undefined {
  if (start !== end) return undefined
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  const item = ITEM.exec(line)
  if (!item || isInFence(text.slice(0, from))) return undefined
  const [whole, indent = '', sign = '', space = '', box] = item
  const lineEnd = text.indexOf('\n', start)
  const after = text.slice(start, lineEnd === -1 ? text.length : lineEnd)
  if (line === whole) {
    if (after.trim() !== '') return undefined
    return { from, to: start, inserted: '', start: from, end: from }
  }
  const number = /^\d+/.exec(sign)?.[0]
  const next = number === undefined ? sign : `${Number(number) + 1}${sign.slice(number.length)}`
  const inserted = `\n${indent}${next}${space}${box ? '[ ] ' : ''}`
  return { from: start, to: start, inserted, start: start + inserted.length, end: start + inserted.length }
}

/** Whether a fence is open at the end of the text. */
export function isInFence(text: string): boolean {
  let fence = ''
  for (const line of text.split('\n')) {
    const ticks = /^(`{3,}|~{3,})/.exec(line)?.[1]
    if (ticks === undefined) continue
    if (fence === '') {
      // Quotes and spoilers may contain lists.
      if (/^(?:`+|~+)\s*(?:quote|spoiler)\b/.test(line)) continue
      fence = ticks
    } else if (ticks.startsWith(fence)) fence = ''
  }
  return fence !== ''
}
