import net from 'node:net'
import tls from 'node:tls'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { FinalFailure } from '../work-in-lanes.ts'
import {
  type EmailHandover,
  headersOf,
  isRefusedAddress,
  RefusedAddressFailure,
  senderOf,
  writtenSender,
} from './email-handover.ts'

export interface SmtpEnvironment {
  /** Secret; the server that accepts our mail. See `readSmtpServer`. */
  readonly SMTP_URL?: string
}

/** Milliseconds for the whole conversation with the server: half of the lane's lease. */
const CONVERSATION_MS = 30_000
/** Milliseconds for the connection, and for each answer. */
const STEP_MS = 15_000

/** Sends a mail in a conversation of its own. */
export async function sendBySmtp(env: SmtpEnvironment, handover: EmailHandover): Promise<void> {
  const server = readSmtpServer(env.SMTP_URL ?? '')
  const mime = await writeMime(handover)
  const conversation = new Conversation(server, handover.host)
  try {
    await conversation.open()
    const { recipient, returnPath } = handover.email
    await conversation.submit(returnPath ?? senderOf(handover).address, recipient, mime)
  } catch (error) {
    throw failureOf(error, server)
  } finally {
    conversation.end()
  }
}

/** A failure as the library reports it, on the platform's sockets. */
interface SmtpError extends Error {
  /** `EAUTH`, `ETLS`, `EDNS`, `ECONNECTION`, `ESOCKET`, `ETIMEDOUT`, `EENVELOPE`, `EMESSAGE`, … */
  readonly code?: string
  /** The server's answer: 550. */
  readonly responseCode?: number
  readonly response?: string
  /** The command that it answered: `RCPT TO`, `DATA`, … */
  readonly command?: string
}

/** A conversation with a mail server, within its time. */
class Conversation {
  readonly #server: SmtpServer
  readonly #name: string
  readonly #failed = Promise.withResolvers<never>()
  readonly #timer: ReturnType<typeof setTimeout>
  #socket: net.Socket | undefined
  #connection: SMTPConnection | undefined

  /** @param name with which we introduce ourselves */
  constructor(server: SmtpServer, name: string) {
    this.#server = server
    this.#name = name
    // The promise may fail while nothing waits for it.
    this.#failed.promise.catch(() => {})
    this.#timer = setTimeout(() => {
      this.#failed.reject(Object.assign(new Error('Time is up'), { code: 'ETIMEDOUT' }))
    }, CONVERSATION_MS)
  }

  async open(): Promise<void> {
    const { host, port, tls: encryption, login } = this.#server
    const isSecure = encryption === 'at once'
    // The platform looks up the name, and checks it against the server's certificate.
    const socket = isSecure ? tls.connect({ host, port, servername: host }) : net.connect({ host, port })
    // The platform's sockets keep a listener for each time-out that is set.
    socket.setMaxListeners(0)
    this.#socket = socket
    socket.on('error', this.#failed.reject)
    await this.#inTime((done) => socket.once(isSecure ? 'secureConnect' : 'connect', () => done(null)))
    const connection = new SMTPConnection({
      host,
      port,
      connection: socket,
      secure: isSecure,
      secured: isSecure,
      requireTLS: encryption === 'upgraded',
      ignoreTLS: encryption === 'none',
      name: this.#name,
      greetingTimeout: STEP_MS,
      socketTimeout: STEP_MS,
      connectionTimeout: STEP_MS,
      logger: false,
    })
    this.#connection = connection
    connection.on('error', this.#failed.reject)
    await this.#inTime((done) => connection.connect(done))
    if (login) {
      await this.#inTime((done) => connection.login({ user: login.user, pass: login.password }, done))
    }
  }

  async submit(from: string, recipient: string, mime: Uint8Array): Promise<void> {
    await this.#inTime((done) => this.#connection!.send({ from, to: [recipient] }, Buffer.from(mime), done))
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#connection?.quit()
    // There is no waiting for a server that does not answer this.
    setTimeout(() => {
      this.#connection?.close()
      this.#socket?.destroy()
    }, 0)
  }

  #inTime(step: (done: (error?: Error | null) => void) => void): Promise<void> {
    const stepDone = new Promise<void>((resolve, reject) => {
      step((error) => (error ? reject(error) : resolve()))
    })
    return Promise.race([stepDone, this.#failed.promise])
  }
}

/** Returns the failure in a sentence; its class tells how final it is. */
function failureOf(error: unknown, server: SmtpServer): Error {
  const { code, responseCode, response, command, message } = error as SmtpError
  const address = `${server.host}:${server.port}`
  const said = (response ?? message).replaceAll(/\s+/g, ' ').slice(0, 300)
  const isPermanent = responseCode !== undefined && responseCode >= 500
  if (isPermanent && (command === 'RCPT TO' || command === 'DATA')) {
    const what = command === 'DATA' ? 'refused the mail' : 'does not take mail for this address'
    const text = `The SMTP server ${what}: ${said}`
    // Some servers answer 550 for every recipient that they do not relay to: without an enhanced code only this mail is given up.
    return isRefusedAddress(said) ? new RefusedAddressFailure(text) : new FinalFailure(text)
  }
  if (code === 'EAUTH') return new Error(`The SMTP server ${address} refused name or password: ${said}`)
  if (code === 'ETLS' || /certificate|\bTLS\b/.test(said)) {
    return new Error(
      `No encrypted connection with the SMTP server ${address} (STARTTLS; smtps:// is TLS at once): ${said}`,
    )
  }
  if (code === 'ETIMEDOUT') return new Error(`The SMTP server ${address} did not answer in time`)
  if (command === 'MAIL FROM')
    return new Error(`The SMTP server ${address} refused the sender (EMAIL_FROM): ${said}`)
  if (responseCode !== undefined) return new Error(`The SMTP server ${address} refused it for now: ${said}`)
  return new Error(`No connection with the SMTP server ${address}: ${said}`)
}

/** Writes a mail in its form on the wire (RFC 5322, MIME), with the plain text first. */
export async function writeMime(handover: EmailHandover): Promise<Uint8Array> {
  const { email } = handover
  const mail = new MailComposer({
    from: writtenSender(handover),
    to: { name: '', address: email.recipient },
    subject: email.subject,
    text: email.text,
    html: email.html,
    messageId: email.messageId,
    date: new Date(email.writtenAt * 1_000),
    headers: headersOf(email),
    // No text that users write can make the library read a file.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}

/** A server that accepts mail for others (RFC 6409), from `SMTP_URL`. */
interface SmtpServer {
  readonly host: string
  readonly port: number
  /**
   * `at once`: TLS from the first byte (`smtps:`). `upgraded`: by STARTTLS before anything else, or not at all. `none`: only with
   * `?tls=none`, for a server on the same machine.
   */
  readonly tls: 'at once' | 'upgraded' | 'none'
  readonly login: { readonly user: string; readonly password: string } | undefined
}

/** Thrown when `SMTP_URL` is no address of a mail server. The text says why, without the password. */
class SmtpUrlError extends Error {}

const SMTPS_PORT = 465
const SUBMISSION_PORT = 587

/**
 * Reads `smtps://USER:PASSWORD@HOST:465`, or `smtp://` with port 587. Special characters of an address (`@`, `:`, `/`, `%`) are escaped
 * in name and password, as in every URL.
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
