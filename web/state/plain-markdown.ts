/** The signs at the beginning of a line: of a fence, with its kind, or of a quote, heading or list. */
const LINE_SIGNS = /^[ \t]{0,20}(?:(?:`{3,20}|~{3,20})[a-z]{0,20}|(?:>|#{1,6}|[-*+])(?=[ \t]))/gm
/** Code, a formula, a mention, the name of a channel or topic, a link, and words with a format. */
const MARKED =
  /`{1,2}([^`\n]{1,500})`{1,2}|\$\$([^$\n]{1,500})\$\$|(@)_?\*{1,2}([^*|\n]{1,100})(?:\|\d{1,20})?\*{1,2}|#\*\*([^*\n]{1,200})\*\*|!?\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)|(?<![\w*])(\*{1,3}|~~)(?=\S)([^\n]{1,500}?)\7(?![\w*])/g

/** Returns the words of a text in one line, without the signs of its formats. */
export function plainOf(markdown: string): string {
  return unmarked(markdown.replaceAll(LINE_SIGNS, '')).replaceAll(/\s+/g, ' ').trim()
}

function unmarked(text: string): string {
  return text.replaceAll(MARKED, (_, code, formula, at, name, place, link, _sign, words) => {
    if (at !== undefined) return `@${name}`
    if (place !== undefined) return `#${place.replace('>', ' > ')}`
    return code ?? formula ?? unmarked(link ?? words)
  })
}
