/** The ways to prove an identity. */
export type LoginMethod =
  | 'password'
  /** A password, then a code of the second factor. */
  | 'password+code'
  /** A password, then a passkey. */
  | 'password+passkey'
  | 'passkey'
  /** A provider of log-ins, which the organization has chosen (OpenID Connect, GitHub). */
  | 'provider'
  /** Cloudflare Access, in front of the server, has let them through. */
  | 'access'
  /** A token that another system of the organization has signed. */
  | 'jwt'
  /** A link for an owner, made with the deployment's credentials. */
  | 'owner link'
  /** A click, on a server for development. */
  | 'development'

export interface LoginProof {
  readonly method: LoginMethod
  /** With `provider`: which one, and its own name of the session (`sid`), by which it may end it. */
  readonly provider?: { readonly id: number; readonly sid: string | null }
  /** UNIX seconds: when the person has proved who they are, if that was before this log-in; 0 where nobody knows. */
  readonly provedAt?: number | undefined
}

/**
 * The end of a log-in: in the browser itself, in an app that gets the key, or in the desktop app, which makes a session of its own with the
 * token that has this digest.
 */
export type LoginEnd =
  | { readonly kind: 'session'; readonly digest: string }
  | { readonly kind: 'app' }
  | { readonly kind: 'desktop'; readonly digest: string }

/** The result of a log-in. With `second factor` nobody is let in yet: the ticket is redeemed with the second factor. */
export type FinishedLogin =
  | { readonly kind: 'session' | 'desktop'; readonly user_id: number }
  | { readonly kind: 'app'; readonly api_key: string; readonly email: string; readonly user_id: number }
  | { readonly kind: 'second factor'; readonly user_id: number; readonly ticket: string }
