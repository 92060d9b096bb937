import { type Html, html } from '../core/html.ts'

export { Html, html } from '../core/html.ts'

const [AMPERSAND, NUMBER_SIGN, SEMICOLON, ZERO] = [0x26, 0x23, 0x3b, 0x30]
/** Bytes that must not stand in HTML as they are: `"`, `&`, `'`, `<` and `>`. Each code has two digits. */
const ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) => ([34, 38, 39, 60, 62].includes(byte) ? 1 : 0))
/** What a reference is longer than its byte. */
const LONGER_BY = 4

/** Bytes of UTF-8 as they may stand in HTML, also within an attribute. */
export function escapedBytes(bytes: Uint8Array): Uint8Array {
  let found = 0
  for (let at = 0; at < bytes.length; at += 1) found += ESCAPED[bytes[at]!]!
  if (found === 0) return bytes
  const escaped = new Uint8Array(bytes.length + found * LONGER_BY)
  let filled = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (ESCAPED[byte] === 0) {
      escaped[filled] = byte
      filled += 1
      continue
    }
    escaped[filled] = AMPERSAND
    escaped[filled + 1] = NUMBER_SIGN
    escaped[filled + 2] = ZERO + Math.floor(byte / 10)
    escaped[filled + 3] = ZERO + (byte % 10)
    escaped[filled + 4] = SEMICOLON
    filled += 1 + LONGER_BY
  }
  return escaped
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
