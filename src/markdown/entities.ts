import { sharedParser } from './parser.ts'

/** The text that a piece of HTML of somebody else's stands for: `&amp;` and its like as characters. */
export function decodeEntities(html: string): string {
  // What decodes entities takes backslashes away too: two become one.
  return sharedParser().utils.unescapeAll(html.replaceAll('\\', '\\\\'))
}
