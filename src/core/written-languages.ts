/** HTML that is safe to send: only `html` makes it, escaping every value that is not `Html` itself. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type HtmlValue = string | number | Html | readonly Html[]

export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, index) => text + escaped(values[index - 1]!) + part))
}

function escaped(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

/**
 * The languages of the server's mails and of its pages for people who are not logged in. The web page has the same ones
 * (web/texts/languages.ts).
 */
const WRITTEN = ['ar', 'de', 'en', 'es', 'fr', 'ja'] as const

export type WrittenLanguage = (typeof WRITTEN)[number]

export type InEachLanguage<Texts> = Readonly<Record<WrittenLanguage, Texts>>

/** Returns the language for a code such as `fr-CA`; undefined if it is not supported. */
export function writtenLanguage(code: string): WrittenLanguage | undefined {
  const [language] = code.trim().toLowerCase().split(/[-_;]/, 1)
  return WRITTEN.find((one) => one === language)
}

/** Returns the `dir` attribute for text in a right-to-left language; empty for others. */
export function directionOf(language: string): Html {
  return writtenLanguage(language) === 'ar' ? html` dir="rtl"` : html``
}

/** Wraps a name or an address so that it keeps its own text direction inside a sentence. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

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
