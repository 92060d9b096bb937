import { fromJson as parse, type Revive } from '../../scripts/json.ts'

/** A value that was read from JSON, whose form the test expects. */
// biome-ignore lint/suspicious/noExplicitAny: with types of all answers, tests would state each form twice
export type Json = any

/**
 * Parses a text that a test reads: the only reader of JSON in the tests. Checks only that it is an object or a list; the test
 * checks the rest.
 * @throws TypeError when it is neither, SyntaxError when it is no JSON.
 */
export const fromJson: <Value extends object = Json>(text: string, revive?: Revive) => Value = parse

/**
 * Reads the body of an answer, of a Worker, of Node or of a browser, with `fromJson`.
 * @throws TypeError when it is neither an object nor a list, SyntaxError when it is no JSON.
 */
export async function readJson<Value extends object = Json>(answer: {
  text(): Promise<string>
}): Promise<Value> {
  return fromJson<Value>(await answer.text())
}
