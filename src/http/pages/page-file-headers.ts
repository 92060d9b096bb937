import { contentTypeOf } from '../html/web-client.ts'
import { HTTPS_ALONE, UNLESS_SAID } from '../request/security-headers.ts'

/** The path of the files that the page loads (web/vite.config.ts). */
export const PAGE_FILES = '/page'

/** Cache policy of files whose address does not identify their content. */
export const ASKED_ANEW = 'no-cache'

const YEAR_SECONDS = 365 * 86_400
const FOR_EVER = `public, max-age=${YEAR_SECONDS}, immutable`

/** A name with a digest of the content is cached for ever. Others are those that pages made by the server refer to. */
export const DIGESTED = /-[\w-]{8}\.\w+$/

/** The PDF reader handles uploads of others (web/views/message/pdf.ts): a fault in it reaches neither the network nor other scripts. */
const PDF_THREAD = 'pdf.worker.'
const NOTHING = "default-src 'none'"

/** Returns the headers of a file below `/page` that are not those of every answer. */
export function headersOfPageFile(name: string): Record<string, string> {
  return {
    'Content-Type': contentTypeOf(name),
    'Cache-Control': DIGESTED.test(name) ? FOR_EVER : ASKED_ANEW,
    ...(name.startsWith(PDF_THREAD) ? { 'Content-Security-Policy': NOTHING } : {}),
  }
}

/**
 * Returns the rules of Cloudflare's `_headers` file, by which it serves the files below `/page` like the Worker, without asking it: so the page
 * costs no request, and loads when the Worker may serve none. `names` are those of the files.
 */
export function staticHeaders(names: readonly string[]): string {
  const common: Record<string, string> = {
    ...UNLESS_SAID,
    'Strict-Transport-Security': HTTPS_ALONE,
    'Cache-Control': FOR_EVER,
  }
  const others = names.toSorted().flatMap((name) => {
    // Cloudflare knows the types by the same endings.
    const { 'Content-Type': _, ...own } = headersOfPageFile(name)
    const changed = Object.entries(own).filter(([header, value]) => common[header] !== value)
    // Without the first of the two, both rules would count.
    const lines = changed.flatMap(([header, value]) => [`! ${header}`, `${header}: ${value}`])
    return lines.length > 0 ? [ruleFor(name, lines)] : []
  })
  const lines = Object.entries(common).map(([header, value]) => `${header}: ${value}`)
  return `${[ruleFor('*', lines), ...others].join('\n')}\n`
}

function ruleFor(name: string, lines: readonly string[]): string {
  return [`${PAGE_FILES}/${name}`, ...lines.map((line) => `  ${line}`)].join('\n')
}
