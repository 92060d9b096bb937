/** What owners choose of a provider besides: the claim with the address, and whether a log-out here is one there too (1). */
export const CHOICES_OF_PROVIDERS: readonly string[] = [
  `ALTER TABLE login_provider ADD COLUMN email_claim TEXT NOT NULL DEFAULT 'email'`,
  `ALTER TABLE login_provider ADD COLUMN ends_session INTEGER NOT NULL DEFAULT 0`,
]
