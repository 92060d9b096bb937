import { firstPoints } from '../../core/text-length.ts'
import { withoutEnd } from '../../core/without-end.ts'

/** Length of a file's name in an address, in characters, the ending included. */
const MAX_NAME_LENGTH = 120
const MAX_ENDING_LENGTH = 20
/** Number of characters of a name, from the end, that are read: no file system has longer names. */
const MAX_READ_LENGTH = 1_000
/** Length of a displayed name, in characters. */
const MAX_SHOWN_LENGTH = 255

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
  return firstPoints(shown, MAX_SHOWN_LENGTH) || 'uploaded-file'
}

function lastPart(name: string): string {
  const tail = name.slice(-MAX_READ_LENGTH)
  return tail.slice(Math.max(tail.lastIndexOf('/'), tail.lastIndexOf('\\')) + 1).toWellFormed()
}

/** Shortens a name and keeps the ending, by which programs know what the file is. */
function shortened(characters: string[]): string {
  if (characters.length <= MAX_NAME_LENGTH) return characters.join('')
  const dot = characters.lastIndexOf('.')
  const ending = dot > 0 && characters.length - dot <= MAX_ENDING_LENGTH ? characters.slice(dot) : []
  return [...characters.slice(0, MAX_NAME_LENGTH - ending.length), ...ending].join('')
}
