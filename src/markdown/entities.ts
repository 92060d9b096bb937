import { sharedParser } from './parser.ts'

/** Returns the text of somebody else's HTML text: `&amp;` and its like become characters. */
export function decodeEntities(html: string): string {
  // The decoder of entities removes backslashes too: two become one.
  return sharedParser().utils.unescapeAll(html.replaceAll('\\', '\\\\'))
}
