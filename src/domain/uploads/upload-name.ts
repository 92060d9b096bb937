/** Longest name of a file in an address, in characters, the ending included. */
const LONGEST_NAME = 120
const LONGEST_ENDING = 20
/** Longest name that is shown, in characters. */
const LONGEST_SHOWN = 255

/**
 * The name of a file as the last part of its address: letters, digits, dots, dashes and underscores of any
 * script, so that it needs no quoting where a message links to it.
 */
export function addressName(name: string): string {
  const plain = lastPart(name)
    .normalize('NFKC')
    .replace(/[\s-]+/gu, '-')
    .replace(/[^\p{L}\p{N}\p{M}._-]/gu, '')
    .replace(/^-+|-+$/g, '')
  const short = shortened([...plain])
  return /^\.*$/.test(short) ? 'uploaded-file' : short
}

/** The name as it is shown: without the folders some systems send along, and without control characters. */
export function shownName(name: string): string {
  const shown = lastPart(name)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
  return [...shown].slice(0, LONGEST_SHOWN).join('') || 'uploaded-file'
}

function lastPart(name: string): string {
  return name.toWellFormed().split(/[/\\]/).at(-1)!
}

/** The ending tells programs what the file is, so it stays. */
function shortened(characters: string[]): string {
  if (characters.length <= LONGEST_NAME) return characters.join('')
  const dot = characters.lastIndexOf('.')
  const ending = dot > 0 && characters.length - dot <= LONGEST_ENDING ? characters.slice(dot) : []
  return [...characters.slice(0, LONGEST_NAME - ending.length), ...ending].join('')
}
