import { directionOf, type Html, html } from '../../core/written-languages.ts'

export { Html, html } from '../../core/written-languages.ts'

const [AMPERSAND, NUMBER_SIGN, SEMICOLON, ZERO] = [0x26, 0x23, 0x3b, 0x30]
/** Bytes that HTML must have escaped: `"`, `&`, `'`, `<` and `>`. Each code has two digits. */
const ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) => ([34, 38, 39, 60, 62].includes(byte) ? 1 : 0))
/** Bytes by which a reference is longer than its byte. */
const LONGER_BY = 4

/** Returns bytes of UTF-8 escaped for HTML, also within an attribute. */
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
 * Style of the pages around the room, from the same sheets (web/doors.css). It is revalidated each time,
 * since its name has no digest.
 */
const DOORS_STYLE = '/page/doors.css'

interface PageOptions {
  /** Language of the page's texts. */
  readonly language?: string
  /** Sources, for a Content-Security-Policy, to which its forms may lead, redirects included. */
  readonly formsLeadTo?: string
  /** Path of its script. Most pages have none. */
  readonly script?: string
}

/**
 * Answers with a page of our own, which looks like the web app: no script but one of ours, nothing from elsewhere, in no
 * other page's frame.
 */
export function respondPage(
  title: string,
  body: Html,
  status = 200,
  { language = 'en', formsLeadTo = "'self'", script }: PageOptions = {},
): Response {
  const page = html`<!doctype html>
<html lang="${language}"${directionOf(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${DOORS_STYLE}">
${script === undefined ? '' : html`<script type="module" src="${script}"></script>`}
</head>
<body>
<main class="door">
<div class="door-card">
<div class="door-head"><h1>${title}</h1></div>
${body}
</div>
</main>
</body>
</html>`
  return new Response(page.text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; ${script === undefined ? '' : "script-src 'self'; connect-src 'self'; "}style-src 'self'; font-src 'self'; form-action ${formsLeadTo}; base-uri 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
    },
  })
}
