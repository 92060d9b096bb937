import { firstPoints } from '../../core/text-length.ts'
import { withoutEnd } from '../../core/without-end.ts'

/** Length of a file's name in an address, in characters, the ending included. */
const LONGEST_NAME = 120
const LONGEST_ENDING = 20
/** Number of characters of a name, from the end, that are read: no file system has longer names. */
const LONGEST_READ = 1_000
/** Length of a displayed name, in characters. */
const LONGEST_SHOWN = 255

/**
 * Returns the name of a file as the last part of its address: letters, digits, dots, dashes and underscores
 * of any script, so that it needs no quoting where a message links to it.
 */
export function addressName(name: string): string {
  const plain = lastPart(name)
    .normalize('NFKC')
    .replace(/[\s-]+/gu, '-')
    .replace(/[^\p{L}\p{N}\p{M}._-]/gu, '')
    .replace(/^-+/, '')
  const short = shortened([...withoutEnd(plain, '-')])
  return /^\.*$/.test(short) ? 'uploaded-file' : short
}

/**
 * Returns the displayed name: without the folders that some systems send along, and without control
 * characters.
 */
export function shownName(name: string): string {
  const shown = lastPart(name)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
  return firstPoints(shown, LONGEST_SHOWN) || 'uploaded-file'
}

function lastPart(name: string): string {
  const tail = name.slice(-LONGEST_READ)
  return tail.slice(Math.max(tail.lastIndexOf('/'), tail.lastIndexOf('\\')) + 1).toWellFormed()
}

/** Shortens a name and keeps the ending, which tells programs what the file is. */
function shortened(characters: string[]): string {
  if (characters.length <= LONGEST_NAME) return characters.join('')
  const dot = characters.lastIndexOf('.')
  const ending = dot > 0 && characters.length - dot <= LONGEST_ENDING ? characters.slice(dot) : []
  return [...characters.slice(0, LONGEST_NAME - ending.length), ...ending].join('')
}
