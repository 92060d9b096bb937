/**
 * Counts work without a clock: the characters that methods of texts look at or make, and the items that methods of lists visit, on this
 * thread, as long as a function runs. What only reads a character by its position, and the parser of JSON, is not counted.
 */

// biome-ignore lint/suspicious/noExplicitAny: methods of any signature are replaced.
type Method = (...given: any[]) => any
type Methods = Record<PropertyKey, Method>
/** A text, a list, or a position in one. */
type Measured = { readonly length: number } & number

/** Returns the work of a call. */
type Cost = (self: Measured, result: Measured, given: readonly unknown[]) => number

const ofLength: Cost = ({ length }) => length
const ofResult: Cost = (_, { length }) => length
const ofSearch: Cost = ({ length }, found, [, from]) =>
  (found < 0 ? length : found + 1) - (typeof from === 'number' ? Math.min(from, length) : 0)
const ofStep: Cost = () => 1

const iteratorOf = (iterable: Iterable<unknown>) =>
  Object.getPrototypeOf(iterable[Symbol.iterator]()) as unknown

const COUNTED: readonly (readonly [object: unknown, cost: Cost, names: readonly string[]])[] = [
  [
    String.prototype,
    ofLength,
    [
      ...['replace', 'replaceAll', 'split', 'trim', 'trimStart', 'trimEnd', 'toWellFormed', 'toLowerCase'],
      ...['toUpperCase', 'normalize', 'match', 'matchAll', 'search', 'localeCompare'],
    ],
  ],
  [String.prototype, ofResult, ['repeat', 'padStart', 'padEnd', 'concat']],
  [String.prototype, ofSearch, ['indexOf']],
  [String.prototype, ofStep, ['codePointAt']],
  [iteratorOf('text'), ofStep, ['next']],
  [
    Array.prototype,
    ofLength,
    [
      ...['map', 'filter', 'flatMap', 'forEach', 'reduce', 'includes', 'indexOf', 'toReversed', 'toSorted'],
      ...['sort', 'fill', 'reverse'],
    ],
  ],
  [Array.prototype, ofResult, ['slice', 'join', 'concat', 'flat']],
  [iteratorOf([]), ofStep, ['next']],
  [JSON, ofResult, ['stringify']],
  [Object, ofResult, ['keys', 'values', 'entries']],
]

/** Returns the work of a function, and its result. */
export function countWork<Result>(run: () => Result): { readonly work: number; readonly result: Result } {
  let work = 0
  const restore: (() => void)[] = []
  for (const [object, cost, names] of COUNTED) {
    const methods = object as Methods
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at]!
      const original = methods[name]!
      methods[name] = function counted(this: Measured, ...given) {
        const result = Reflect.apply(original, this, given) as Measured | undefined
        work += result === undefined ? 0 : cost(this, result, given)
        return result
      }
      restore[restore.length] = () => {
        methods[name] = original
      }
    }
  }
  // Replacing the methods has used some of them.
  work = 0
  try {
    const result = run()
    return { result, work }
  } finally {
    for (let at = 0; at < restore.length; at += 1) restore[at]!()
  }
}
