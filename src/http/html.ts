/** HTML that is safe to send: made only by `html`, which escapes every value that is none. */
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

/** Character references, by the byte that they stand for. */
const ESCAPES = new Map(
  [...'&<>"\''].map((char) => [char.charCodeAt(0), new TextEncoder().encode(`&#${char.charCodeAt(0)};`)]),
)
const LONGEST_ESCAPE = 5

/** Bytes of UTF-8 as they may stand in HTML, also within an attribute. */
export function escapedBytes(bytes: Uint8Array): Uint8Array {
  let found = 0
  for (const byte of bytes) if (isEscaped(byte)) found += 1
  if (found === 0) return bytes
  const escaped = new Uint8Array(bytes.length + found * (LONGEST_ESCAPE - 1))
  let filled = 0
  for (const byte of bytes) {
    if (isEscaped(byte)) {
      const reference = ESCAPES.get(byte)!
      escaped.set(reference, filled)
      filled += reference.length
    } else {
      escaped[filled] = byte
      filled += 1
    }
  }
  return escaped.subarray(0, filled)
}

/** `"` and `&`, `'`, and then `<` and `>`: the codes in their order. */
function isEscaped(byte: number): boolean {
  return byte === 34 || byte === 38 || byte === 39 || byte === 60 || byte === 62
}

function escaped(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

/**
 * A page of our own: no script, nothing from elsewhere, in no other page's frame. `formsLeadTo`: where its
 * forms may end up, redirects included, as sources of a Content-Security-Policy.
 */
export function respondPage(title: string, body: Html, status = 200, formsLeadTo = "'self'"): Response {
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 3rem auto; padding: 0 1rem; color: #222; }
  label { display: block; margin: 1rem 0 .25rem; }
  input { width: 100%; font: inherit; padding: .5rem; box-sizing: border-box; border: 1px solid #999; border-radius: 4px; }
  button { margin-top: 1.5rem; font: inherit; padding: .5rem 1.5rem; border: 0; border-radius: 4px; background: #24567a; color: #fff; }
  .error { background: #fbe9e7; padding: .5rem .75rem; border-radius: 4px; }
  pre { white-space: pre-wrap; background: #f4f4f4; padding: .75rem; border-radius: 4px; }
</style>
<h1>${title}</h1>
${body}
</html>`
  return new Response(page.text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; form-action ${formsLeadTo}; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
    },
  })
}
