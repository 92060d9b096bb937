import { sharedParser } from './parser.ts'
import { withoutEntities } from './rules/emphasis.ts'

/** Returns the text of HTML that another program wrote: `&amp;` and its like become characters. */
export function decodeEntities(html: string): string {
  return withoutEntities(sharedParser(), html)
}
