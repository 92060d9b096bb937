/** A server that takes mail for others (RFC 6409), from `SMTP_URL`. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /**
   * `at once`: TLS from the first byte (`smtps:`). `upgraded`: by STARTTLS before anything else, or not at
   * all. `none`: only with `?tls=none`, for a server on the same machine.
   */
  readonly tls: 'at once' | 'upgraded' | 'none'
  readonly login: { readonly user: string; readonly password: string } | undefined
}

/** `SMTP_URL` is no address of a mail server. The text says why, without the password. */
class SmtpUrlError extends Error {}

const SMTPS_PORT = 465
const SUBMISSION_PORT = 587

/**
 * Reads `smtps://USER:PASSWORD@HOST:465`, or `smtp://` with port 587. Special characters of an address (`@`,
 * `:`, `/`, `%`) are escaped in name and password, as in every URL.
 *
 * @throws SmtpUrlError
 */
export function readSmtpServer(setting: string): SmtpServer {
  const url = URL.parse(setting.trim())
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') {
    throw new SmtpUrlError(
      'SMTP_URL is not understood. It looks like smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587.',
    )
  }
  const isAtOnce = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isAtOnce ? SMTPS_PORT : SUBMISSION_PORT) : Number(url.port),
    tls: isAtOnce ? 'at once' : url.searchParams.get('tls') === 'none' ? 'none' : 'upgraded',
    login:
      url.username === '' ? undefined : { user: unescaped(url.username), password: unescaped(url.password) },
  }
}

export function describeSmtpServer({ host, port, tls, login }: SmtpServer): string {
  const how = { 'at once': 'with TLS', upgraded: 'with STARTTLS', none: 'without TLS' }[tls]
  return `the SMTP server ${host}:${port}, ${how}, ${login ? `as ${login.user}` : 'without a login'}`
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new SmtpUrlError('SMTP_URL is not understood: a % in name or password is written %25.')
  }
}
