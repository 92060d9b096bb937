let chosen = 'en'

/**
 * Returns the locale for numbers, dates and lists: the browser's own variant of the language, if it is one, with the digits of the texts.
 */
export function locale(): string {
  return chosen
}

export function chooseLocale(tag: string): void {
  chosen = tag
}

/** Returns a count as it is written in a sentence: `12,345`. Small ones do not make the browser load what it knows of the locale. */
export function grouped(count: number): string {
  return count < 1_000 ? `${count}` : count.toLocaleString(chosen)
}
