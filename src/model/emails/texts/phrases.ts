/** Lists names in a sentence: up to three, else two and the number of `more`. */
export function listed(names: readonly string[], and: string, more: string): string {
  const last = names.length > 3 ? `${names.length - 2} ${more}` : names.at(-1)
  const before = names.slice(0, names.length > 3 ? 2 : -1).join(', ')
  return before === '' ? (last ?? '') : `${before} ${and} ${last}`
}

/** Returns a number with its noun, in a language that has one form for 1 and one for all other numbers. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
