/** Draws pictures for people who have none: their initials on a background of their own colour, without a font. */
import { crc32, deflateSync } from 'node:zlib'

const SIZE = 256
/** Sizes of a letter, of its stroke, and from letter to letter, as parts of the picture. */
const HEIGHT = 0.36
const WIDTH = 0.24
const STROKE = 0.022
const STEP = 0.33

/**
 * Strokes of the capital letters in a box of 1 × 1, as in SVG: `M` moves, `L` draws a line, `Q` a curve with one control point.
 */
const LETTERS: Readonly<Record<string, string>> = {
  A: 'M0 1 L.5 0 L1 1 M.2 .64 L.8 .64',
  B: 'M0 0 L0 1 M0 0 L.5 0 Q.9 0 .9 .24 Q.9 .48 .5 .48 L0 .48 M.5 .48 Q1 .48 1 .74 Q1 1 .5 1 L0 1',
  C: 'M1 .18 Q.8 0 .55 0 Q0 0 0 .5 Q0 1 .55 1 Q.8 1 1 .82',
  D: 'M0 0 L0 1 L.4 1 Q1 1 1 .5 Q1 0 .4 0 L0 0',
  E: 'M1 0 L0 0 L0 1 L1 1 M0 .5 L.8 .5',
  F: 'M1 0 L0 0 L0 1 M0 .5 L.8 .5',
  G: 'M1 .18 Q.8 0 .55 0 Q0 0 0 .5 Q0 1 .55 1 Q.85 1 1 .82 L1 .54 L.6 .54',
  H: 'M0 0 L0 1 M1 0 L1 1 M0 .5 L1 .5',
  I: 'M.5 0 L.5 1',
  J: 'M.8 0 L.8 .68 Q.8 1 .45 1 Q.1 1 .1 .7',
  K: 'M0 0 L0 1 M.95 0 L0 .58 M.36 .37 L1 1',
  L: 'M0 0 L0 1 L.9 1',
  M: 'M0 1 L0 0 L.5 .7 L1 0 L1 1',
  N: 'M0 1 L0 0 L1 1 L1 0',
  O: 'M.5 0 Q0 0 0 .5 Q0 1 .5 1 Q1 1 1 .5 Q1 0 .5 0',
  P: 'M0 1 L0 0 L.55 0 Q1 0 1 .28 Q1 .56 .55 .56 L0 .56',
  Q: 'M.5 0 Q0 0 0 .5 Q0 1 .5 1 Q1 1 1 .5 Q1 0 .5 0 M.65 .72 L1 1',
  R: 'M0 1 L0 0 L.55 0 Q1 0 1 .27 Q1 .54 .55 .54 L0 .54 M.5 .54 L1 1',
  S: 'M.95 .16 Q.8 0 .5 0 Q.05 0 .05 .26 Q.05 .48 .5 .5 Q1 .52 1 .76 Q1 1 .5 1 Q.15 1 0 .82',
  T: 'M0 0 L1 0 M.5 0 L.5 1',
  U: 'M0 0 L0 .6 Q0 1 .5 1 Q1 1 1 .6 L1 0',
  V: 'M0 0 L.5 1 L1 0',
  W: 'M0 0 L.24 1 L.5 .3 L.76 1 L1 0',
  X: 'M0 0 L1 1 M1 0 L0 1',
  Y: 'M0 0 L.5 .5 L1 0 M.5 .5 L.5 1',
  Z: 'M0 0 L1 0 L0 1 L1 1',
}

type Point = readonly [x: number, y: number]
type Line = readonly [from: Point, to: Point]

/** Returns a PNG of 256 pixels with the first letters of the first and the last word. The colour follows from the name. */
export function drawInitials(name: string): Uint8Array<ArrayBuffer> {
  const lines = linesOf(initialsOf(name))
  const hue = [...name].reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) % 360, 7)
  const ground = colour(hue)
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const row = Buffer.alloc(1 + SIZE * 3)
    for (let x = 0; x < SIZE; x += 1) {
      const ink = inkAt([(x + 0.5) / SIZE, (y + 0.5) / SIZE], lines)
      for (const [channel, value] of ground.entries()) {
        row[1 + x * 3 + channel] = Math.round(value + (255 - value) * ink)
      }
    }
    return row
  })
  return encodePng(Buffer.concat(rows))
}

/** Returns the initials, without accents, and without words in brackets. */
function initialsOf(name: string): string {
  const words = name
    .replace(/\(.*$/, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .match(/[A-Za-z]+/g) ?? ['?']
  return [...new Set([words[0]!, words.at(-1)!])].map((word) => word[0]!.toUpperCase()).join('')
}

function linesOf(letters: string): Line[] {
  const begin = 0.5 - ((letters.length - 1) * STEP) / 2
  return [...letters].flatMap((letter, position) => {
    const left = begin + position * STEP - WIDTH / 2
    const place = ([x, y]: Point): Point => [left + x * WIDTH, 0.5 - HEIGHT / 2 + y * HEIGHT]
    return strokesOf(LETTERS[letter] ?? '').map(([from, to]): Line => [place(from), place(to)])
  })
}

const PARTS_OF_A_CURVE = 8

function strokesOf(path: string): Line[] {
  const lines: Line[] = []
  let at: Point = [0, 0]
  for (const [, command, numbers] of path.matchAll(/([MLQ])([^MLQ]*)/g)) {
    const given = numbers!.trim().split(/\s+/).map(Number)
    const end: Point = [given.at(-2)!, given.at(-1)!]
    if (command !== 'M') {
      const control: Point = command === 'Q' ? [given[0]!, given[1]!] : end
      const parts = command === 'Q' ? PARTS_OF_A_CURVE : 1
      for (let part = 1; part <= parts; part += 1) {
        const next = command === 'Q' ? onCurve(at, control, end, part / parts) : end
        lines.push([part === 1 ? at : lines.at(-1)![1], next])
      }
    }
    at = end
  }
  return lines
}

function onCurve(from: Point, control: Point, to: Point, t: number): Point {
  const of = (axis: 0 | 1) => (1 - t) ** 2 * from[axis] + 2 * (1 - t) * t * control[axis] + t ** 2 * to[axis]
  return [of(0), of(1)]
}

/** Returns how much of this point a stroke covers, from 0 to 1, smooth at its edge. */
function inkAt(point: Point, lines: readonly Line[]): number {
  if (Math.abs(point[1] - 0.5) > HEIGHT / 2 + 2 * STROKE) return 0
  const distance = Math.min(...lines.map((line) => distanceTo(line, point)))
  return Math.min(1, Math.max(0, (STROKE - distance) * SIZE + 0.5))
}

function distanceTo([from, to]: Line, [x, y]: Point): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const along = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy)
  const t = Math.min(1, Math.max(0, along))
  return Math.hypot(x - from[0] - t * dx, y - from[1] - t * dy)
}

/** Returns a colour that is dark enough for white letters. */
function colour(hue: number): readonly [number, number, number] {
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12
    return Math.round(255 * (0.42 - 0.2 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

/** Returns a PNG in true colour, 8 bits, not interlaced. The rows have their filter byte (none) already. */
function encodePng(rows: Buffer): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Uint8Array.from(
    Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
