import { sharedParser } from './parser.ts'
import { withoutEntities } from './rules/emphasis.ts'

/** Returns the text of HTML from another program: `&amp;` and the like become characters. */
export function decodeEntities(html: string): string {
  return withoutEntities(sharedParser(), html)
}
