/** How people join and log in: invitations, links in mail, sessions and keys. */
export const LOGIN_TABLES: readonly string[] = [
  // Invitations by mail and links that anybody may use: two number spaces, one shape. Lists are JSON.
  ...['invitation', 'invitation_link'].map(
    (table) => `CREATE TABLE ${table} (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    secret TEXT NOT NULL UNIQUE,
    email TEXT,
    referrer_id INTEGER NOT NULL,
    invited_at INTEGER NOT NULL,
    expires_at INTEGER,
    invite_as INTEGER NOT NULL,
    notifies_referrer INTEGER NOT NULL,
    channel_ids TEXT NOT NULL,
    group_ids TEXT NOT NULL,
    joins_default_channels INTEGER NOT NULL,
    welcome_text TEXT,
    origin TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending'
  )`,
  ),
  // Addresses with which people want to join by a link, until they open the link in the mail that was sent there. address: in lower case;
  // email: as it was typed; expires_at: UNIX seconds.
  `CREATE TABLE sign_up (
    address TEXT NOT NULL,
    link_id INTEGER NOT NULL,
    email TEXT NOT NULL,
    secret TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (address, link_id)
  ) WITHOUT ROWID`,
  // Links in mail. `email`: the account's address when the link was sent; `new_email`: only of kind email-change.
  `CREATE TABLE confirmation (
    secret TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    email TEXT NOT NULL,
    new_email TEXT,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  // Counts mail that people cause. Rows are in the order of time, by which they are deleted.
  `CREATE TABLE mail_request (bucket TEXT NOT NULL, at INTEGER NOT NULL)`,
  `CREATE INDEX mail_request_by_bucket ON mail_request (bucket, at)`,
  // Failures of authentication: kept in storage so that an eviction does not give new attempts.
  `CREATE TABLE login_failure (username TEXT NOT NULL, at INTEGER NOT NULL)`,
  `CREATE INDEX login_failure_by_username ON login_failure (username, at)`,
  // Networks from which a user has logged in; at: UNIX seconds, the last time to a day. Rows are in the order of time.
  `CREATE TABLE login_network (network TEXT NOT NULL UNIQUE, at INTEGER NOT NULL)`,
  // Providers at which people log in (store/login-providers/login-provider-rows.ts). client_secret: sealed, which is done and undone in the
  // Worker alone; the maps are JSON.
  `CREATE TABLE login_provider (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    preset TEXT NOT NULL,
    display_name TEXT NOT NULL,
    icon_url TEXT,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    client_secret TEXT,
    token_auth TEXT NOT NULL,
    scopes TEXT NOT NULL,
    is_enabled INTEGER NOT NULL,
    auto_signup INTEGER NOT NULL,
    trusts_email INTEGER NOT NULL,
    takes_picture INTEGER NOT NULL,
    groups_claim TEXT NOT NULL,
    group_map TEXT NOT NULL,
    role_claim TEXT NOT NULL,
    role_map TEXT NOT NULL
  )`,
  // The identity of an account at a provider; subject: the provider's own id of the person; logged_out_at: UNIX seconds, when the provider last logged
  // them out everywhere; key_sid: the provider's session in which an app got the account's key.
  `CREATE TABLE login_identity (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    provider_id INTEGER NOT NULL,
    subject TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    logged_out_at INTEGER NOT NULL DEFAULT 0,
    key_sid TEXT,
    UNIQUE (provider_id, subject)
  )`,
  `CREATE INDEX login_identity_of_key ON login_identity (provider_id, key_sid) WHERE key_sid IS NOT NULL`,
  `CREATE UNIQUE INDEX login_identity_of_user ON login_identity (user_id, provider_id)`,
  // The programs with which an account was logged in: a browser or program and its system, in words. at: UNIX seconds, the last time.
  `CREATE TABLE known_program (
    user_id INTEGER NOT NULL,
    program TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user_id, program)
  ) WITHOUT ROWID`,
  // Only the browser has the token itself. method: how its owner logged in; provider_id, provider_sid: by which provider of log-ins, and
  // the provider's own name of the session; proved_at: UNIX seconds, when the owner last proved who it is.
  `CREATE TABLE browser_session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    began_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    user_agent TEXT NOT NULL,
    method TEXT NOT NULL,
    provider_id INTEGER,
    provider_sid TEXT,
    proved_at INTEGER NOT NULL
  )`,
  `CREATE INDEX browser_session_of_user ON browser_session (user_id)`,
  `CREATE INDEX browser_session_by_use ON browser_session (used_at)`,
  `CREATE INDEX browser_session_at_provider ON browser_session (provider_id, provider_sid) WHERE provider_sid IS NOT NULL`,
  // A log-in that a user has begun and ends with the token of this digest. kind: what is still to be done; proof: JSON, how the account's
  // owner has proved who it is; use_before: UNIX seconds; tries: how often it was tried in vain;
  // totp_secret: sealed, of the authenticator app that is set up with it.
  `CREATE TABLE login_ticket (
    digest TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    proof TEXT NOT NULL,
    use_before INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    totp_secret TEXT
  ) WITHOUT ROWID`,
  `CREATE INDEX login_ticket_of_user ON login_ticket (user_id, use_before)`,
  `CREATE INDEX login_ticket_by_end ON login_ticket (use_before)`,
  `CREATE INDEX login_ticket_at_provider ON login_ticket (proof ->> '$.provider.id', proof ->> '$.provider.sid')
   WHERE proof ->> '$.provider.sid' IS NOT NULL`,
  // A key that its account has been given and has not used yet; use_before: UNIX seconds.
  `CREATE TABLE pending_api_key (
    user_id INTEGER PRIMARY KEY,
    api_key TEXT NOT NULL,
    use_before INTEGER NOT NULL
  )`,
  // Second factors. secret: sealed; last_step: the newest step of 30 seconds whose code was used.
  `CREATE TABLE totp (
    user_id INTEGER PRIMARY KEY,
    secret TEXT NOT NULL,
    is_confirmed INTEGER NOT NULL,
    last_step INTEGER NOT NULL,
    made_at INTEGER NOT NULL
  )`,
  `CREATE TABLE recovery_code (
    user_id INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (user_id, digest)
  ) WITHOUT ROWID`,
  // credential_id and public_key (COSE) are in base64url; transports: JSON; counter: the authenticator's own count of uses;
  // is_verified, 1: at its last use it had checked that it is its owner.
  `CREATE TABLE passkey (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    credential_id TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    is_backed_up INTEGER NOT NULL,
    is_verified INTEGER NOT NULL,
    name TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    used_at INTEGER
  )`,
  `CREATE INDEX passkey_of_user ON passkey (user_id)`,
  // An account's access to Zoom as one of its users. tokens: sealed; expires_at: UNIX seconds, when the access token is over;
  // renewed_until: UNIX seconds, until when a request is exchanging the tokens; zoom_id: Zoom's own id of the user, once it is known.
  `CREATE TABLE zoom_account (
    user_id INTEGER PRIMARY KEY,
    tokens TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    renewed_until INTEGER NOT NULL DEFAULT 0,
    zoom_id TEXT
  )`,
  `CREATE INDEX zoom_account_by_zoom_id ON zoom_account (zoom_id) WHERE zoom_id IS NOT NULL`,
  // Challenges that a passkey has answered, until nobody could answer them any more; use_before: UNIX seconds.
  `CREATE TABLE spent_challenge (nonce TEXT PRIMARY KEY, use_before INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE INDEX spent_challenge_by_end ON spent_challenge (use_before)`,
  // Wrong codes of second factors, by account and network. Rows are in the order of time, by which they are deleted.
  `CREATE TABLE code_failure (account TEXT NOT NULL, at INTEGER NOT NULL)`,
  `CREATE INDEX code_failure_by_account ON code_failure (account, at)`,
]

/** Provisioning by an identity provider (SCIM): its tokens, and what it knows of accounts and groups. */
export const PROVISIONING_TABLES: readonly string[] = [
  // The token, and for some days the one before it, which has a use_before (UNIX seconds). digest: SHA-256; only the identity provider has the
  // token itself. manages_owners, 1: it may make and reactivate owners, and change their roles and addresses.
  `CREATE TABLE scim_token (
    digest TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL,
    made_by INTEGER NOT NULL,
    used_at INTEGER,
    use_before INTEGER,
    manages_owners INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID`,
  // An identity provider's attributes of an account besides those that everybody sees. is_removed, 1: it has deleted the account, and does not find it
  // any more; or what the account said about its person was deleted. changed_at: UNIX seconds.
  `CREATE TABLE scim_user (
    user_id INTEGER PRIMARY KEY,
    external_id TEXT,
    given_name TEXT,
    family_name TEXT,
    is_removed INTEGER NOT NULL DEFAULT 0,
    changed_at INTEGER NOT NULL
  )`,
  `CREATE INDEX scim_user_by_external_id ON scim_user (external_id) WHERE external_id IS NOT NULL`,
  `CREATE INDEX scim_user_removed ON scim_user (user_id) WHERE is_removed = 1`,
  // Groups that an identity provider has made or changed. is_removed, 1: it has deleted the group, and may make it again.
  `CREATE TABLE scim_group (
    group_id INTEGER PRIMARY KEY,
    external_id TEXT,
    is_removed INTEGER NOT NULL DEFAULT 0,
    changed_at INTEGER NOT NULL
  )`,
  `CREATE INDEX scim_group_by_external_id ON scim_group (external_id) WHERE external_id IS NOT NULL`,
]
