/** The content of a clipboard. */
export interface Clipboard {
  readonly text: string
  /** The text of its HTML; undefined if it has none. */
  readonly htmlText: string | undefined
  readonly files: readonly { readonly name: string; readonly type: string }[]
}

/** The part of a clipboard that is pasted. */
export interface Pasted {
  /** '': nothing. */
  readonly text: string
  readonly takesFiles: boolean
}

/**
 * Returns the part of a clipboard to paste. Cells and parts of documents come with a picture of themselves, so their text is pasted. A file
 * manager adds the names of its files as text, so the files are pasted.
 */
export function pastedOf({ text, htmlText = '', files }: Clipboard): Pasted {
  const words = text.trim() === '' ? htmlText : text
  if (files.length === 0) return { text: words, takesFiles: false }
  const isPicture = files.length === 1 && files[0]!.type.startsWith('image/')
  if (words.trim() === '' || areNames(words, files)) return { text: '', takesFiles: true }
  // A picture on a page, which some browsers copy with its address.
  if (isPicture && htmlText.trim() === '' && isAddress(words.trim())) return { text: '', takesFiles: true }
  return { text: words, takesFiles: !isPicture }
}

function areNames(text: string, files: Clipboard['files']): boolean {
  const names = new Set(files.map(({ name }) => name))
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  return lines.every((line) => names.has(decoded(line.trim().split(/[/\\]/).at(-1)!)))
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Whether a text is a single address. */
export function isAddress(text: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s<>]+$/i.test(text)
}

/** Returns the selected words as a link to a pasted address; undefined where it is no address, or they cannot be its words. */
export function linkOnto(selected: string, pasted: string): string | undefined {
  const address = pasted.trim()
  const areWords = selected.trim() !== '' && !/[[\]\r\n]/.test(selected) && !isAddress(selected.trim())
  if (!areWords || !isAddress(address)) return undefined
  const [, before, words, after] = /^(\s*)(.*?)(\s*)$/.exec(selected)!
  return `${before}[${words}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})${after}`
}
